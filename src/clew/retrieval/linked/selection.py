"""The first results are chosen together, because an answer is put together from several.

One after the other, the chunk is taken that adds most to those taken already. Beside its own logit
count

* **new words**: the share of the question that it covers and none taken yet does;
* **source**: a chunk that the best link into one taken came from is half of that evidence;
* **siblings**: each one taken that was reached from the same source counts against it, so that the
  eleven actors of a film do not crowd out its director's birthplace.

This is the greedy maximum of a submodular gain (the first and the last; Lin and Bilmes, "A Class of
Submodular Functions for Document Summarization", 2011) with a bonus that keeps paths whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clew.retrieval.pool.weights import SelectionWeights
from clew.retrieval.pool.word_scores import Coverage
from clew.stores.base import Numbers, Scores

CONSIDERED = 40
TAKEN = 10


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Choice:
    """Rows of the pool, best first, and the logit that each had when its turn came. Rows that were
    not considered are not among them.
    """

    rows: Numbers
    logits: Scores


def choose(
    logits: Scores,
    sources: Numbers,
    masks: NDArray[np.int64],
    coverage: Coverage,
    weights: SelectionWeights,
) -> Choice:
    """Order the ``CONSIDERED`` best rows. ``sources`` is per row the one that the best link into it
    came from (-1: none), ``masks`` the words of the question that it holds.
    """
    rows = np.argsort(-logits, kind="stable")[:CONSIDERED]
    own, source, held = logits[rows].astype(np.float64), sources[rows], masks[rows]
    worth = 1.0 / (1.0 + np.exp(-np.clip(own, -30.0, 30.0)))
    extra, free = np.zeros(len(rows)), np.ones(len(rows), dtype=bool)
    paid, covered = np.zeros(len(rows)), np.int64(0)
    order, values = [], []
    for _ in range(min(TAKEN, len(rows))):
        new = coverage.of(held | covered) - coverage.of(np.array([covered]))[0]
        gains = np.where(free, own + extra + weights.new_words * new, -np.inf)
        best = int(np.argmax(gains))
        order.append(best)
        values.append(float(gains[best]))
        free[best] = False
        covered |= held[best]
        if source[best] >= 0:
            bonus = np.where(rows == source[best], weights.source * worth[best], 0.0)
            extra += np.maximum(bonus - paid, 0.0)
            paid = np.maximum(paid, bonus)
            extra -= weights.sibling * (source == source[best])
    left = np.flatnonzero(free)
    return Choice(
        rows=rows[np.concatenate([np.array(order, dtype=np.int64), left])],
        logits=np.concatenate([values, own[left]]).astype(np.float32),
    )
