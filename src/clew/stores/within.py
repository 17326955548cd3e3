"""A store seen as if it held only some of its documents: what scopes and filters rest on.

Every read is restricted in one place, so a step of a search or of an answer cannot forget to: what
is put to this reader knows nothing of other documents, neither their records nor their words, their
number, or what they call the things that both speak of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

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

RecordLayer = Literal["document", "chunk", "unit", "entity"]


class ReaderWithin:
    """:class:`clew.stores.base.GraphReader` of ``documents`` (sorted numbers) alone.

    A further ``documents`` in a call narrows it. Numbers come from the reader itself, so links are
    followed as they are; records are looked at before they are handed out.
    """

    def __init__(self, reader: GraphReader, documents: Numbers) -> None:
        self._reader = reader
        self._documents = documents

    # --- the store as a whole -------------------------------------------------------------------

    @property
    def generation(self) -> int:
        return self._reader.generation

    @property
    def embedding(self) -> EmbeddingSpace | None:
        return self._reader.embedding

    def within(self, documents: Numbers) -> GraphReader:
        return ReaderWithin(self._reader, self._only(documents))

    def stats(self, *, documents: Numbers | None = None) -> dict[str, int]:
        return self._reader.stats(documents=self._only(documents))

    def select_documents(
        self, *, scope: str | None = None, where: Mapping[str, Any] | None = None
    ) -> Numbers:
        return self._only(self._reader.select_documents(scope=scope, where=where))

    # --- search ---------------------------------------------------------------------------------

    def search_vectors(
        self, layer: Layer, query: Scores, k: int, *, documents: Numbers | None = None
    ) -> Ranking:
        return self._reader.search_vectors(layer, query, k, documents=self._only(documents))

    def score_vectors(self, layer: Layer, query: Scores, numbers: Numbers) -> Scores:
        return self._reader.score_vectors(layer, query, numbers)

    def vectors(self, layer: Layer, numbers: Numbers) -> Scores:
        return self._reader.vectors(layer, numbers)

    def search_text(
        self,
        layer: Layer,
        terms: Sequence[str],
        k: int,
        *,
        documents: Numbers | None = None,
        population: Numbers | None = None,
    ) -> Ranking:
        return self._reader.search_text(
            layer, terms, k, documents=self._only(documents), population=self._only(population)
        )

    def document_frequencies(
        self, layer: Layer, terms: Sequence[str], *, documents: Numbers | None = None
    ) -> Numbers:
        return self._reader.document_frequencies(layer, terms, documents=self._only(documents))

    # --- links ----------------------------------------------------------------------------------

    def documents_of_chunks(self, chunks: Numbers) -> Numbers:
        return self._reader.documents_of_chunks(chunks)

    def chunks_of_units(self, units: Numbers) -> Numbers:
        return self._reader.chunks_of_units(units)

    def units_of_chunks(self, chunks: Numbers) -> Links:
        return self._reader.units_of_chunks(chunks)

    def entities_of_units(self, units: Numbers) -> Links:
        return self._reader.entities_of_units(units)

    def units_of_entities(
        self, entities: Numbers, *, documents: Numbers | None = None, limit: int | None = None
    ) -> Links:
        documents = self._only(documents)
        return self._reader.units_of_entities(entities, documents=documents, limit=limit)

    def topics_of_chunks(self, chunks: Numbers) -> Links:
        return self._reader.topics_of_chunks(chunks)

    def chunks_about(self, entities: Numbers, *, documents: Numbers | None = None) -> Links:
        return self._reader.chunks_about(entities, documents=self._only(documents))

    def entity_frequencies(self, entities: Numbers, *, documents: Numbers | None = None) -> Numbers:
        return self._reader.entity_frequencies(entities, documents=self._only(documents))

    def find_entities(self, keys: Sequence[str], *, documents: Numbers | None = None) -> Links:
        return self._reader.find_entities(keys, documents=self._only(documents))

    def similar_entities(
        self, key: str, *, threshold: float, k: int, documents: Numbers | None = None
    ) -> Ranking:
        documents = self._only(documents)
        return self._reader.similar_entities(key, threshold=threshold, k=k, documents=documents)

    def entities_holding(self, phrase: str, *, k: int, documents: Numbers | None = None) -> Ranking:
        return self._reader.entities_holding(phrase, k=k, documents=self._only(documents))

    def entities_abbreviated(
        self, letters: str, *, k: int, documents: Numbers | None = None
    ) -> Numbers:
        return self._reader.entities_abbreviated(letters, k=k, documents=self._only(documents))

    def entity_names(self, prefix: str, *, k: int, documents: Numbers | None = None) -> list[str]:
        return self._reader.entity_names(prefix, k=k, documents=self._only(documents))

    # --- records --------------------------------------------------------------------------------

    def get_documents(self, numbers: Numbers) -> list[Document]:
        self._require("document", numbers)
        return self._reader.get_documents(numbers)

    def get_chunks(self, numbers: Numbers) -> list[Chunk]:
        self._require("chunk", numbers)
        return self._reader.get_chunks(numbers)

    def get_units(self, numbers: Numbers) -> list[KnowledgeUnit]:
        self._require("unit", numbers)
        return self._reader.get_units(numbers)

    def get_entities(self, numbers: Numbers, *, documents: Numbers | None = None) -> list[Entity]:
        return self._reader.get_entities(numbers, documents=self._only(documents))

    def facts_of_units(self, units: Numbers) -> list[list[Fact]]:
        self._require("unit", units)
        return self._reader.facts_of_units(units)

    def find_facts(
        self,
        *,
        keys: Sequence[str] | None = None,
        predicates: Sequence[str] | None = None,
        documents: Numbers | None = None,
    ) -> Iterator[Fact]:
        return self._reader.find_facts(
            keys=keys, predicates=predicates, documents=self._only(documents)
        )

    def predicates(self, *, documents: Numbers | None = None) -> dict[str, int]:
        return self._reader.predicates(documents=self._only(documents))

    def numbers_of(self, layer: RecordLayer, ids: Sequence[str]) -> Numbers:
        numbers = self._reader.numbers_of(layer, ids)
        known = np.flatnonzero(numbers >= 0)
        hidden = known[~self._seen(layer, numbers[known])]
        numbers[hidden] = -1
        return numbers

    def list_documents(self, *, documents: Numbers | None = None) -> list[Document]:
        return self._reader.list_documents(documents=self._only(documents))

    def load_document(self, document_id: str) -> IndexedDocument | None:
        (number,) = self.numbers_of("document", [document_id])
        return None if number < 0 else self._reader.load_document(document_id)

    def merges(self, *, document_id: str | None = None) -> list[EntityMerge]:
        lines = self._reader.merges(document_id=document_id)
        ids = sorted({line.document_id for line in lines})
        seen = dict(zip(ids, (self.numbers_of("document", ids) >= 0).tolist(), strict=True))
        return [line for line in lines if seen[line.document_id]]

    def check(self) -> Iterator[Problem]:
        """What is wrong with the documents themselves, not with the arrays around them."""
        for document in self.list_documents():
            indexed = self.load_document(document.id)
            if indexed is not None:
                yield from check_document(indexed, self.embedding)

    # --- how ------------------------------------------------------------------------------------

    def _only(self, documents: Numbers | None) -> Numbers:
        """Those of ``documents`` that can be seen. The array itself, where it is the one: stores
        keep what they found out about the last.
        """
        if documents is None or documents is self._documents:
            return self._documents
        documents = np.asarray(documents, np.int64)
        return documents[self._contains(documents)]

    def _contains(self, documents: Numbers) -> NDArray[np.bool_]:
        if not len(self._documents):
            return np.zeros(len(documents), bool)
        at = np.minimum(np.searchsorted(self._documents, documents), len(self._documents) - 1)
        found: NDArray[np.bool_] = self._documents[at] == documents
        return found

    def _seen(self, layer: RecordLayer, numbers: Numbers) -> NDArray[np.bool_]:
        """One flag per record: is it of a document that can be seen, or spoken of by one?"""
        if layer == "entity":
            units = self._reader.units_of_entities(numbers, documents=self._documents, limit=1)
            about = self._reader.chunks_about(numbers, documents=self._documents)
            return (np.diff(units.indptr) + np.diff(about.indptr)) > 0
        if layer == "unit":
            numbers = self._reader.chunks_of_units(numbers)
        if layer != "document":
            numbers = self._reader.documents_of_chunks(numbers)
        return self._contains(numbers)

    def _require(self, layer: RecordLayer, numbers: Numbers) -> None:
        numbers = np.asarray(numbers, np.int64)
        hidden = numbers[~self._seen(layer, numbers)]
        if len(hidden):
            raise NotFoundError(f"no {layer} with the number {hidden[0]} in this generation")
