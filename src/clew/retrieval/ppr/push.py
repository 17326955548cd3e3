"""Personalised PageRank by forward push (Andersen, Chung and Lang 2006), in rounds of arrays.

A walker starts at a seed; at each node it stops with chance ``1 - damping``, otherwise it takes
an edge. PageRank is where it stops. Every node holds what has come to it and not been passed on; in
a round each node that holds more than ``tolerance`` times its size keeps the part that stops and
hands the rest to its neighbours, until no node holds so much.

Each node handled settles at least ``(1 - damping) · tolerance · size``, and all there is to settle
is 1. So the sizes of all nodes handled sum to at most ``1 / ((1 - damping) · tolerance)``, whatever
the size of the store. In the end the part that stops of what is still held is counted too; the rest
of it bounds the error of all visits together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clew.retrieval.ppr.neighbourhood import Chances, Neighbourhood


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Visits:
    """Per place, the chance that the walk stops there, too small by ``left`` in all at most.

    ``settled`` is the sum of the sizes of all nodes handled, ``edges`` how many edges were taken.
    """

    chances: Chances
    left: float
    settled: int
    edges: int


def push(around: Neighbourhood, seeds: Chances, *, damping: float, tolerance: float) -> Visits:
    """Walk from ``seeds`` (one chance per known place, summing to 1), opening what is reached.

    A walk that comes to a node without an edge ends there, unseen: to begin it anew at the seeds
    would change all visits by the same factor.
    """
    visits, waiting = np.zeros(len(seeds)), seeds.copy()
    settled = edges = 0
    while True:
        active = np.flatnonzero(waiting > tolerance * around.sizes)
        if not len(active):
            visits += (1.0 - damping) * waiting
            return Visits(
                chances=visits, left=damping * float(waiting.sum()), settled=settled, edges=edges
            )
        around.open_up(active)
        moved = waiting[active]
        visits[active] += (1.0 - damping) * moved
        waiting[active] = 0.0
        source, at = around.rows(active)
        fresh = np.zeros(len(around.nodes) - len(visits))
        visits, waiting = np.concatenate([visits, fresh]), np.concatenate([waiting, fresh])
        carried = damping * moved[source] * around.chances[at]
        waiting += np.bincount(around.targets[at], weights=carried, minlength=len(waiting))
        settled, edges = settled + int(around.sizes[active].sum()), edges + len(at)
