"""Which units earned the score of a chunk: the best one has it all, the others their part.

A unit's merit is its nearness to the question and what it holds of the question's words.
"""

from __future__ import annotations

import numpy as np

from clew.retrieval.pool.candidates import Candidates
from clew.retrieval.pool.word_scores import Coverage
from clew.retrieval.ragged import best_of_groups
from clew.stores.base import Numbers, Scores


def spread_over_units(pool: Candidates, chunk_scores: Scores, coverage: Scores) -> Scores:
    """Return unit scores whose greatest per chunk is the chunk's score. ``coverage`` is what each
    unit of the pool holds of the question's words.
    """
    merit = np.maximum(pool.unit_dense, 0.0) + coverage + np.float32(1e-3)
    best, _ = best_of_groups(merit, pool.unit_rows, len(pool.chunks))
    parts = merit / best[pool.unit_rows]
    scores: Scores = (chunk_scores[pool.unit_rows] * parts).astype(np.float32)
    return scores


def best_unit(
    pool: Candidates,
    row: int,
    coverage: Coverage,
    *,
    held: int = 0,
    among: Numbers | None = None,
) -> int:
    """The unit of a chunk (``among`` those given) that adds most to the words ``held`` already;
    -1 if the chunk has none.
    """
    rows = np.arange(*np.searchsorted(pool.unit_rows, [row, row + 1]))
    if among is not None:
        rows = rows[np.isin(pool.units[rows], among)]
    if not len(rows):
        return -1
    new = coverage.of(pool.unit_masks[rows] & ~np.int64(held))
    merit = new + np.maximum(pool.unit_dense[rows], 0.0)
    return int(pool.units[rows[int(np.argmax(merit))]])
