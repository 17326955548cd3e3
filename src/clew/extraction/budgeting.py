"""A model for some chunks, sentences for the rest.

All documents of a run are looked at before the first is extracted, and the chunks that are worth
most get the model (:mod:`clew.extraction.worth`). What was chosen is kept in the store before
anything is spent: a run that goes on after an interruption asks for the same chunks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

from clew.extraction.config import ExtractionConfig
from clew.extraction.passages import Passage
from clew.extraction.sentence import SentenceExtractor
from clew.extraction.worth import ChunkWorth
from clew.ids import content_id
from clew.records import Chunk, Document

SAMPLE_CHUNKS = 200
"""From which is reckoned what all would cost."""

Keep = Callable[[str, str], None]
Remembered = Callable[[Sequence[str]], Mapping[str, str]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidates:
    """How much text there is to choose from, and some of it as a model would be asked about it."""

    characters: int
    chunks: int
    sample: tuple[Passage, ...] = ()


class ChosenChunks:
    """Chooses among the documents that it was shown. ``share`` tells how much of them to choose;
    ``name`` tells this budget from others. Safe to use from many threads.
    """

    def __init__(
        self,
        name: str,
        share: Callable[[Candidates], float],
        config: ExtractionConfig,
        keep: Keep,
        remembered: Remembered,
    ) -> None:
        self._lock = Lock()
        self._share = share
        self._sentences = SentenceExtractor(config)
        self._worth = ChunkWorth()
        self._sample: dict[str, Passage] = {}
        self._chunks = 0
        self._keep = keep
        self._key = content_id("w", name)
        known = json.loads(remembered([self._key]).get(self._key, "{}"))
        self._decided: dict[str, str] = known.get("documents", {})
        self._chosen: set[str] = set(known.get("chunks", ()))
        self._open: dict[str, str] = {}

    def look_ahead(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> None:
        new = [
            (document, chunks)
            for document, chunks in documents
            if self._decided.get(document.id) != document.content_hash
        ]
        for (document, chunks), extraction in zip(new, self._sentences.extract(new), strict=True):
            self._worth.add(document, chunks, extraction)
            self._open[document.id] = document.content_hash
            self._chunks += len(chunks)
            self._sample |= {
                chunk.id: Passage(document=document, chunk=chunk, key=chunk.id) for chunk in chunks
            }
            if len(self._sample) > 2 * SAMPLE_CHUNKS:
                self._sample = self._sampled()

    def decide(self) -> None:
        """Choose among what was looked at; what was chosen before stays so."""
        with self._lock:
            if not self._open:
                return
            candidates = Candidates(
                characters=self._worth.characters,
                chunks=self._chunks,
                sample=tuple(self._sampled().values()),
            )
            self._chosen |= self._worth.chosen(self._share(candidates))
            self._decided |= self._open
            self._open = {}
            self._worth = ChunkWorth()
            self._sample, self._chunks = {}, 0
            told = {"documents": self._decided, "chunks": sorted(self._chosen)}
            self._keep(self._key, json.dumps(told))

    def _sampled(self) -> dict[str, Passage]:
        """Those whose ids come first: ids are hashes, so any order of documents gives the same."""
        return {key: self._sample[key] for key in sorted(self._sample)[:SAMPLE_CHUNKS]}

    @property
    def ids(self) -> frozenset[str]:
        """Of the chosen chunks."""
        return frozenset(self._chosen)

    def __contains__(self, chunk: object) -> bool:
        return isinstance(chunk, Chunk) and chunk.id in self._chosen
