"""One consistent state of a PostgreSQL store: a read transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

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
from clew.stores.postgres.checks import check_store
from clew.stores.postgres.connections import Session
from clew.stores.postgres.entities import EntityReader
from clew.stores.postgres.fulltext import FullText
from clew.stores.postgres.kept import KeptAnswers
from clew.stores.postgres.links import LinkReader
from clew.stores.postgres.names_within import PostgresNamesWithin
from clew.stores.postgres.records import RecordLayer, RecordReader
from clew.stores.postgres.selection import select_documents
from clew.stores.postgres.state import State, Totals
from clew.stores.postgres.vectors import VectorReader
from clew.stores.within import ReaderWithin


class PostgresReader(EntitySearch):
    """:class:`clew.stores.base.GraphReader` for the length of one ``reading()`` block."""

    def __init__(
        self, session: Session, state: State, kept: KeptAnswers, *, exact_up_to: int
    ) -> None:
        self._session = session
        self._state = state
        self._kept = kept
        self._records = RecordReader(session)
        self._entities = EntityReader(session)
        self._links = LinkReader(session)
        self._texts = FullText(session)
        self._vectors = VectorReader(session, state, exact_up_to)
        self._kept_lengths: tuple[Numbers, dict[Layer, tuple[int, int]]] | None = None
        self._kept_names: tuple[Numbers, PostgresNamesWithin] | None = None

    # --- the store as a whole -------------------------------------------------------------------

    @property
    def generation(self) -> int:
        return self._state.generation

    @property
    def embedding(self) -> EmbeddingSpace | None:
        return self._state.embedding

    def within(self, documents: Numbers) -> GraphReader:
        everything = (
            len(documents) == self._state.documents
            and self._records.count_documents(documents) == self._state.documents
        )
        return self if everything else ReaderWithin(self, documents)

    def stats(self, *, documents: Numbers | None = None) -> dict[str, int]:
        totals: Totals = self._state if documents is None else self._records.totals(documents)
        return {
            "documents": totals.documents,
            "chunks": totals.chunks,
            "knowledge_units": totals.units,
            "entities": totals.entities,
            "facts": totals.facts,
            "mentions": totals.mentions,
            "topics": totals.topics,
            "edges": totals.edges,
        }

    def select_documents(
        self, *, scope: str | None = None, where: Mapping[str, Any] | None = None
    ) -> Numbers:
        numbers = self._kept.selection(scope, where)
        if numbers is None:
            numbers = select_documents(self._session, scope, where)
            self._kept.keep_selection(scope, where, numbers)
        return numbers

    # --- search ---------------------------------------------------------------------------------

    def search_vectors(
        self, layer: Layer, query: Scores, k: int, *, documents: Numbers | None = None
    ) -> Ranking:
        return self._vectors.search(layer, query, k, documents)

    def score_vectors(self, layer: Layer, query: Scores, numbers: Numbers) -> Scores:
        return self._vectors.scores(layer, query, numbers)

    def vectors(self, layer: Layer, numbers: Numbers) -> Scores:
        return self._vectors.vectors(layer, numbers)

    def search_text(
        self,
        layer: Layer,
        terms: Sequence[str],
        k: int,
        *,
        documents: Numbers | None = None,
        population: Numbers | None = None,
    ) -> Ranking:
        records, total_length = self._lengths(population)[layer]
        return self._texts.search(
            layer,
            terms,
            k,
            documents=documents,
            population=population,
            records=records,
            total_length=total_length,
        )

    def _lengths(self, population: Numbers | None) -> dict[Layer, tuple[int, int]]:
        """Per layer the records and the length of all their texts; those of the last population
        are kept, since each part of a search asks.
        """
        if population is None:
            state = self._state
            return {
                "chunk": (state.chunks, state.chunk_terms),
                "unit": (state.units, state.unit_terms),
            }
        kept = self._kept_lengths
        if kept is None or kept[0] is not population:
            kept = self._kept_lengths = population, self._records.lengths(population)
        return kept[1]

    def document_frequencies(
        self, layer: Layer, terms: Sequence[str], *, documents: Numbers | None = None
    ) -> Numbers:
        return self._texts.frequencies(layer, terms, documents)

    # --- links ----------------------------------------------------------------------------------

    def documents_of_chunks(self, chunks: Numbers) -> Numbers:
        return self._links.owners("documents_of_chunks", chunks, "chunk")

    def chunks_of_units(self, units: Numbers) -> Numbers:
        return self._links.owners("chunks_of_units", units, "unit")

    def units_of_chunks(self, chunks: Numbers) -> Links:
        return self._links.hop("units_of_chunks", chunks)

    def entities_of_units(self, units: Numbers) -> Links:
        return self._links.hop("entities_of_units", units)

    def units_of_entities(
        self, entities: Numbers, *, documents: Numbers | None = None, limit: int | None = None
    ) -> Links:
        most = None if limit is None else max(limit, 0)
        return self._links.hop("units_of_entities", entities, documents=documents, most=most)

    def topics_of_chunks(self, chunks: Numbers) -> Links:
        return self._links.hop("topics_of_chunks", chunks)

    def chunks_about(self, entities: Numbers, *, documents: Numbers | None = None) -> Links:
        return self._links.hop("chunks_about", entities, documents=documents)

    def entity_frequencies(self, entities: Numbers, *, documents: Numbers | None = None) -> Numbers:
        if documents is not None:
            return self._links.frequencies(entities, documents)
        counts = self._kept.frequencies
        wanted = np.asarray(entities, np.int64).tolist()
        missing = [entity for entity in dict.fromkeys(wanted) if entity not in counts]
        found = self._links.frequencies(np.array(missing, np.int64), None)
        counts.update(zip(missing, found.tolist(), strict=True))
        return np.array([counts[entity] for entity in wanted], np.int64)

    @property
    def _finder(self) -> EntityReader:
        return self._entities

    def _names_within(self, documents: Numbers) -> PostgresNamesWithin:
        kept = self._kept_names
        if kept is None or kept[0] is not documents:
            names = PostgresNamesWithin(self._session, documents)
            kept = self._kept_names = documents, names
        return kept[1]

    # --- records --------------------------------------------------------------------------------

    def get_documents(self, numbers: Numbers) -> list[Document]:
        return self._records.documents(numbers)

    def get_chunks(self, numbers: Numbers) -> list[Chunk]:
        return self._records.chunks(numbers)

    def get_units(self, numbers: Numbers) -> list[KnowledgeUnit]:
        return self._records.units(numbers)

    def get_entities(self, numbers: Numbers, *, documents: Numbers | None = None) -> list[Entity]:
        if documents is not None:
            return self._names_within(documents).get(numbers)
        return self._entities.get(numbers)

    def facts_of_units(self, units: Numbers) -> list[list[Fact]]:
        self._links.owners("chunks_of_units", units, "unit")
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
        listed = self._records.cards(documents)
        return sorted(listed, key=lambda document: (document.doc_id, document.id))

    def load_document(self, document_id: str) -> IndexedDocument | None:
        found = self._records.indexed(document_id)
        return None if found is None else self._vectors.with_vectors(found)

    def merges(self, *, document_id: str | None = None) -> list[EntityMerge]:
        return self._records.merges(document_id)

    def check(self) -> Iterator[Problem]:
        return check_store(self._session, self._state, self)
