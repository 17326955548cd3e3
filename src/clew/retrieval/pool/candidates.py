"""The pool: the chunks that one question considers, with all that is known of each by itself.

Scoring every chunk of the store would be exact and would grow with it. The pool holds the first
few hundred by each of four scores (chunk and unit, by meaning and by words) and the chunks that
names in the question lead to; following links adds their targets. Everything else is far below
what could reach the results.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clew.retrieval.base import Search
from clew.retrieval.pool.whole_names import drop_fragments
from clew.retrieval.pool.word_scores import WordScores, word_masks
from clew.retrieval.ragged import best_of_groups, row_index, union
from clew.stores.base import Layer, Numbers, Scores


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Candidates:
    """Chunks in ascending order with their units beside them, ordered by chunk.

    ``dense`` and ``unit_dense`` are cosines with the question (0 without an embedder), ``words``
    and ``unit_words`` BM25 in 0–1, the masks the words of the question that each holds, itself or
    by a word that says the same.
    """

    chunks: Numbers
    dense: Scores
    words: Scores
    masks: NDArray[np.int64]
    units: Numbers
    unit_rows: Numbers
    unit_dense: Scores
    unit_words: Scores
    unit_masks: NDArray[np.int64]

    def best_unit_dense(self) -> Scores:
        return best_of_groups(self.unit_dense, self.unit_rows, len(self.chunks))[0]

    def best_unit_words(self) -> Scores:
        return best_of_groups(self.unit_words, self.unit_rows, len(self.chunks))[0]


@dataclass(frozen=True, kw_only=True, slots=True)
class BestScores:
    """The best score of any chunk by each measure: a chunk's gap to it counts beside its own."""

    dense: float
    unit_dense: float
    words: float

    @classmethod
    def of(cls, pool: Candidates) -> BestScores:
        return cls(
            dense=float(pool.dense.max(initial=0.0)),
            unit_dense=float(pool.unit_dense.max(initial=0.0)),
            words=float(pool.words.max(initial=0.0)),
        )


def anchor_chunks(search: Search, scores: WordScores, *, size: int) -> Numbers:
    """The ``size`` best chunks by each of the four scores, ascending."""
    units = union(_by_meaning(search, "unit", size), scores.best("unit", size).numbers)
    return union(
        _by_meaning(search, "chunk", size),
        scores.best("chunk", size).numbers,
        search.reader.chunks_of_units(units),
    )


def measure(search: Search, scores: WordScores, chunks: Numbers) -> Candidates:
    """Score ``chunks`` (ascending) and all their units against the question."""
    reader, query = search.reader, search.query
    links = reader.units_of_chunks(chunks)
    rows, units = row_index(links), links.targets
    ascending = np.argsort(units, kind="stable")
    in_order = units[ascending]
    unit_parts = np.empty((len(query.words.terms), len(units)), dtype=np.float32)
    unit_parts[:, ascending] = scores.matrix("unit", in_order)
    kindred = np.empty(len(units), dtype=np.int64)
    kindred[ascending] = scores.kindred_masks(in_order)
    chunk_parts = scores.matrix("chunk", chunks)
    drop_fragments(scores.names, chunks, chunk_parts, unit_parts, rows)
    masks = word_masks(chunk_parts)
    np.bitwise_or.at(masks, rows, kindred)
    return Candidates(
        chunks=chunks,
        dense=_cosines(search, "chunk", chunks),
        words=chunk_parts.sum(axis=0),
        masks=masks,
        units=units,
        unit_rows=rows,
        unit_dense=_cosines(search, "unit", units),
        unit_words=unit_parts.sum(axis=0),
        unit_masks=word_masks(unit_parts) | kindred,
    )


def merge(one: Candidates, other: Candidates) -> tuple[Candidates, Numbers]:
    """Put two pools without a common chunk together.

    Returns the new pool, and where each unit row of ``one`` went.
    """
    chunks = np.concatenate([one.chunks, other.chunks])
    order = np.argsort(chunks, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    rows = place[np.concatenate([one.unit_rows, other.unit_rows + len(one.chunks)])]
    by_row = np.argsort(rows, kind="stable")
    moved = np.empty(len(by_row), dtype=np.int64)
    moved[by_row] = np.arange(len(by_row))
    merged = Candidates(
        chunks=chunks[order],
        dense=np.concatenate([one.dense, other.dense])[order],
        words=np.concatenate([one.words, other.words])[order],
        masks=np.concatenate([one.masks, other.masks])[order],
        units=np.concatenate([one.units, other.units])[by_row],
        unit_rows=rows[by_row],
        unit_dense=np.concatenate([one.unit_dense, other.unit_dense])[by_row],
        unit_words=np.concatenate([one.unit_words, other.unit_words])[by_row],
        unit_masks=np.concatenate([one.unit_masks, other.unit_masks])[by_row],
    )
    return merged, moved[: len(one.units)]


def _by_meaning(search: Search, layer: Layer, size: int) -> Numbers:
    if search.query.vector is None:
        return np.empty(0, np.int64)
    ranking = search.reader.search_vectors(layer, search.query.vector, size)
    return ranking.numbers


def _cosines(search: Search, layer: Layer, numbers: Numbers) -> Scores:
    if search.query.vector is None:
        return np.zeros(len(numbers), dtype=np.float32)
    return search.reader.score_vectors(layer, search.query.vector, numbers)
