"""Arrays of rows of unequal length: joins along links and the best of each group, without loops.

A :class:`clew.stores.base.Links` answers "who are the neighbours of these" with one long array and
row limits. Following such links twice is a *join*; "the best edge into each target" is a *group
maximum*. Both are a few numpy calls whatever the number of edges.
"""

from __future__ import annotations

import numpy as np

from clew.stores.base import Links, Numbers, Scores


def row_lengths(links: Links) -> Numbers:
    """How many neighbours each of the numbers asked for has."""
    return np.diff(links.indptr)


def row_index(links: Links) -> Numbers:
    """For each target, the position of the number asked for that it belongs to."""
    return np.repeat(np.arange(len(links.indptr) - 1, dtype=np.int64), row_lengths(links))


def join(links: Links, rows: Numbers) -> tuple[Numbers, Numbers]:
    """Follow ``links`` from each of ``rows`` (positions, repeats allowed).

    Returns (position in ``rows``, position in ``links.targets``) for every edge that is met.
    """
    lengths = row_lengths(links)[rows]
    source = np.repeat(np.arange(len(rows), dtype=np.int64), lengths)
    begins = np.cumsum(lengths) - lengths
    within = np.arange(len(source), dtype=np.int64) - begins[source]
    return source, links.indptr[rows][source] + within


def best_of_groups(values: Scores, groups: Numbers, count: int) -> tuple[Scores, Numbers]:
    """Return per group the greatest value and its position; 0 and -1 where a group is empty.

    ``groups`` are numbers below ``count``. Of equal values the first position wins.
    """
    best = np.full(count, -np.inf, dtype=np.float32)
    np.maximum.at(best, groups, values)
    position = np.full(count, -1, dtype=np.int64)
    winners = np.flatnonzero(values == best[groups])[::-1]
    position[groups[winners]] = winners
    best[position < 0] = 0.0
    return best, position


def positions(numbers: Numbers, wanted: Numbers) -> Numbers:
    """The position of each of ``wanted`` in the sorted ``numbers``; -1 where it is not there."""
    if not len(numbers):
        return np.full(len(wanted), -1, dtype=np.int64)
    at = np.minimum(np.searchsorted(numbers, wanted), len(numbers) - 1)
    return np.where(numbers[at] == wanted, at, -1)


def union(*arrays: Numbers) -> Numbers:
    """The numbers of all arrays, sorted, each once."""
    return np.unique(np.concatenate([np.asarray(array, dtype=np.int64) for array in arrays]))
