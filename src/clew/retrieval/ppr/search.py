"""Personalised PageRank over the graph of entities, units and chunks, as HippoRAG (arXiv
2405.14831) and HippoRAG 2 (arXiv 2502.14802) rank passages.

Walks begin at the names in the question and at the units and chunks nearest to it
(:mod:`clew.retrieval.ppr.seeds`), go over mentions, topics and what lies in one chunk, and may stop
at every node. A chunk is worth the share of walks that stop at it: one that many ways lead to from
many parts of the question comes first, at any distance.

Differences from HippoRAG 2: no model filters the seeds; sentences are nodes where it draws edges
between the subjects and objects of triples, so a walk takes twice the steps from passage to passage
and the damping is higher; there are no edges between names that are alike, because the graph has
them merged.

The walk is local: it takes at most ``1 / ((1 - damping) · tolerance)`` edges, 67,000 as it is set,
however large the store is (:mod:`clew.retrieval.ppr.push`); a few thousand are usual.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from clew.retrieval.base import Evidence, Search, Step
from clew.retrieval.pool.word_scores import WordScores
from clew.retrieval.ppr.edges import CHUNK, UNIT, Chances, EdgeWeights
from clew.retrieval.ppr.neighbourhood import Neighbourhood
from clew.retrieval.ppr.push import Visits, push
from clew.retrieval.ppr.seeds import SeedShares, find_seeds
from clew.retrieval.ppr.walks import LikeliestWalks, steps_of
from clew.retrieval.ragged import best_of_groups, positions
from clew.stores.base import Numbers, Scores

DAMPING = 0.85
TOLERANCE = 1e-4


@dataclass(frozen=True, kw_only=True, slots=True)
class PersonalisedPageRank:
    """The constants were tuned on the tuning sets of ``benchmarks/multihop``."""

    damping: float = DAMPING
    tolerance: float = TOLERANCE
    shares: SeedShares = SeedShares()
    edges: EdgeWeights = EdgeWeights()
    name: str = "ppr"
    uses_vectors: bool = True

    def find(self, search: Search) -> Evidence:
        scores = WordScores(search.reader, search.query.words)
        seeds = find_seeds(search, scores, self.shares)
        around = Neighbourhood(search, self.edges)
        around.places_of(seeds.nodes)
        visits = push(around, seeds.chances, damping=self.damping, tolerance=self.tolerance)
        chunks, chunk_visits = _visited(around, visits.chances, CHUNK)
        chunk_scores = _of_the_best(chunk_visits)
        units, unit_scores, rows = _units_within(search, around, visits, chunks, chunk_scores)
        return Evidence(
            chunks=chunks,
            chunk_scores=chunk_scores,
            units=units,
            unit_scores=unit_scores,
            unit_rows=rows,
            trail=_trails(around, seeds.chances, self.damping, chunks, chunk_scores),
            details={"visits": chunk_visits.astype(np.float32)},
            counts={
                "nodes_visited": int((around.starts >= 0).sum()),
                "links_followed": visits.edges,
            },
        )


def _units_within(
    search: Search, around: Neighbourhood, visits: Visits, chunks: Numbers, scores: Scores
) -> tuple[Numbers, Scores, Numbers]:
    """The units of ``chunks`` at which walks stop, their scores (the best of a chunk has that of
    the chunk) and their rows.
    """
    units, unit_visits = _visited(around, visits.chances, UNIT)
    rows = positions(chunks, search.reader.chunks_of_units(units))
    inside = rows >= 0
    units, own, rows = units[inside], unit_visits[inside].astype(np.float32), rows[inside]
    most, _ = best_of_groups(own, rows, len(chunks))
    return units, scores[rows] * (own / most[rows]), rows


def _visited(around: Neighbourhood, chances: Chances, kind: int) -> tuple[Numbers, Chances]:
    """The records of a kind at which walks stop, ascending, and the chance that they do."""
    places = around.of_kind(kind)
    places = places[chances[places] > 0]
    numbers = around.numbers(places)
    order = np.argsort(numbers)
    return numbers[order], chances[places][order]


def _of_the_best(visits: Chances) -> Scores:
    """Scores as users see them: 1 for the most visited chunk, the others by their part of that."""
    return (visits / max(float(visits.max(initial=0.0)), 1e-12)).astype(np.float32)


def _trails(
    around: Neighbourhood, seeds: Chances, damping: float, chunks: Numbers, scores: Scores
) -> Callable[[int, int], tuple[Step, ...]]:
    """Paths to chunks and units; the walks are worked out when the first is asked for."""
    known: list[LikeliestWalks] = []

    def score(chunk: int) -> float:
        return float(scores[np.searchsorted(chunks, chunk)])

    def trail(chunk: int, unit: int) -> tuple[Step, ...]:
        if not known:
            started = np.zeros(len(around.nodes))
            started[: len(seeds)] = seeds
            known.append(LikeliestWalks.of(around, started, damping=damping))
        walk = known[0].to(CHUNK, chunk) if unit < 0 else known[0].to(UNIT, unit)
        return steps_of(walk, score)

    return trail
