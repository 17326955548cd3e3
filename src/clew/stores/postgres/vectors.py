"""Vectors: searched exactly, and above a size by an index whose finds are scored exactly.

The index is HNSW (Malkov and Yashunin 2016) over half-precision copies, as pgvector builds it; it
takes half the room. What it finds is only where to look: several times more than asked for, scored
again with the vectors themselves. Below :data:`EXACT_UP_TO` records, and wherever a filter leaves
fewer, all are scored, so that nothing can be missed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

import numpy as np

from clew.errors import NotFoundError, StoreCorruptError, StoreError
from clew.records import IndexedDocument
from clew.stores.base import Layer, Numbers, Ranking, Scores
from clew.stores.postgres.adapting import copy_of_vectors, vector_text, vectors_from_rows
from clew.stores.postgres.connections import Session
from clew.stores.postgres.records import Found
from clew.stores.postgres.state import State
from clew.stores.postgres.statements import Statements

EXACT_UP_TO = 50_000
"""Records of a layer that are all scored; beyond it the index is asked first."""

_SQL = Statements("search")
_COPYING = Statements("copying")
_MOST_DIMENSIONS = 16_000
_MOST_INDEXED_DIMENSIONS = 4_000
_WIDER = 4
_LEAST_WIDE = 200
_MOST_EF_SEARCH = 1000
_NO_SCORES = np.empty(0, np.float32)


def index_name(layer: Layer, space: int) -> str:
    return f"{layer}_vectors_near_{space}"


class VectorReader:
    """Searches vectors on one connection, inside the transaction that it is in."""

    def __init__(self, session: Session, state: State, exact_up_to: int) -> None:
        self._session = session
        self._state = state
        self._exact_up_to = exact_up_to
        self._indexed: dict[Layer, bool] = {}

    def search(self, layer: Layer, query: Scores, k: int, documents: Numbers | None) -> Ranking:
        if self._state.dimensions is None or k <= 0:
            return Ranking(np.empty(0, np.int64), _NO_SCORES)
        asked = {"query": vector_text(self._checked(query)), "documents": documents, "k": k}
        if self._is_large(layer, documents) and self._is_indexed(layer):
            statement, asked["wide"] = self._approximate(layer, k)
        else:
            statement = _SQL.named("exact", layer=layer, space=self._state.space)
        numbers, scores = self._session.row(statement, asked)
        if numbers is None:
            return Ranking(np.empty(0, np.int64), _NO_SCORES)
        return Ranking(numbers, scores)

    def _approximate(self, layer: Layer, k: int) -> tuple[str, int]:
        """The statement, and how many the index is asked for; it is told to look that far."""
        wide = max(_WIDER * k, _LEAST_WIDE)
        self._session.run(
            f"SET LOCAL hnsw.ef_search = {min(wide, _MOST_EF_SEARCH)}; "
            "SET LOCAL hnsw.iterative_scan = relaxed_order"
        )
        dimensions = self._state.dimensions or 0
        places = {"layer": layer, "space": self._state.space, "dimensions": dimensions}
        return _SQL.named("approximate", **places), wide

    def _is_large(self, layer: Layer, documents: Numbers | None) -> bool:
        """Whether there is more to score than is scored one by one, as far as is known: documents
        are taken for equally long.
        """
        records = self._state.chunks if layer == "chunk" else self._state.units
        if documents is not None:
            records = records * len(documents) // max(self._state.documents, 1)
        return records > self._exact_up_to

    def _is_indexed(self, layer: Layer) -> bool:
        if layer not in self._indexed:
            name = {"name": index_name(layer, self._state.space)}
            found = self._session.one(_SQL["valid_index"], name)
            self._indexed[layer] = found is not None and bool(found[0])
        return self._indexed[layer]

    def scores(self, layer: Layer, query: Scores, numbers: Numbers) -> Scores:
        numbers = np.asarray(numbers, np.int64)
        if self._state.dimensions is None:
            self._require(layer, numbers)
            return np.zeros(len(numbers), np.float32)
        query = self._checked(query)
        if not len(numbers):
            return _NO_SCORES
        statement = _SQL.named("scores", layer=layer, space=self._state.space)
        asked = {"query": vector_text(query), "numbers": numbers}
        scores, there = self._session.row(statement, asked)
        if there < len(numbers):
            self._lacking(layer, numbers)
        found: Scores = scores
        return found

    def vectors(self, layer: Layer, numbers: Numbers) -> Scores:
        numbers = np.asarray(numbers, np.int64)
        if self._state.dimensions is None:
            self._require(layer, numbers)
            return np.zeros((len(numbers), 0), np.float32)
        statement = _SQL.named("vectors", layer=layer, space=self._state.space)
        found = dict(self._session.rows(statement, {"numbers": numbers}))
        if any(number not in found for number in numbers.tolist()):
            self._lacking(layer, numbers)
        rows = [found[number] for number in numbers.tolist()]
        return vectors_from_rows(rows, self._state.dimensions)

    def with_vectors(self, found: Found) -> IndexedDocument:
        """The document with the vectors of its chunks and units, if there are any."""
        if self._state.embedding is None:
            return found.indexed
        return replace(
            found.indexed,
            chunk_vectors=self.vectors("chunk", found.chunks),
            unit_vectors=self.vectors("unit", found.units),
        )

    def _lacking(self, layer: Layer, numbers: Numbers) -> NoReturn:
        """Say why some of ``numbers`` have no vector: they are none, or theirs are lost."""
        self._require(layer, numbers)
        raise StoreCorruptError(
            f"vectors of {layer}s are lost: `clew check` tells how many, `clew reembed` makes them"
        )

    def _require(self, layer: Layer, numbers: Numbers) -> None:
        (missing,) = self._session.row(_SQL.named("missing", layer=layer), {"numbers": numbers})
        if missing is not None:
            raise NotFoundError(
                f"no {layer} with the number {missing} in this generation of the store"
            )

    def _checked(self, query: Scores) -> Scores:
        query = np.ascontiguousarray(query, np.float32)
        if query.shape != (self._state.dimensions,):
            raise StoreError(
                f"a query of shape {query.shape} for vectors of {self._state.dimensions} "
                f"dimensions ({self._state.fingerprint})"
            )
        return query


def write_vectors(
    session: Session, layer: Layer, space: int, parts: list[tuple[int, int, Scores | None]]
) -> None:
    """``parts``: (document, number of its first record, its vectors)."""
    given = [
        (document, first, vectors) for document, first, vectors in parts if vectors is not None
    ]
    if not any(len(vectors) for _, _, vectors in given):
        return
    dimensions = given[0][2].shape[1]
    if dimensions > _MOST_DIMENSIONS:
        raise StoreError(
            f"vectors of {dimensions} dimensions: pgvector keeps up to {_MOST_DIMENSIONS}. Choose "
            "an embedder with fewer, or a store in a folder"
        )
    statement = _COPYING.named("vectors", layer=layer)
    session.copy_blocks(statement, copy_of_vectors(space, given))


def can_be_indexed(state: State, layer: Layer, exact_up_to: int) -> bool:
    """Whether the layer has more records than are scored one by one, and an index is possible."""
    records = state.chunks if layer == "chunk" else state.units
    dimensions = state.dimensions or 0
    return records > exact_up_to and 0 < dimensions <= _MOST_INDEXED_DIMENSIONS
