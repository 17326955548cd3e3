"""Arrays and maps over one generation of a graph in memory, each made when first asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np

from clew.records import Chunk, Entity, Fact, KnowledgeUnit
from clew.stores.base import Numbers, Scores
from clew.stores.links import Adjacency
from clew.stores.memory.entry import Entry
from clew.stores.memory.layers import LayerArrays, joined
from clew.stores.naming import trigrams
from clew.stores.spelling import Clause


class GraphIndex:
    """What look-ups and hops run over."""

    def __init__(
        self,
        entries: Sequence[Entry],
        entities: Mapping[int, Entity],
        entity_keys: Mapping[int, frozenset[str]],
        vocabulary: Mapping[str, int],
    ) -> None:
        self.entries = entries
        self.entities = entities
        self._entity_keys = entity_keys
        self.chunks = LayerArrays("chunk", entries, vocabulary)
        self.units = LayerArrays("unit", entries, vocabulary)

    @cached_property
    def document_numbers(self) -> Numbers:
        return np.array([entry.number for entry in self.entries], np.int64)

    @cached_property
    def entity_numbers(self) -> Numbers:
        return np.array(sorted(self.entities), np.int64)

    @cached_property
    def unit_chunks(self) -> Numbers:
        return joined([entry.chunk_of_unit for entry in self.entries])

    @cached_property
    def chunk_units(self) -> Adjacency:
        return Adjacency.from_pairs(self.unit_chunks, self.units.numbers)

    @cached_property
    def mentions(self) -> tuple[Numbers, Numbers]:
        return (
            joined([entry.mention_units for entry in self.entries]),
            joined([entry.mention_entities for entry in self.entries]),
        )

    @cached_property
    def unit_entities(self) -> Adjacency:
        return Adjacency.from_pairs(*self.mentions)

    @cached_property
    def entity_units(self) -> Adjacency:
        units, entities = self.mentions
        return Adjacency.from_pairs(entities, units)

    @cached_property
    def entity_chunks(self) -> Adjacency:
        units, entities = self.mentions
        return Adjacency.from_pairs(entities, self.unit_chunks[self.units.rows(units)])

    @cached_property
    def topics(self) -> tuple[Numbers, Numbers, Scores]:
        weights = [topic.weight for entry in self.entries for topic in entry.indexed.topics]
        return (
            joined([entry.topic_chunks for entry in self.entries]),
            joined([entry.topic_entities for entry in self.entries]),
            np.array(weights, np.float32),
        )

    @cached_property
    def chunk_topics(self) -> Adjacency:
        return Adjacency.from_pairs(*self.topics)

    @cached_property
    def entity_chunks_about(self) -> Adjacency:
        chunks, entities, weights = self.topics
        return Adjacency.from_pairs(entities, chunks, weights)

    @cached_property
    def by_key(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, keys in self._entity_keys.items():
            for key in keys:
                found.setdefault(key, []).append(number)
        return found

    @cached_property
    def by_trigram(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for key in self.by_key:
            for gram in trigrams(key):
                found.setdefault(gram, set()).add(key)
        return found

    def keys_meeting(self, clause: Clause) -> set[str]:
        """The keys that hold, for each word of the clause, one of its sets of trigrams."""
        by_word = [set().union(*map(self.keys_with, word)) for word in clause]
        return set[str].intersection(*by_word) if by_word else set()

    def keys_with(self, grams: Iterable[str]) -> set[str]:
        """The keys that hold all of these trigrams."""
        found = sorted((self.by_trigram.get(gram, set()) for gram in grams), key=len)
        return found[0].intersection(*found[1:]) if found else set()

    @cached_property
    def by_first_letter(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for key in self.by_key:
            found.setdefault(key[0], []).append(key)
        return found

    @cached_property
    def all_chunks(self) -> list[Chunk]:
        return [chunk for entry in self.entries for chunk in entry.indexed.chunks]

    @cached_property
    def all_units(self) -> list[KnowledgeUnit]:
        return [unit for entry in self.entries for unit in entry.indexed.units]

    @cached_property
    def linked_ids(self) -> dict[str, set[str]]:
        chunks, units = self.all_chunks, self.all_units
        linked: dict[str, set[str]] = {chunk.id: set() for chunk in chunks}
        linked |= {unit.id: set() for unit in units}
        linked |= {entity.id: set() for entity in self.entities.values()}
        for entry in self.entries:
            indexed = entry.indexed
            pairs = [(unit.chunk_id, unit.id) for unit in indexed.units]
            pairs += [(mention.unit_id, mention.entity_id) for mention in indexed.mentions]
            pairs += [(topic.chunk_id, topic.entity_id) for topic in indexed.topics]
            for one, other in pairs:
                linked[one].add(other)
                linked[other].add(one)
        return linked

    @cached_property
    def facts(self) -> dict[str, list[Fact]]:
        found: dict[str, list[Fact]] = {}
        for entry in self.entries:
            for fact in entry.indexed.facts:
                found.setdefault(fact.unit_id, []).append(fact)
        return found

    @cached_property
    def by_document(self) -> dict[str, Entry]:
        return {entry.indexed.document.id: entry for entry in self.entries}

    @cached_property
    def document_ids(self) -> dict[str, int]:
        return {entry.indexed.document.id: entry.number for entry in self.entries}

    @cached_property
    def chunk_ids(self) -> dict[str, int]:
        return _by_id(self.all_chunks, self.chunks.numbers)

    @cached_property
    def unit_ids(self) -> dict[str, int]:
        return _by_id(self.all_units, self.units.numbers)

    @cached_property
    def entity_ids(self) -> dict[str, int]:
        return {entity.id: number for number, entity in self.entities.items()}


def _by_id(records: Sequence[Chunk | KnowledgeUnit], numbers: Numbers) -> dict[str, int]:
    ids = [record.id for record in records]
    return dict(zip(ids, numbers.tolist(), strict=True))
