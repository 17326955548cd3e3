"""Linked evidence: the default method.

1. Each chunk of the pool gets a probability by itself (:mod:`clew.retrieval.pool.fusion`).
2. The best chunks pass it on along links (:mod:`clew.retrieval.linked.links`), weighed by what
   source and target cover of the question *together*.
3. One calibrated combination of both is the score. Each further round starts from these scores,
   for longer chains.

The best edge into a chunk is its explanation: source unit → entity → target.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from clew.retrieval.base import Evidence, Search
from clew.retrieval.linked.links import (
    BestEdges,
    Edges,
    LinkLimits,
    about_edges,
    best_edges,
    mentions_of,
    shared_edges,
)
from clew.retrieval.linked.titles import title_words
from clew.retrieval.linked.trails import LinkedTrails, Round
from clew.retrieval.pool.candidates import Candidates, measure, merge
from clew.retrieval.pool.fusion import combine, shown, sigmoid
from clew.retrieval.pool.standing import Standing
from clew.retrieval.pool.weights import LinkedWeights, RoundWeights, weights_for
from clew.retrieval.ragged import union
from clew.stores.base import Numbers, Scores

SOURCES_PER_PATH = 10
_TITLES_READ = 40


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkedEvidence:
    """``weights`` and ``limits`` are the measured ones unless given."""

    weights: LinkedWeights | None = None
    limits: LinkLimits = LinkLimits()
    name: str = "linked"
    uses_vectors: bool = True

    def find(self, search: Search) -> Evidence:
        weights = self.weights or weights_for(with_vectors=search.query.vector is not None)
        standing = Standing.of(search, weights.alone)
        pool = standing.first_pool
        scores = standing.alone(pool)
        rounds: list[Round] = []
        for this_round in weights.rounds[: search.config.traversal_depth]:
            rounds.append(_go_round(standing, pool, scores, this_round, self.limits))
            pool, scores = rounds[-1].pool, rounds[-1].after
        trails = LinkedTrails(
            standing=standing, pool=pool, alone=standing.alone(pool), rounds=tuple(rounds)
        )
        last = rounds[-1].weights if rounds else weights.alone
        chunk_scores = shown(scores, last)
        return Evidence(
            chunks=pool.chunks,
            chunk_scores=chunk_scores,
            units=pool.units,
            unit_scores=standing.unit_scores(pool, chunk_scores),
            unit_rows=pool.unit_rows,
            trail=trails,
            details=_details(pool, trails),
            counts={
                "hops": len(rounds),
                "links_followed": sum(
                    len(best.edges.sources) for this in rounds for best in (this.about, this.shared)
                ),
            },
        )


def _go_round(
    standing: Standing,
    pool: Candidates,
    scores: Scores,
    weights: RoundWeights,
    limits: LinkLimits,
) -> Round:
    """Pass the scores on along the links of the best chunks."""
    about, shared = _edges(standing.search, pool, scores, limits)
    pool, before, moved = _with_targets(standing, pool, scores, about, shared)
    update = standing.search.config.query_update_weight
    best_about, best_shared = (
        best_edges(
            pool,
            replace(edges, sources=moved[edges.sources]),
            standing.coverage,
            update_weight=update,
        )
        for edges in (about, shared)
    )
    features = standing.features(pool) | {
        "about_link": best_about.values,
        "shared_link": best_shared.values,
        "shared_link_dense": best_shared.values * _nearness_of_sources(pool, best_shared),
    }
    features["title_words"] = _titles(standing.search, pool, combine(features, weights))
    return Round(
        pool=pool,
        before=before,
        after=sigmoid(combine(features, weights)),
        about=best_about,
        shared=best_shared,
        weights=weights,
        features=features,
    )


def _edges(
    search: Search, pool: Candidates, scores: Scores, limits: LinkLimits
) -> tuple[Edges, Edges]:
    """All links out of the best chunks."""
    source = np.zeros(len(pool.chunks), dtype=bool)
    most = SOURCES_PER_PATH * search.config.beam_size
    source[np.argsort(-scores, kind="stable")[:most]] = True
    source &= scores >= limits.least
    mentions = mentions_of(search, pool, np.flatnonzero(source[pool.unit_rows]))
    worth = scores[pool.unit_rows]
    near = pool.unit_words if search.query.vector is None else pool.unit_dense
    preference = (worth * np.maximum(near, 0.0)).astype(np.float32)
    return (
        about_edges(mentions, worth, limits),
        shared_edges(search, pool, mentions, worth, preference, limits),
    )


def _with_targets(
    standing: Standing, pool: Candidates, scores: Scores, about: Edges, shared: Edges
) -> tuple[Candidates, Scores, Numbers]:
    """Take the targets of links into the pool; they begin with what they are by themselves.

    Returns the pool, its scores, and where each unit row went.
    """
    targets = union(about.targets, shared.targets)
    fresh = np.setdiff1d(targets, pool.chunks, assume_unique=True)
    if not len(fresh):
        return pool, scores, np.arange(len(pool.units))
    merged, moved = merge(pool, measure(standing.search, standing.scores, fresh))
    before = standing.alone(merged)
    before[np.searchsorted(merged.chunks, pool.chunks)] = scores
    return merged, before, moved


def _nearness_of_sources(pool: Candidates, best: BestEdges) -> Scores:
    """How near to the question the source unit of each chunk's best edge is."""
    near = np.zeros(len(pool.chunks), dtype=np.float32)
    linked = best.edge >= 0
    near[linked] = np.maximum(pool.unit_dense[best.edges.sources[best.edge[linked]]], 0.0)
    return near


def _titles(search: Search, pool: Candidates, logits: Scores) -> Scores:
    """Titles are read for the best chunks only: they can lift a chunk by a little, not by much."""
    shares = np.zeros(len(pool.chunks), dtype=np.float32)
    best = np.sort(np.argsort(-logits, kind="stable")[:_TITLES_READ])
    shares[best] = title_words(search, pool.chunks[best])
    return shares


def _details(pool: Candidates, trails: LinkedTrails) -> dict[str, Scores]:
    alone = shown(trails.alone, trails.standing.weights)
    details = {"alone": alone, "dense": pool.dense, "words": pool.words}
    if trails.rounds:
        last = trails.rounds[-1]
        details |= {"about_link": last.about.values, "shared_link": last.shared.values}
    return details
