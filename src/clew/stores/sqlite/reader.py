"""One consistent state of a SQLite store: a read transaction and the arrays of its generation."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from clew.errors import StoreError
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
from clew.stores.entity_search import EntitySearch
from clew.stores.filters import parse_where
from clew.stores.links import first, keep, ranges
from clew.stores.scoring import TermPostings, best, bm25_of_holders
from clew.stores.sqlite.arrays import GenerationArrays, RowLayer
from clew.stores.sqlite.checks import check_store
from clew.stores.sqlite.documents import RecordLayer, RecordReader
from clew.stores.sqlite.entities import EntityReader
from clew.stores.sqlite.fulltext import find_postings
from clew.stores.sqlite.names_within import SQLiteNamesWithin
from clew.stores.sqlite.segments import Card
from clew.stores.sqlite.whole_documents import WholeDocuments
from clew.stores.within import ReaderWithin

_NO_SCORES = np.empty(0, np.float32)


class SQLiteReader(EntitySearch):
    """:class:`clew.stores.base.GraphReader` for the length of one ``reading()`` block."""

    def __init__(self, connection: sqlite3.Connection, arrays: GenerationArrays) -> None:
        self._connection = connection
        self._arrays = arrays
        self._records = RecordReader(connection)
        self._documents = WholeDocuments(connection)
        self._entities = EntityReader(connection)
        self._scored: dict[Layer, tuple[bytes, Scores]] = {}
        self._kept_postings: dict[Layer, dict[str, TermPostings]] = {"chunk": {}, "unit": {}}
        self._kept_counts: dict[Layer, tuple[Numbers, dict[str, int]]] = {}
        self._kept_names: tuple[Numbers, SQLiteNamesWithin] | None = None

    # --- the store as a whole -------------------------------------------------------------------

    def within(self, documents: Numbers) -> GraphReader:
        everything = np.array_equal(documents, self._arrays.document_numbers)
        return self if everything else ReaderWithin(self, documents)

    @property
    def generation(self) -> int:
        return self._arrays.generation

    @property
    def embedding(self) -> EmbeddingSpace | None:
        return self._arrays.space

    def stats(self, *, documents: Numbers | None = None) -> dict[str, int]:
        cards = self._arrays.cards
        if documents is None:
            entities = self._entities.count()
        else:
            cards = cards[self._arrays.document_flags(documents)]
            entities = len(self._spoken_of(documents))
        totals = cards.sum(axis=0).tolist() if len(cards) else [0] * len(Card)
        return {
            "documents": len(cards),
            "chunks": totals[Card.CHUNKS],
            "knowledge_units": totals[Card.UNITS],
            "entities": entities,
            "facts": totals[Card.FACTS],
            "mentions": totals[Card.MENTIONS],
            "topics": totals[Card.TOPICS],
            "edges": totals[Card.EDGES],
        }

    def select_documents(
        self, *, scope: str | None = None, where: Mapping[str, Any] | None = None
    ) -> Numbers:
        matches = parse_where(where)
        if where is not None:
            kept = self._arrays.described
            if scope not in kept:
                kept[scope] = self._records.described(scope)
            return np.array([number for number, item in kept[scope] if matches(item)], np.int64)
        if scope is not None:
            return self._records.in_scope(scope)
        return self._arrays.document_numbers.copy()

    # --- search ---------------------------------------------------------------------------------

    def search_vectors(
        self, layer: Layer, query: Scores, k: int, *, documents: Numbers | None = None
    ) -> Ranking:
        rows = self._arrays.layer(layer)
        if self.embedding is None:
            return best(np.empty(0, np.int64), _NO_SCORES, k)
        query = self._checked(query)
        allowed = None if documents is None else self._arrays.allowed(rows, documents)
        if not rows.is_scanned:
            return rows.nearest(query, k, allowed)
        scores = self._scores(layer, query)
        if allowed is None:
            return best(rows.numbers, scores, k)
        return best(rows.numbers[allowed], scores[allowed], k)

    def score_vectors(self, layer: Layer, query: Scores, numbers: Numbers) -> Scores:
        rows = self._arrays.layer(layer)
        wanted = rows.rows(numbers)
        if self.embedding is None:
            return np.zeros(len(wanted), np.float32)
        query = self._checked(query)
        if self._is_scored(layer, query) or len(wanted) * _SCAN_SHARE > len(rows.numbers):
            return self._scores(layer, query)[wanted]
        return rows.vectors_of(wanted) @ query

    def vectors(self, layer: Layer, numbers: Numbers) -> Scores:
        rows = self._arrays.layer(layer)
        wanted = rows.rows(numbers)
        if self.embedding is None:
            return np.zeros((len(wanted), 0), np.float32)
        return rows.vectors_of(wanted)

    def _checked(self, query: Scores) -> Scores:
        query = np.ascontiguousarray(query, np.float32)
        assert self.embedding is not None
        if query.shape != (self.embedding.dimensions,):
            raise StoreError(
                f"a query of shape {query.shape} for vectors of {self.embedding.dimensions} "
                f"dimensions ({self.embedding.fingerprint})"
            )
        return query

    def _is_scored(self, layer: Layer, query: Scores) -> bool:
        return layer in self._scored and self._scored[layer][0] == query.tobytes()

    def _scores(self, layer: Layer, query: Scores) -> Scores:
        """All scores of the layer; those of the last query are kept, since hops ask again."""
        if not self._is_scored(layer, query):
            scores = self._arrays.layer(layer).scores(query)
            self._scored[layer] = (query.tobytes(), scores)
        return self._scored[layer][1]

    def search_text(
        self,
        layer: Layer,
        terms: Sequence[str],
        k: int,
        *,
        documents: Numbers | None = None,
        population: Numbers | None = None,
    ) -> Ranking:
        rows = self._arrays.layer(layer)
        unique = list(dict.fromkeys(terms))
        flags = None if documents is None else self._arrays.document_flags(documents)
        counted = slice(None) if population is None else self._arrays.document_flags(population)
        found, scores = bm25_of_holders(
            self._postings(layer, unique),
            rows.lengths,
            int(rows.document_counts[counted].sum()),
            int(rows.document_lengths[counted].sum()),
            allowed=None if flags is None else lambda held: flags[rows.document_rows[held]],
            holding=self.document_frequencies(layer, unique, documents=population).tolist(),
        )
        return best(rows.numbers[found], scores, k)

    def document_frequencies(
        self, layer: Layer, terms: Sequence[str], *, documents: Numbers | None = None
    ) -> Numbers:
        unique = list(dict.fromkeys(terms))
        postings = self._postings(layer, unique)
        counts = {term: len(found.rows) for term, found in zip(unique, postings, strict=True)}
        if documents is not None:
            kept = self._counts_within(layer, documents)
            flags = self._arrays.document_flags(documents)
            owners = self._arrays.layer(layer).document_rows
            for term, found in zip(unique, postings, strict=True):
                if term not in kept:
                    kept[term] = int(np.count_nonzero(flags[owners[found.rows]]))
            counts = kept
        return np.array([counts[term] for term in terms], np.int64)

    def _counts_within(self, layer: Layer, documents: Numbers) -> dict[str, int]:
        """How many records of the last documents hold a term: each search of a word asks."""
        kept = self._kept_counts.get(layer)
        if kept is None or kept[0] is not documents:
            kept = self._kept_counts[layer] = documents, {}
        return kept[1]

    def _postings(self, layer: Layer, terms: Sequence[str]) -> list[TermPostings]:
        """Those of each term, kept: a search asks how frequent a word is, then where it is."""
        kept = self._kept_postings[layer]
        missing = [term for term in terms if term not in kept]
        if missing:
            found = find_postings(self._connection, self._arrays, layer, missing)
            kept.update(zip(missing, found, strict=True))
        return [kept[term] for term in terms]

    # --- links ----------------------------------------------------------------------------------

    def documents_of_chunks(self, chunks: Numbers) -> Numbers:
        layer = self._arrays.chunks
        return self._arrays.document_numbers[layer.document_rows[layer.rows(chunks)]]

    def chunks_of_units(self, units: Numbers) -> Numbers:
        return self._arrays.unit_chunks[self._arrays.units.rows(units)]

    def units_of_chunks(self, chunks: Numbers) -> Links:
        self._arrays.chunks.rows(chunks)
        return self._arrays.chunk_units.of(np.asarray(chunks, np.int64))

    def entities_of_units(self, units: Numbers) -> Links:
        return self._arrays.entities_of_units(self._arrays.units.rows(units))

    def units_of_entities(
        self, entities: Numbers, *, documents: Numbers | None = None, limit: int | None = None
    ) -> Links:
        known = self._known(entities)
        if limit is None:
            return self._living_units(known, documents)
        if documents is not None or self._arrays.has_dead:
            return first(self._living_units(known, documents), limit)
        return first(self._arrays.units_of_entities(known, limit), limit)

    def topics_of_chunks(self, chunks: Numbers) -> Links:
        self._arrays.chunks.rows(chunks)
        return self._arrays.chunk_topics.of(np.asarray(chunks, np.int64))

    def chunks_about(self, entities: Numbers, *, documents: Numbers | None = None) -> Links:
        links = self._arrays.chunks_about.of(self._known(entities))
        return self._within(links, self._arrays.chunks, documents)

    def entity_frequencies(self, entities: Numbers, *, documents: Numbers | None = None) -> Numbers:
        if documents is not None:
            return self._count_chunks(self._known(entities), documents)
        counts = self._arrays.frequencies
        wanted = np.asarray(entities, np.int64).tolist()
        missing = [entity for entity in dict.fromkeys(wanted) if entity not in counts]
        if missing:
            numbers = self._known(np.array(missing, np.int64))
            counts.update(zip(missing, self._count_chunks(numbers, None).tolist(), strict=True))
        return np.array([counts[entity] for entity in wanted], np.int64)

    def _count_chunks(self, entities: Numbers, documents: Numbers | None) -> Numbers:
        links = self._living_units(entities, documents)
        chunks = self.chunks_of_units(links.targets)
        askers = np.repeat(np.arange(len(links.indptr) - 1), np.diff(links.indptr))
        span = int(chunks.max(initial=0)) + 1
        pairs = askers * span + chunks
        if (pairs[1:] < pairs[:-1]).any():  # rarely: units are numbered chunk by chunk
            pairs.sort()
        fresh = np.ones(len(pairs), bool)
        fresh[1:] = pairs[1:] != pairs[:-1]
        return np.bincount(pairs[fresh] // span, minlength=len(links.indptr) - 1).astype(np.int64)

    @property
    def _finder(self) -> EntityReader:
        return self._entities

    def _names_within(self, documents: Numbers) -> SQLiteNamesWithin:
        kept = self._kept_names
        if kept is None or kept[0] is not documents:

            def speaking(entities: Numbers, of: Numbers | None) -> tuple[Links, Links]:
                about = self._arrays.chunks_about.of(entities)
                return (
                    self._living_units(entities, of),
                    self._within(about, self._arrays.chunks, of),
                )

            names = SQLiteNamesWithin(self._connection, self._arrays, documents, speaking)
            kept = self._kept_names = documents, names
        return kept[1]

    def _known(self, entities: Numbers) -> Numbers:
        entities = np.asarray(entities, np.int64)
        self._entities.require(entities)
        return entities

    def _living_units(self, entities: Numbers, documents: Numbers | None) -> Links:
        links = self._arrays.units_of_entities(entities)
        if self._arrays.has_dead:
            _, alive = self._arrays.units.find(links.targets)
            links = keep(links, alive)
        return self._within(links, self._arrays.units, documents)

    def _within(self, links: Links, layer: RowLayer, documents: Numbers | None) -> Links:
        if documents is None:
            return links
        flags = self._arrays.document_flags(documents)
        return keep(links, flags[layer.document_rows[layer.rows(links.targets)]])

    def _spoken_of(self, documents: Numbers) -> Numbers:
        """The entities that ``documents`` mention or are about."""
        cards = self._arrays.cards[self._arrays.document_flags(documents)]
        units = ranges(cards[:, Card.FIRST_UNIT], cards[:, Card.UNITS])
        chunks = ranges(cards[:, Card.FIRST_CHUNK], cards[:, Card.CHUNKS])
        mentioned = self.entities_of_units(units).targets
        return np.unique(np.concatenate((mentioned, self.topics_of_chunks(chunks).targets)))

    # --- records --------------------------------------------------------------------------------

    def get_documents(self, numbers: Numbers) -> list[Document]:
        return self._records.documents(numbers)

    def get_chunks(self, numbers: Numbers) -> list[Chunk]:
        return self._records.chunks(numbers)

    def get_units(self, numbers: Numbers) -> list[KnowledgeUnit]:
        return self._records.units(numbers)

    def get_entities(self, numbers: Numbers, *, documents: Numbers | None = None) -> list[Entity]:
        if documents is None:
            return self._entities.get(numbers)
        return self._names_within(documents).get(self._known(numbers))

    def facts_of_units(self, units: Numbers) -> list[list[Fact]]:
        self._arrays.units.rows(units)
        return self._records.facts_of_units(units)

    def find_facts(
        self,
        *,
        keys: Sequence[str] | None = None,
        predicates: Sequence[str] | None = None,
        documents: Numbers | None = None,
    ) -> Iterator[Fact]:
        return self._records.find_facts(keys, predicates, documents)

    def predicates(self, *, documents: Numbers | None = None) -> dict[str, int]:
        return self._records.predicates(documents)

    def numbers_of(self, layer: RecordLayer, ids: Sequence[str]) -> Numbers:
        return self._records.numbers(layer, ids)

    def list_documents(self, *, documents: Numbers | None = None) -> list[Document]:
        listed = [document for _, document in self._records.cards(documents)]
        return sorted(listed, key=lambda document: (document.doc_id, document.id))

    def load_document(self, document_id: str) -> IndexedDocument | None:
        found = self._documents.indexed(document_id)
        if found is None:
            return None
        line, indexed = found
        if self.embedding is None:
            return indexed
        return replace(
            indexed,
            chunk_vectors=self.vectors("chunk", line.numbers("chunks")),
            unit_vectors=self.vectors("unit", line.numbers("units")),
        )

    def merges(self, *, document_id: str | None = None) -> list[EntityMerge]:
        return self._records.merges(document_id)

    def check(self) -> Iterator[Problem]:
        return check_store(self._connection, self._arrays, self)


_SCAN_SHARE = 4
"""Scanning all rows is cheaper than gathering more than one in so many of them."""
