"""Which chunks are worth a call of a model, where not all can have one.

A model helps where facts hang together: in a chunk about something that others speak of, or that
speaks of what others are about. Per chunk, with N the number of documents:

    worth = [ln(1 + in) + ln(1 + out) + ln(1 + shared)] / characters

``in`` counts the other documents that mention what this one is about, ``out`` the things it
mentions that documents are about, ``shared`` its entities that 2 to max(20, N/50) documents
mention. Chunks are taken by worth until their characters make up the share.

Measured on the tuning sets (``benchmarks/extraction/worth.py``): a quarter of the characters holds
1.6 to 3.1 times as many of the passages that questions need as a quarter taken at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log1p

from clew.extraction.base import Extraction
from clew.records import Chunk, Document

_LEAST_HUB = 20
_HUB_SHARE = 50


@dataclass(frozen=True, slots=True)
class _Seen:
    """A chunk: where it is from, how long it is, what it is about and what it mentions."""

    chunk: str
    document: str
    characters: int
    topics: frozenset[str]
    entities: frozenset[str]


class ChunkWorth:
    """Collects what the sentence method finds in documents; then says which chunks to choose."""

    def __init__(self) -> None:
        self._seen: list[_Seen] = []

    def add(self, document: Document, chunks: Sequence[Chunk], extraction: Extraction) -> None:
        chunk_of = {unit.id: unit.chunk_id for unit in extraction.units}
        entities: dict[str, set[str]] = {}
        topics: dict[str, set[str]] = {}
        for mention in extraction.mentions:
            entities.setdefault(chunk_of[mention.unit_id], set()).add(mention.entity_id)
        for topic in extraction.topics:
            topics.setdefault(topic.chunk_id, set()).add(topic.entity_id)
        told = set(chunk_of.values())
        for chunk in chunks:
            if chunk.id in told:
                about = frozenset(topics.get(chunk.id, ()))
                spoken = frozenset(entities.get(chunk.id, ())) | about
                self._seen.append(_Seen(chunk.id, document.id, len(chunk.text), about, spoken))

    @property
    def characters(self) -> int:
        """Of all chunks together."""
        return sum(seen.characters for seen in self._seen)

    def chosen(self, share: float) -> frozenset[str]:
        """The ids of the chunks that are worth most, up to ``share`` of all characters; equal ones
        in the order of their ids.
        """
        worth = dict(self.worth())
        room = share * self.characters
        taken = set()
        for seen in sorted(self._seen, key=lambda seen: (-worth[seen.chunk], seen.chunk)):
            if seen.characters <= room:
                room -= seen.characters
                taken.add(seen.chunk)
        return frozenset(taken)

    def worth(self) -> Iterator[tuple[str, float]]:
        """Each chunk with its worth. Linear in the mentions."""
        mentioned = _documents_each(self._seen, lambda seen: seen.entities)
        about = _documents_each(self._seen, lambda seen: seen.topics)
        hub = max(_LEAST_HUB, len({seen.document for seen in self._seen}) / _HUB_SHARE)
        for seen in self._seen:
            incoming = sum(
                mentioned[topic] - 1 for topic in seen.topics if mentioned[topic] <= _LEAST_HUB
            )
            outgoing = sum(about[entity] > 0 for entity in seen.entities - seen.topics)
            shared = sum(2 <= mentioned[entity] <= hub for entity in seen.entities)
            links = log1p(incoming) + log1p(outgoing) + log1p(shared)
            yield seen.chunk, links / max(1, seen.characters)


def _documents_each(seen: Iterable[_Seen], names: Callable[[_Seen], Iterable[str]]) -> Counter[str]:
    """In how many documents each of ``names`` is."""
    found = {(name, one.document) for one in seen for name in names(one)}
    return Counter(name for name, _ in found)
