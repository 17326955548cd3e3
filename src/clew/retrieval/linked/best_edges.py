"""Joint coverage: which part of the question the two ends of a link hold *together*.

That is the lexical form of updating a query. Where Q-Iter takes a step's vector off the query, here
the words that the source holds are taken as answered, and a target is good when it has those that
the source left open.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clew.retrieval.linked.links import Edges
from clew.retrieval.pool.candidates import Candidates
from clew.retrieval.pool.word_scores import Coverage
from clew.retrieval.ragged import best_of_groups, positions
from clew.stores.base import Numbers, Scores


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class BestEdges:
    """Per chunk of the pool what its best edge carries, and which edge that is (-1: none)."""

    values: Scores
    edge: Numbers
    edges: Edges


def best_edges(
    pool: Candidates, edges: Edges, coverage: Coverage, *, update_weight: float
) -> BestEdges:
    """The best edge into each chunk of ``pool``; edges to any other are left out."""
    rows = positions(pool.chunks, edges.targets)
    counts = (rows >= 0) & (pool.unit_rows[edges.sources] != rows)
    covered = joint_coverage(
        coverage, pool.unit_masks[edges.sources], pool.masks[rows], update_weight=update_weight
    )
    values, edge = best_of_groups(
        np.where(counts, edges.worth * covered, 0.0).astype(np.float32), rows, len(pool.chunks)
    )
    return BestEdges(values=values, edge=np.where(values > 0, edge, -1), edges=edges)


def joint_coverage(
    coverage: Coverage,
    source: NDArray[np.int64],
    target: NDArray[np.int64],
    *,
    update_weight: float,
) -> Scores:
    """Which part of the question source and target cover together.

    ``update_weight`` says how much of what the source has answered is taken as answered: at 0 the
    target must cover the question alone.
    """
    together = coverage.of(source | target)
    if update_weight == 1.0:
        return together
    alone = coverage.of(target)
    return alone + np.float32(update_weight) * (together - alone)
