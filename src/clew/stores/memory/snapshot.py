"""One generation of the in-memory graph: nothing in it changes any more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from rapidfuzz import fuzz

from clew.errors import NotFoundError
from clew.records import Chunk, Document, Entity, EntityMerge, Fact, IndexedDocument, KnowledgeUnit
from clew.stores.base import (
    EmbeddingSpace,
    GraphReader,
    Layer,
    Links,
    Numbers,
    Problem,
    Ranking,
    Scores,
)
from clew.stores.checking import check_document
from clew.stores.filters import parse_where
from clew.stores.links import first, from_lists, keep
from clew.stores.memory.entry import Entry
from clew.stores.memory.index import GraphIndex
from clew.stores.memory.layers import LayerArrays, rows_of
from clew.stores.memory.names_within import NamesWithin
from clew.stores.naming import cached_key, trigrams
from clew.stores.scoring import best
from clew.stores.spelling import abbreviates, holds, spelling_clause
from clew.stores.within import ReaderWithin
from clew.text.names import name_key


class GraphSnapshot:
    """:class:`clew.stores.base.GraphReader` over documents held in memory."""

    def __init__(
        self,
        *,
        generation: int,
        embedding: EmbeddingSpace | None,
        entries: Sequence[Entry],
        entities: Mapping[int, Entity],
        entity_keys: Mapping[int, frozenset[str]],
        vocabulary: Mapping[str, int],
    ) -> None:
        self.generation = generation
        self.embedding = embedding
        self._index = GraphIndex(entries, entities, entity_keys, vocabulary)
        self._entries = entries
        self._entities = entities
        self._kept_names: tuple[bytes, NamesWithin] | None = None

    # --- the store as a whole -------------------------------------------------------------------

    def within(self, documents: Numbers) -> GraphReader:
        everything = np.array_equal(documents, self._index.document_numbers)
        return self if everything else ReaderWithin(self, documents)

    def stats(self, *, documents: Numbers | None = None) -> dict[str, int]:
        wanted = None if documents is None else set(documents.tolist())
        entries = [entry for entry in self._entries if wanted is None or entry.number in wanted]
        counts = Counter(
            documents=len(entries),
            chunks=sum(len(entry.indexed.chunks) for entry in entries),
            knowledge_units=sum(len(entry.indexed.units) for entry in entries),
            facts=sum(len(entry.indexed.facts) for entry in entries),
            mentions=sum(len(entry.indexed.mentions) for entry in entries),
            topics=sum(len(entry.indexed.topics) for entry in entries),
        )
        spoken_of: set[int] = set()
        for entry in entries:
            mentions = set(
                zip(entry.mention_units.tolist(), entry.mention_entities.tolist(), strict=True)
            )
            topics = set(
                zip(entry.topic_chunks.tolist(), entry.topic_entities.tolist(), strict=True)
            )
            spoken_of |= {entity for _, entity in mentions | topics}
            counts["edges"] += len(entry.indexed.units) + len(mentions) + len(topics)
        counts["entities"] = len(spoken_of)
        return {name: counts[name] for name in STAT_NAMES}

    def select_documents(
        self, *, scope: str | None = None, where: Mapping[str, Any] | None = None
    ) -> Numbers:
        matches = parse_where(where)
        return np.array(
            [
                entry.number
                for entry in self._entries
                if scope in {None, entry.indexed.document.scope} and matches(entry.indexed.document)
            ],
            np.int64,
        )

    # --- search ---------------------------------------------------------------------------------

    def search_vectors(
        self, layer: Layer, query: Scores, k: int, *, documents: Numbers | None = None
    ) -> Ranking:
        return self._layer(layer).search_vectors(query, k, documents)

    def score_vectors(self, layer: Layer, query: Scores, numbers: Numbers) -> Scores:
        return self._layer(layer).score_vectors(query, numbers)

    def vectors(self, layer: Layer, numbers: Numbers) -> Scores:
        return self._layer(layer).vectors_of(numbers)

    def search_text(
        self,
        layer: Layer,
        terms: Sequence[str],
        k: int,
        *,
        documents: Numbers | None = None,
        population: Numbers | None = None,
    ) -> Ranking:
        return self._layer(layer).search_text(terms, k, documents, population)

    def document_frequencies(
        self, layer: Layer, terms: Sequence[str], *, documents: Numbers | None = None
    ) -> Numbers:
        return self._layer(layer).holding(terms, documents)

    def _layer(self, layer: Layer) -> LayerArrays:
        return self._index.chunks if layer == "chunk" else self._index.units

    # --- links ----------------------------------------------------------------------------------

    def documents_of_chunks(self, chunks: Numbers) -> Numbers:
        return self._index.chunks.documents[self._index.chunks.rows(chunks)]

    def chunks_of_units(self, units: Numbers) -> Numbers:
        return self._index.unit_chunks[self._index.units.rows(units)]

    def units_of_chunks(self, chunks: Numbers) -> Links:
        self._index.chunks.rows(chunks)
        return self._index.chunk_units.of(np.asarray(chunks, np.int64))

    def entities_of_units(self, units: Numbers) -> Links:
        self._index.units.rows(units)
        return self._index.unit_entities.of(np.asarray(units, np.int64))

    def units_of_entities(
        self, entities: Numbers, *, documents: Numbers | None = None, limit: int | None = None
    ) -> Links:
        links = self._index.entity_units.of(self._known_entities(entities))
        links = self._within(links, self._index.units, documents)
        return links if limit is None else first(links, limit)

    def topics_of_chunks(self, chunks: Numbers) -> Links:
        self._index.chunks.rows(chunks)
        return self._index.chunk_topics.of(np.asarray(chunks, np.int64))

    def chunks_about(self, entities: Numbers, *, documents: Numbers | None = None) -> Links:
        links = self._index.entity_chunks_about.of(self._known_entities(entities))
        return self._within(links, self._index.chunks, documents)

    def entity_frequencies(self, entities: Numbers, *, documents: Numbers | None = None) -> Numbers:
        links = self._index.entity_chunks.of(self._known_entities(entities))
        return np.diff(self._within(links, self._index.chunks, documents).indptr)

    def find_entities(self, keys: Sequence[str], *, documents: Numbers | None = None) -> Links:
        has = self._has_key(documents)
        return from_lists(
            [
                [entity for entity in self._index.by_key.get(key, ()) if has(entity, key)]
                for key in keys
            ]
        )

    def similar_entities(
        self, key: str, *, threshold: float, k: int, documents: Numbers | None = None
    ) -> Ranking:
        names = self._index.keys_meeting(spelling_clause(key))
        scores = {name: fuzz.ratio(key, name) / 100 for name in names}
        close = {name: score for name, score in scores.items() if score >= threshold}
        return self._ranked(close, k, documents)

    def entities_holding(self, phrase: str, *, k: int, documents: Numbers | None = None) -> Ranking:
        names = self._index.keys_with(trigrams(phrase))
        shares = {name: len(phrase) / len(name) for name in names if holds(name, phrase)}
        return self._ranked(shares, k, documents)

    def entities_abbreviated(
        self, letters: str, *, k: int, documents: Numbers | None = None
    ) -> Numbers:
        names = self._index.by_first_letter.get(letters[:1], ())
        found = {name: 1.0 for name in names if abbreviates(letters, name)}
        return self._ranked(found, k, documents).numbers

    def _ranked(self, names: Mapping[str, float], k: int, documents: Numbers | None) -> Ranking:
        """The entities of these keys, each with the best of its scores."""
        has = self._has_key(documents)
        scores: dict[int, float] = {}
        for name, score in names.items():
            for entity in self._index.by_key[name]:
                if has(entity, name):
                    scores[entity] = max(score, scores.get(entity, 0.0))
        numbers = np.array(sorted(scores), np.int64)
        values = np.array([scores[number] for number in numbers.tolist()], np.float32)
        return best(numbers, values, k)

    def entity_names(self, prefix: str, *, k: int, documents: Numbers | None = None) -> list[str]:
        key = cached_key(prefix)
        named = self._entities if documents is None else self._names_within(documents).entities
        found = sorted(
            (entity.key, entity.name) for entity in named.values() if entity.key.startswith(key)
        )
        return list(dict.fromkeys(name for _, name in found))[:k]

    def _within(self, links: Links, layer: LayerArrays, documents: Numbers | None) -> Links:
        if documents is None:
            return links
        owners = layer.documents[layer.rows(links.targets)]
        return keep(links, np.isin(owners, documents))

    def _known_entities(self, entities: Numbers) -> Numbers:
        entities = np.asarray(entities, np.int64)
        rows_of(self._index.entity_numbers, entities, "entity")
        return entities

    def _has_key(self, documents: Numbers | None) -> Callable[[int, str], bool]:
        """Whether an entity is found by a key, among those by which the index finds it."""
        if documents is None:
            return lambda _, __: True
        keys = self._names_within(documents).keys
        return lambda entity, key: key in keys.get(entity, ())

    def _names_within(self, documents: Numbers) -> NamesWithin:
        """Those of the last documents are kept: a search asks again and again."""
        asked = documents.tobytes()
        kept = self._kept_names
        if kept is None or kept[0] != asked:
            wanted = set(documents.tolist())
            entries = [entry for entry in self._entries if entry.number in wanted]
            kept = asked, NamesWithin(entries, self._index.entity_ids, self._entities)
            self._kept_names = kept
        return kept[1]

    def entity_by_name(self, name: str, scope: str) -> Entity | None:
        key = cached_key(name)
        named = [self._entities[number] for number in sorted(self._index.by_key.get(key, ()))]
        found = [entity for entity in named if entity.scope == scope]
        return min(found, key=lambda entity: entity.key != key, default=None)

    def neighbors(self, id_: str) -> list[str]:
        if self._index.linked_ids.get(id_) is None:
            raise NotFoundError(f"no chunk, unit or entity {id_!r}")
        return sorted(self._index.linked_ids[id_])

    # --- records --------------------------------------------------------------------------------

    def get_documents(self, numbers: Numbers) -> list[Document]:
        rows = rows_of(self._index.document_numbers, numbers, "document")
        return [self._entries[row].indexed.document for row in rows.tolist()]

    def get_chunks(self, numbers: Numbers) -> list[Chunk]:
        return [self._index.all_chunks[row] for row in self._index.chunks.rows(numbers).tolist()]

    def get_units(self, numbers: Numbers) -> list[KnowledgeUnit]:
        return [self._index.all_units[row] for row in self._index.units.rows(numbers).tolist()]

    def get_entities(self, numbers: Numbers, *, documents: Numbers | None = None) -> list[Entity]:
        known = self._known_entities(numbers).tolist()
        if documents is None:
            return [self._entities[number] for number in known]
        named = self._names_within(documents).entities
        for number in known:
            if number not in named:
                raise NotFoundError(f"no entity with the number {number} in this generation")
        return [named[number] for number in known]

    def facts_of_units(self, units: Numbers) -> list[list[Fact]]:
        return [list(self._index.facts.get(unit.id, ())) for unit in self.get_units(units)]

    def find_facts(
        self,
        *,
        keys: Sequence[str] | None = None,
        predicates: Sequence[str] | None = None,
        documents: Numbers | None = None,
    ) -> Iterator[Fact]:
        wanted = None if documents is None else set(documents.tolist())
        about = None if keys is None else set(keys)
        for entry in self._entries:
            if wanted is None or entry.number in wanted:
                for fact in entry.indexed.facts:
                    known = about is None or not about.isdisjoint(
                        (name_key(fact.subject), name_key(fact.object))
                    )
                    if known and (predicates is None or fact.predicate in predicates):
                        yield fact

    def predicates(self, *, documents: Numbers | None = None) -> dict[str, int]:
        counts = Counter(fact.predicate for fact in self.find_facts(documents=documents))
        return dict(sorted(counts.items()))

    def numbers_of(
        self, layer: Literal["document", "chunk", "unit", "entity"], ids: Sequence[str]
    ) -> Numbers:
        known: dict[str, int] = getattr(self._index, f"{layer}_ids")
        return np.array([known.get(id_, -1) for id_ in ids], np.int64)

    def list_documents(self, *, documents: Numbers | None = None) -> list[Document]:
        wanted = None if documents is None else set(documents.tolist())
        listed = [
            replace(entry.indexed.document, text="", blocks=())
            for entry in self._entries
            if wanted is None or entry.number in wanted
        ]
        return sorted(listed, key=lambda document: (document.doc_id, document.id))

    def load_document(self, document_id: str) -> IndexedDocument | None:
        entry = self._index.by_document.get(document_id)
        return entry.indexed if entry else None

    def merges(self, *, document_id: str | None = None) -> list[EntityMerge]:
        lines = [
            line
            for entry in self._entries
            if document_id in {None, entry.indexed.document.id}
            for line in entry.indexed.merges
        ]
        return sorted(lines, key=lambda line: (line.document_id, line.id))

    def check(self) -> Iterator[Problem]:
        for entry in self._entries:
            yield from check_document(entry.indexed, self.embedding)
        spoken_of = {
            number
            for entry in self._entries
            for array in (entry.mention_entities, entry.topic_entities)
            for number in array.tolist()
        }
        for number in sorted(spoken_of ^ set(self._entities)):
            yield Problem(
                kind="entity",
                where=str(number),
                message="listed and never spoken of, or spoken of and not listed",
            )


STAT_NAMES = (
    "documents",
    "chunks",
    "knowledge_units",
    "entities",
    "facts",
    "mentions",
    "topics",
    "edges",
)
