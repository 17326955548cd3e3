"""Ranking: the BM25 formula that every store must reproduce, and the choice of the k best.

BM25 is that of SQLite's FTS5 (Robertson and Zaragoza, "The Probabilistic Relevance Framework",
2009) with its sign turned: k1 = 1.2, b = 0.75, idf floored so that a term in more than half of the
records still counts a little. Counts and lengths are those of the whole layer, whatever filter a
search has: a score says how good a text is, not how small the selection.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from clew.stores.base import Numbers, Ranking

K1 = 1.2
B = 0.75
LEAST_IDF = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class TermPostings:
    """The rows that hold one term, and how often each does."""

    rows: Numbers
    counts: NDArray[np.int64]


def idf(records: int, holding: int) -> float:
    return max(log((records - holding + 0.5) / (holding + 0.5)), LEAST_IDF)


def bm25(
    postings: Iterable[TermPostings], lengths: NDArray[np.int64], records: int, total_length: int
) -> NDArray[np.float64]:
    """Score every row; rows that hold none of the terms get 0.

    ``lengths`` counts the terms of each row. ``records`` and ``total_length`` are those of the
    layer: fewer than ``len(lengths)`` where rows of deleted records remain.
    """
    scores = np.zeros(len(lengths), np.float64)
    mean = total_length / records if total_length else 1.0
    for posting in postings:
        if not len(posting.rows):
            continue
        damping = K1 * (1.0 - B + B * (lengths[posting.rows] / mean))
        gain = posting.counts * (K1 + 1.0) / (posting.counts + damping)
        scores[posting.rows] += idf(records, len(posting.rows)) * gain
    return scores


def best(numbers: Numbers, scores: NDArray[np.floating], k: int) -> Ranking:
    """The ``k`` best of ``numbers`` (ascending), best first, equal scores in order of number."""
    k = min(k, len(numbers))
    scores = scores.astype(np.float32)
    if k <= 0:
        return Ranking(np.empty(0, np.int64), np.empty(0, np.float32))
    if k < len(numbers):
        bound = np.partition(scores, len(scores) - k)[len(scores) - k]
        above = np.flatnonzero(scores > bound)
        level = np.flatnonzero(scores == bound)[: k - len(above)]
        picked = np.concatenate((above, level))
        picked.sort()
        numbers, scores = numbers[picked], scores[picked]
    order = np.argsort(-scores, kind="stable")
    return Ranking(numbers[order], scores[order])
