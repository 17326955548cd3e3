"""Numbers for the records of a document that is about to be written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from clew.records import IndexedDocument


@dataclass(kw_only=True, slots=True)
class Counters:
    """The next free number of each kind; a store keeps them in its ``state``."""

    document: int = 0
    chunk: int = 0
    unit: int = 0
    entity: int = 0
    mention: int = 0
    topic: int = 0
    fact: int = 0

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(item.name for item in fields(cls))


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Numbered:
    """A document with the numbers of its records: those of chunks run from ``first_chunk`` on, and
    so for the others. The lists run beside the tuples of the document.
    """

    indexed: IndexedDocument
    number: int
    first_chunk: int
    first_unit: int
    first_mention: int
    first_topic: int
    first_fact: int
    chunk_of_unit: list[int]
    unit_of_mention: list[int]
    entity_of_mention: list[int]
    chunk_of_topic: list[int]
    entity_of_topic: list[int]
    unit_of_fact: list[int]


def number_document(
    indexed: IndexedDocument, counters: Counters, entities: Mapping[str, int]
) -> Numbered:
    """Take numbers from ``counters`` for everything in the document but its entities."""
    chunks = {chunk.id: counters.chunk + at for at, chunk in enumerate(indexed.chunks)}
    units = {unit.id: counters.unit + at for at, unit in enumerate(indexed.units)}
    numbered = Numbered(
        indexed=indexed,
        number=counters.document,
        first_chunk=counters.chunk,
        first_unit=counters.unit,
        first_mention=counters.mention,
        first_topic=counters.topic,
        first_fact=counters.fact,
        chunk_of_unit=[chunks[unit.chunk_id] for unit in indexed.units],
        unit_of_mention=[units[mention.unit_id] for mention in indexed.mentions],
        entity_of_mention=[entities[mention.entity_id] for mention in indexed.mentions],
        chunk_of_topic=[chunks[topic.chunk_id] for topic in indexed.topics],
        entity_of_topic=[entities[topic.entity_id] for topic in indexed.topics],
        unit_of_fact=[units[fact.unit_id] for fact in indexed.facts],
    )
    counters.document += 1
    counters.chunk += len(indexed.chunks)
    counters.unit += len(indexed.units)
    counters.mention += len(indexed.mentions)
    counters.topic += len(indexed.topics)
    counters.fact += len(indexed.facts)
    return numbered
