"""Links between numbered records as compressed rows, so that a hop from many is one array look-up.

Pairs (source, target, weight) are kept sorted by source, then target, without duplicates: the
largest weight of equal pairs wins. Sources without links take no room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clew.stores.base import Links, Numbers, Scores


@dataclass(frozen=True, slots=True, eq=False)
class Adjacency:
    """``targets[indptr[i]:indptr[i + 1]]`` belong to ``sources[i]``; both ascend."""

    sources: Numbers
    indptr: Numbers
    targets: Numbers
    weights: Scores

    @classmethod
    def from_pairs(
        cls, sources: Numbers, targets: Numbers, weights: Scores | None = None
    ) -> Adjacency:
        if weights is None:
            weights = np.ones(len(sources), np.float32)
        if not _ascend(sources, targets):
            order = np.lexsort((-weights, targets, sources))
            sources, targets, weights = sources[order], targets[order], weights[order]
            fresh = np.ones(len(sources), bool)
            fresh[1:] = (sources[1:] != sources[:-1]) | (targets[1:] != targets[:-1])
            sources, targets, weights = sources[fresh], targets[fresh], weights[fresh]
        begins = np.ones(len(sources), bool)
        begins[1:] = sources[1:] != sources[:-1]
        starts = np.flatnonzero(begins)
        indptr = np.append(starts, len(sources)).astype(np.int64)
        return cls(sources[starts], indptr, targets, weights)

    def of(self, numbers: Numbers) -> Links:
        """The links of each of ``numbers``, in their order; none for those that have none."""
        at = np.searchsorted(self.sources, numbers)
        inside = at < len(self.sources)
        at[~inside] = 0
        known = inside & (self.sources[at] == numbers) if len(self.sources) else inside
        starts = np.where(known, self.indptr[at], 0)
        counts = np.where(known, self.indptr[np.minimum(at + 1, len(self.sources))] - starts, 0)
        picked = ranges(starts, counts)
        return Links(offsets(counts), self.targets[picked], self.weights[picked])


def _ascend(sources: Numbers, targets: Numbers) -> bool:
    """Whether the pairs are in order, each once, as those of units and their chunks are."""
    steps = np.diff(sources)
    return bool(((steps > 0) | ((steps == 0) & (np.diff(targets) > 0))).all())


def offsets(counts: Numbers) -> Numbers:
    """``[2, 0, 3]`` → ``[0, 2, 2, 5]``."""
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def ranges(starts: Numbers, counts: Numbers) -> Numbers:
    """Concatenate ``arange(start, start + count)`` for each pair."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    picked: Numbers = np.arange(total, dtype=np.int64)
    picked += np.repeat(starts - (ends - counts), counts)
    return picked


def keep(links: Links, wanted: NDArray[np.bool_]) -> Links:
    """Only the targets that are ``wanted`` (one flag per target)."""
    before = offsets(wanted.astype(np.int64))
    return Links(before[links.indptr], links.targets[wanted], links.weights[wanted])


def first(links: Links, limit: int) -> Links:
    """At most ``limit`` targets of each row, those that come first."""
    counts = np.minimum(np.diff(links.indptr), max(limit, 0))
    picked = ranges(links.indptr[:-1], counts)
    return Links(offsets(counts), links.targets[picked], links.weights[picked])


def from_lists(rows: Sequence[Sequence[int]]) -> Links:
    """Rows of numbers as links of weight one: sorted, without duplicates."""
    unique = [sorted(set(row)) for row in rows]
    targets = np.array([number for row in unique for number in row], np.int64)
    counts = np.array([len(row) for row in unique], np.int64)
    return Links(offsets(counts), targets, np.ones(len(targets), np.float32))
