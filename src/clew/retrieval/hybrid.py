"""Hybrid search: the calibrated fusion of meaning, words and names, without following a link."""

from __future__ import annotations

from dataclasses import dataclass

from clew.retrieval.base import Evidence, Search
from clew.retrieval.pool.fusion import shown
from clew.retrieval.pool.standing import Standing, evidence_alone
from clew.retrieval.pool.weights import FusionWeights, weights_for


@dataclass(frozen=True, kw_only=True, slots=True)
class Hybrid:
    """``weights`` are the measured ones unless given."""

    weights: FusionWeights | None = None
    name: str = "hybrid"
    uses_vectors: bool = True

    def find(self, search: Search) -> Evidence:
        measured = weights_for(with_vectors=search.query.vector is not None).alone
        standing = Standing.of(search, self.weights or measured)
        pool = standing.first_pool
        scores = shown(standing.alone(pool), standing.weights)
        return evidence_alone(standing, pool, scores)
