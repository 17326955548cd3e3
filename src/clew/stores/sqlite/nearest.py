"""Which rows of a large layer to measure exactly: those that their signs put nearest to a question.

A layer of up to ``sign_file.MOST_SCANNED`` rows is scanned: its vectors are read from end to end,
and the result is exact. Of a larger one, its signs (:mod:`clew.stores.sqlite.signs`) name the
rows that seem nearest, one in ``MEASURED_SHARE``, and only those are measured. How many of the
nearest are among them is measured in ``benchmarks/stores``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from clew.stores.base import Numbers, Scores
from clew.stores.sqlite.vectors import MappedVectors

MEASURED_SHARE = 64
LEAST_MEASURED = 4096
_MEASURED_PER_WANTED = 16
_ROWS_AT_ONCE = 256


def measured_rows(rows: int, k: int) -> int:
    """How many of the ``rows`` of a layer are measured to find ``k``."""
    return max(LEAST_MEASURED, rows // MEASURED_SHARE, _MEASURED_PER_WANTED * k)


def likely_rows(
    vectors: MappedVectors, query: Scores, count: int, among: Numbers | None
) -> Numbers:
    """Positions in ``among`` (vector rows; None: all), ascending, of the ``count`` rows that seem
    nearest, of all that tie with the last of them, and of all that have no signs yet.
    """
    rows = len(vectors) if among is None else len(among)
    if vectors.signs is None or count >= rows:
        return np.arange(rows)
    signed = vectors.signs.rows
    distances = np.zeros(len(vectors), np.uint16)
    distances[:signed] = vectors.signs.distances(query)
    if among is not None:
        distances = distances[among]
    unsigned = rows - signed if among is None else int(np.count_nonzero(among >= signed))
    reached = np.cumsum(np.bincount(distances))
    return np.flatnonzero(distances <= np.searchsorted(reached, min(count + unsigned, rows)))


def measured(read: Callable[[Numbers], Scores], query: Scores, rows: Numbers) -> Scores:
    """Inner products of ``query`` with the given rows, which ``read`` copies, a few at a time, so
    that what is copied of the file stays in the cache.
    """
    found = np.empty(len(rows), np.float32)
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        part = read(rows[start : start + _ROWS_AT_ONCE])
        np.dot(part, query, out=found[start : start + len(part)])
    return found
