"""Methods to compare with, which clew does not offer: plain forms of what it has."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from clew.retrieval.base import Evidence, Method, Search, Step
from clew.retrieval.plain import BM25, Dense
from clew.retrieval.ragged import union
from clew.stores.base import Numbers, Scores

_DAMPING = 60
_NONE = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, kw_only=True, slots=True)
class DenseUnits:
    """The cosine of the question and the chunk's best unit."""

    name: str = "dense-units"
    uses_vectors: bool = True

    def find(self, search: Search) -> Evidence:
        by_unit = replace(search.config, group_by_chunk=False)
        return Dense().find(replace(search, config=by_unit))


@dataclass(frozen=True, kw_only=True, slots=True)
class ReciprocalRanks:
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): the sum over ``methods`` of
    1 / (60 + place), as a part of the most that there can be.
    """

    methods: tuple[Method, ...] = field(default_factory=lambda: (BM25(), Dense()))
    name: str = "reciprocal-ranks"
    uses_vectors: bool = True

    def find(self, search: Search) -> Evidence:
        found = [method.find(search) for method in self.methods]
        chunks = union(*(evidence.chunks for evidence in found))
        scores = sum((_worth(evidence, chunks) for evidence in found), np.zeros(len(chunks)))
        shown = (scores * (_DAMPING + 1) / len(found)).astype(np.float32)
        return _evidence(chunks, shown)


def _worth(evidence: Evidence, chunks: Numbers) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """1 / (60 + place) of each chunk; nothing of those that were not found."""
    worth = np.zeros(len(chunks))
    order = np.lexsort((evidence.chunks, -evidence.chunk_scores))
    places = np.empty(len(order))
    places[order] = np.arange(1, len(order) + 1)
    worth[np.searchsorted(chunks, evidence.chunks)] = 1.0 / (_DAMPING + places)
    return worth


def _evidence(chunks: Numbers, scores: Scores) -> Evidence:
    def trail(chunk: int, unit: int) -> tuple[Step, ...]:
        score = float(scores[np.searchsorted(chunks, chunk)])
        return (Step(chunk=chunk, unit=unit, relation="similar", score=score),)

    return Evidence(
        chunks=chunks,
        chunk_scores=scores,
        units=_NONE,
        unit_scores=np.empty(0, dtype=np.float32),
        unit_rows=_NONE,
        trail=trail,
    )
