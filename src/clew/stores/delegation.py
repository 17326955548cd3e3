"""Reading a store directly: each call is a ``reading()`` block of its own.

Every store writes its reads once, on the reader that ``reading()`` gives; this base class makes
the same methods callable on the store itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal

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
from clew.stores.within import ReaderWithin


class DirectReads(ABC):
    """:class:`clew.stores.base.GraphReader`, given ``reading()``."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[GraphReader]: ...

    @property
    def generation(self) -> int:
        with self.reading() as reader:
            return reader.generation

    @property
    def embedding(self) -> EmbeddingSpace | None:
        with self.reading() as reader:
            return reader.embedding

    def within(self, documents: Numbers) -> GraphReader:
        return ReaderWithin(self, documents)

    def stats(self, *, documents: Numbers | None = None) -> dict[str, int]:
        with self.reading() as reader:
            return reader.stats(documents=documents)

    def select_documents(
        self, *, scope: str | None = None, where: Mapping[str, Any] | None = None
    ) -> Numbers:
        with self.reading() as reader:
            return reader.select_documents(scope=scope, where=where)

    def search_vectors(
        self, layer: Layer, query: Scores, k: int, *, documents: Numbers | None = None
    ) -> Ranking:
        with self.reading() as reader:
            return reader.search_vectors(layer, query, k, documents=documents)

    def score_vectors(self, layer: Layer, query: Scores, numbers: Numbers) -> Scores:
        with self.reading() as reader:
            return reader.score_vectors(layer, query, numbers)

    def vectors(self, layer: Layer, numbers: Numbers) -> Scores:
        with self.reading() as reader:
            return reader.vectors(layer, numbers)

    def search_text(
        self,
        layer: Layer,
        terms: Sequence[str],
        k: int,
        *,
        documents: Numbers | None = None,
        population: Numbers | None = None,
    ) -> Ranking:
        with self.reading() as reader:
            return reader.search_text(layer, terms, k, documents=documents, population=population)

    def document_frequencies(
        self, layer: Layer, terms: Sequence[str], *, documents: Numbers | None = None
    ) -> Numbers:
        with self.reading() as reader:
            return reader.document_frequencies(layer, terms, documents=documents)

    def documents_of_chunks(self, chunks: Numbers) -> Numbers:
        with self.reading() as reader:
            return reader.documents_of_chunks(chunks)

    def chunks_of_units(self, units: Numbers) -> Numbers:
        with self.reading() as reader:
            return reader.chunks_of_units(units)

    def units_of_chunks(self, chunks: Numbers) -> Links:
        with self.reading() as reader:
            return reader.units_of_chunks(chunks)

    def entities_of_units(self, units: Numbers) -> Links:
        with self.reading() as reader:
            return reader.entities_of_units(units)

    def units_of_entities(
        self, entities: Numbers, *, documents: Numbers | None = None, limit: int | None = None
    ) -> Links:
        with self.reading() as reader:
            return reader.units_of_entities(entities, documents=documents, limit=limit)

    def topics_of_chunks(self, chunks: Numbers) -> Links:
        with self.reading() as reader:
            return reader.topics_of_chunks(chunks)

    def chunks_about(self, entities: Numbers, *, documents: Numbers | None = None) -> Links:
        with self.reading() as reader:
            return reader.chunks_about(entities, documents=documents)

    def entity_frequencies(self, entities: Numbers, *, documents: Numbers | None = None) -> Numbers:
        with self.reading() as reader:
            return reader.entity_frequencies(entities, documents=documents)

    def find_entities(self, keys: Sequence[str], *, documents: Numbers | None = None) -> Links:
        with self.reading() as reader:
            return reader.find_entities(keys, documents=documents)

    def similar_entities(
        self, key: str, *, threshold: float, k: int, documents: Numbers | None = None
    ) -> Ranking:
        with self.reading() as reader:
            return reader.similar_entities(key, threshold=threshold, k=k, documents=documents)

    def entities_holding(self, phrase: str, *, k: int, documents: Numbers | None = None) -> Ranking:
        with self.reading() as reader:
            return reader.entities_holding(phrase, k=k, documents=documents)

    def entities_abbreviated(
        self, letters: str, *, k: int, documents: Numbers | None = None
    ) -> Numbers:
        with self.reading() as reader:
            return reader.entities_abbreviated(letters, k=k, documents=documents)

    def entity_names(self, prefix: str, *, k: int, documents: Numbers | None = None) -> list[str]:
        with self.reading() as reader:
            return reader.entity_names(prefix, k=k, documents=documents)

    def get_documents(self, numbers: Numbers) -> list[Document]:
        with self.reading() as reader:
            return reader.get_documents(numbers)

    def get_chunks(self, numbers: Numbers) -> list[Chunk]:
        with self.reading() as reader:
            return reader.get_chunks(numbers)

    def get_units(self, numbers: Numbers) -> list[KnowledgeUnit]:
        with self.reading() as reader:
            return reader.get_units(numbers)

    def get_entities(self, numbers: Numbers, *, documents: Numbers | None = None) -> list[Entity]:
        with self.reading() as reader:
            return reader.get_entities(numbers, documents=documents)

    def facts_of_units(self, units: Numbers) -> list[list[Fact]]:
        with self.reading() as reader:
            return reader.facts_of_units(units)

    def find_facts(
        self,
        *,
        keys: Sequence[str] | None = None,
        predicates: Sequence[str] | None = None,
        documents: Numbers | None = None,
    ) -> Iterator[Fact]:
        with self.reading() as reader:
            yield from reader.find_facts(keys=keys, predicates=predicates, documents=documents)

    def predicates(self, *, documents: Numbers | None = None) -> dict[str, int]:
        with self.reading() as reader:
            return reader.predicates(documents=documents)

    def numbers_of(
        self, layer: Literal["document", "chunk", "unit", "entity"], ids: Sequence[str]
    ) -> Numbers:
        with self.reading() as reader:
            return reader.numbers_of(layer, ids)

    def list_documents(self, *, documents: Numbers | None = None) -> list[Document]:
        with self.reading() as reader:
            return reader.list_documents(documents=documents)

    def load_document(self, document_id: str) -> IndexedDocument | None:
        with self.reading() as reader:
            return reader.load_document(document_id)

    def merges(self, *, document_id: str | None = None) -> list[EntityMerge]:
        with self.reading() as reader:
            return reader.merges(document_id=document_id)

    def check(self) -> Iterator[Problem]:
        with self.reading() as reader:
            yield from reader.check()
