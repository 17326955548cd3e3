"""A question with its names as the evidence writes them.

The search links a name of the question to what it stands for: a misspelt name, an alias, a name
that was joined to another by hand. Where the evidence never writes the name as the question does
and does write another name of the same thing, that one is read in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.answering.evidence import Evidence
from clew.answering.things import plain, sentence_key
from clew.records import Entity
from clew.results import NameLink, RetrievalResult
from clew.stores.base import GraphReader
from clew.text.names import name_key

_UNSURE = frozenset({"partial", "embedding"})


def as_written(text: str, result: RetrievalResult, evidence: Evidence, reader: GraphReader) -> str:
    """Return the question with every name replaced that the evidence knows by another only."""
    links = [link for link in result.names if link.end > link.start and link.how not in _UNSURE]
    for link in sorted(links, key=lambda link: -link.start):
        if text[link.start : link.end] != link.text or _is_written(link.text, evidence):
            continue
        other = next((n for n in _names_of(link, reader) if _is_written(n, evidence)), "")
        if other:
            text = text[: link.start] + other + text[link.end :]
    return text


def _is_written(name: str, evidence: Evidence) -> bool:
    wanted = f" {plain(name)} "
    return any(wanted in f" {sentence_key(sentence)} " for sentence in evidence.sentences) or any(
        wanted in f" {plain(name)} " for passage in evidence.passages for name in passage.names
    )


def _names_of(link: NameLink, reader: GraphReader) -> Iterator[str]:
    """The names and aliases of the entities that the link leads to, the names first."""
    yield from link.entities
    for entity in _entities(link.entities, reader):
        yield from sorted(entity.aliases)


def _entities(names: Sequence[str], reader: GraphReader) -> list[Entity]:
    found = reader.find_entities([name_key(name) for name in names])
    return reader.get_entities(found.targets)
