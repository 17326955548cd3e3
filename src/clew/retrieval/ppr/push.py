"""Personalised PageRank by forward push (Andersen, Chung and Lang 2006), in rounds of arrays.

A walker starts at a seed; at each node it stops with chance ``1 - damping``, otherwise it takes
an edge. PageRank is where it stops. Every node holds what has come to it and not been passed on; in
a round each node that holds more than ``tolerance`` for each of its edges keeps the part that stops
and hands the rest to its neighbours, until no node holds so much.

Each node handled settles at least ``(1 - damping) · tolerance`` for each of its edges, and there is
no more than 1 to settle. So at most ``1 / ((1 - damping) · tolerance)`` edges are taken, whatever
the size of the store. In the end the part that stops of what is still held is counted too; the rest
of it bounds the error of all visits together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clew.retrieval.ppr.edges import Chances
from clew.retrieval.ppr.neighbourhood import Neighbourhood


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Visits:
    """Per place, the chance that the walk stops there: in all too small by ``left`` at most.
    ``edges`` is how many edges were taken.
    """

    chances: Chances
    left: float
    edges: int


def push(around: Neighbourhood, seeds: Chances, *, damping: float, tolerance: float) -> Visits:
    """Walk from ``seeds`` (one chance per known place, summing to 1), opening what is reached.

    A walk that comes to a node without an edge ends there, unseen: to begin it anew at the seeds
    would change all visits by the same factor.
    """
    visits, held, edges = np.zeros(len(seeds)), seeds, 0
    while len(full := np.flatnonzero(held > tolerance * around.sizes)):
        around.open_up(full)
        visits, held = (_extended(chances, len(around.nodes)) for chances in (visits, held))
        # Only now are all edges of those just opened counted.
        full = full[held[full] > tolerance * around.sizes[full]]
        moved = held[full]
        visits[full] += (1.0 - damping) * moved
        held[full] = 0.0
        source, at = around.rows(full)
        carried = damping * moved[source] * around.chances[at]
        held += np.bincount(around.targets[at], weights=carried, minlength=len(held))
        edges += len(at)
    return Visits(
        chances=visits + (1.0 - damping) * held, left=damping * float(held.sum()), edges=edges
    )


def _extended(chances: Chances, count: int) -> Chances:
    return np.concatenate([chances, np.zeros(count - len(chances))])
