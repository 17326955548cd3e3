"""The two plain methods, each by one score: nearness of meaning, and words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clew.errors import ConfigError
from clew.retrieval.base import Evidence, Search, Step
from clew.retrieval.pool.word_scores import WordScores
from clew.retrieval.ragged import best_of_groups
from clew.stores.base import Layer, Ranking

_MOST_RESULTS = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Dense:
    """The cosine of question and chunk (or unit, when results are not grouped)."""

    name: str = "dense"
    uses_vectors: bool = True

    def find(self, search: Search) -> Evidence:
        query = search.query.vector
        if query is None:
            raise ConfigError(
                "retrieval_method='dense' needs vectors, and this search has words alone: give an "
                "embedder and run `clew reembed`, or use 'linked' or 'bm25'"
            )
        ranking = search.reader.search_vectors(_layer(search), query, _most(search))
        return _evidence(search, ranking)


@dataclass(frozen=True, kw_only=True, slots=True)
class BM25:
    """BM25 of the chunk (or unit), as a part of the most that the question's words can give."""

    name: str = "bm25"
    uses_vectors: bool = False

    def find(self, search: Search) -> Evidence:
        scores = WordScores(search.reader, search.query.words)
        return _evidence(search, scores.best(_layer(search), _most(search)))


def _layer(search: Search) -> Layer:
    return "chunk" if search.config.group_by_chunk else "unit"


def _most(search: Search) -> int:
    return max(_MOST_RESULTS, search.config.result_top_n)


def _evidence(search: Search, ranking: Ranking) -> Evidence:
    """Chunks as they were ranked, or units with their chunks."""
    scores = np.clip(ranking.scores, 0.0, 1.0)
    none = np.empty(0, dtype=np.int64)
    by_unit = _layer(search) == "unit"
    units = ranking.numbers if by_unit else none
    owners = search.reader.chunks_of_units(units) if by_unit else ranking.numbers
    chunks, rows = np.unique(owners, return_inverse=True)
    chunk_scores, _ = best_of_groups(scores, rows, len(chunks))

    def trail(chunk: int, unit: int) -> tuple[Step, ...]:
        score = float(chunk_scores[np.searchsorted(chunks, chunk)])
        return (Step(chunk=chunk, unit=unit, relation="similar", score=score),)

    return Evidence(
        chunks=chunks,
        chunk_scores=chunk_scores,
        units=units,
        unit_scores=scores if by_unit else np.empty(0, dtype=np.float32),
        unit_rows=rows if by_unit else none,
        trail=trail,
        details={"alone": chunk_scores},
    )
