"""Linked evidence: the default method.

1. Each chunk of the pool gets a probability by itself (:mod:`clew.retrieval.pool.fusion`).
2. The best chunks pass it on along links (:mod:`clew.retrieval.linked.links`), weighed by what
   source and target cover of the question *together* (:mod:`clew.retrieval.linked.best_edges`).
3. One calibrated combination of both is the score. Each further round starts from these scores,
   for longer chains, and the last one lets their ends weigh on what led there.
4. The first results are chosen together (:mod:`clew.retrieval.linked.selection`).

The best edge into a chunk is its explanation: source unit → entity → target.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from clew.retrieval.base import Evidence, Search
from clew.retrieval.linked.best_edges import best_edges
from clew.retrieval.linked.links import Edges, LinkLimits, about_edges, shared_edges
from clew.retrieval.linked.mentions import Frequencies, mentions_of
from clew.retrieval.linked.selection import choose
from clew.retrieval.linked.trails import LinkedTrails, Round
from clew.retrieval.pool.candidates import Candidates, measure, merge
from clew.retrieval.pool.fusion import combine, shown, sigmoid
from clew.retrieval.pool.standing import Standing
from clew.retrieval.pool.weights import (
    LinkedWeights,
    RoundWeights,
    SelectionWeights,
    weights_for,
)
from clew.retrieval.ragged import best_of_groups, positions
from clew.stores.base import Numbers, Scores

SOURCES_PER_PATH = 5
_LEAST_STEP = np.float32(2e-6)


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
        frequencies = Frequencies(search)
        rounds: list[Round] = []
        for this_round in _rounds(weights, search.config.traversal_depth):
            rounds.append(_go_round(standing, pool, scores, this_round, self.limits, frequencies))
            pool, scores = rounds[-1].pool, rounds[-1].after
        trails = LinkedTrails(
            standing=standing,
            pool=pool,
            alone=standing.alone(pool),
            rounds=tuple(rounds),
            most_links=search.config.traversal_depth,
        )
        chunk_scores = _chosen(trails, scores, weights.selection)
        return Evidence(
            chunks=pool.chunks,
            chunk_scores=chunk_scores,
            units=pool.units,
            unit_scores=standing.unit_scores(pool, chunk_scores),
            unit_rows=pool.unit_rows,
            trail=trails,
            details=_details(pool, trails),
            counts={
                "hops": min(len(rounds), search.config.traversal_depth),
                "links_followed": sum(
                    len(best.edges.sources) for this in rounds for best in (this.about, this.shared)
                ),
            },
        )


def _rounds(weights: LinkedWeights, depth: int) -> tuple[RoundWeights, ...]:
    """One round more than there may be links on a path: what the last link reached weighs on what
    led there too.
    """
    return weights.rounds[: depth + 1] if depth else ()


def _go_round(
    standing: Standing,
    pool: Candidates,
    scores: Scores,
    weights: RoundWeights,
    limits: LinkLimits,
    frequencies: Frequencies,
) -> Round:
    """Pass the scores on along the links of the best chunks."""
    about, shared = _edges(standing.search, pool, scores, limits, frequencies)
    pool, before, moved = _with_targets(standing, pool, scores, about, shared, limits)
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
    }
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
    search: Search,
    pool: Candidates,
    scores: Scores,
    limits: LinkLimits,
    frequencies: Frequencies,
) -> tuple[Edges, Edges]:
    """All links out of the best chunks."""
    most = SOURCES_PER_PATH * search.config.beam_size
    best = np.sort(np.argsort(-scores, kind="stable")[:most])
    sources = best[scores[best] >= limits.least]
    worth = scores[pool.unit_rows]
    near = pool.unit_words if search.query.vector is None else pool.unit_dense
    preference = (worth * np.maximum(near, 0.0)).astype(np.float32)
    mentions = mentions_of(search, pool, sources, preference, frequencies)
    return (
        about_edges(mentions, worth, limits),
        shared_edges(search, pool, mentions, worth, preference, limits),
    )


def _with_targets(
    standing: Standing,
    pool: Candidates,
    scores: Scores,
    about: Edges,
    shared: Edges,
    limits: LinkLimits,
) -> tuple[Candidates, Scores, Numbers]:
    """Take the targets of links into the pool; they begin with what they are by themselves.

    Returns the pool, its scores, and where each unit row went.
    """
    fresh = _fresh_targets(pool, about, shared, limits.most_targets)
    if not len(fresh):
        return pool, scores, np.arange(len(pool.units))
    merged, moved = merge(pool, measure(standing.search, standing.scores, fresh))
    before = standing.alone(merged)
    before[np.searchsorted(merged.chunks, pool.chunks)] = scores
    return merged, before, moved


def _fresh_targets(pool: Candidates, about: Edges, shared: Edges, most: int) -> Numbers:
    """The targets that the pool does not hold, at most ``most``: those with the worthiest edges."""
    targets = np.concatenate([about.targets, shared.targets])
    worth = np.concatenate([about.worth, shared.worth])
    chunks, groups = np.unique(targets, return_inverse=True)
    new = np.flatnonzero(positions(pool.chunks, chunks) < 0)
    if len(new) > most:
        best, _ = best_of_groups(worth, groups, len(chunks))
        new = np.sort(new[np.argsort(-best[new], kind="stable")[:most]])
    fresh: Numbers = chunks[new]
    return fresh


def _chosen(trails: LinkedTrails, scores: Scores, weights: SelectionWeights) -> Scores:
    """The scores that users see, in the order of the choice: none passes one chosen before it."""
    pool, standing = trails.pool, trails.standing
    last = trails.rounds[-1].weights if trails.rounds else standing.weights
    inside = np.clip(scores, 1e-7, 1.0 - 1e-7)
    choice = choose(
        np.log(inside) - np.log1p(-inside),
        trails.best_sources(),
        pool.masks,
        standing.coverage,
        weights,
    )
    values = shown(scores, last)
    steps = _LEAST_STEP * np.arange(len(choice.rows), dtype=np.float32)
    falling = np.minimum.accumulate(shown(sigmoid(choice.logits), last) + steps) - steps
    ordered = np.maximum(falling, 0.0)
    values = np.minimum(values, ordered[-1]) if len(ordered) else values
    values[choice.rows] = ordered
    return values.astype(np.float32)


def _details(pool: Candidates, trails: LinkedTrails) -> dict[str, Scores]:
    alone = shown(trails.alone, trails.standing.weights)
    details = {"alone": alone, "dense": pool.dense, "words": pool.words}
    if trails.rounds:
        last = trails.rounds[-1]
        details |= {"about_link": last.about.values, "shared_link": last.shared.values}
    return details
