"""Ranking: the BM25 formula that every store must reproduce, and the choice of the k best.

BM25 is that of SQLite's FTS5 (Robertson and Zaragoza, "The Probabilistic Relevance Framework",
2009) with its sign turned: k1 = 1.2, b = 0.75, idf floored so that a term in more than half of the
records still counts a little. Counts and lengths are those of a population of records that may be
larger than what is searched, and is never larger than what the asker may see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from clew.stores.base import Numbers, Ranking

K1 = 1.2
B = 0.75
LEAST_IDF = 1e-6
_SCAN_SHARE = 64


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
    for posting in postings:
        if len(posting.rows):
            held = idf(records, len(posting.rows))
            scores[posting.rows] += held * _gains(posting, lengths, records, total_length)
    return scores


def bm25_of_holders(
    postings: Sequence[TermPostings],
    lengths: NDArray[np.int64],
    records: int,
    total_length: int,
    *,
    allowed: Callable[[Numbers], NDArray[np.bool_]] | None = None,
    holding: Sequence[int] | None = None,
) -> tuple[Numbers, NDArray[np.float64]]:
    """The rows that hold any of the terms, ascending, and the scores that :func:`bm25` gives them.

    ``allowed`` says which of some rows are searched; it is asked before anything is added up. Rare
    terms and small selections take time that does not depend on the size of the layer. ``records``
    and ``total_length`` are those of the population, and ``holding`` is how many of its records
    hold each term (None: as many as there are rows).
    """
    parts = []
    for at, posting in enumerate(postings):
        chosen = posting if allowed is None else _only(posting, allowed(posting.rows))
        if len(chosen.rows):
            held = idf(records, len(posting.rows) if holding is None else holding[at])
            parts.append((chosen.rows, held * _gains(chosen, lengths, records, total_length)))
    if len(parts) == 1:
        return parts[0]
    if _SCAN_SHARE * sum(len(rows) for rows, _ in parts) > len(lengths):
        scores = np.zeros(len(lengths), np.float64)
        for rows, part in parts:
            scores[rows] += part
        found = np.flatnonzero(scores)
        return found, scores[found]
    found = np.unique(np.concatenate([rows for rows, _ in parts] or [np.empty(0, np.int64)]))
    scores = np.zeros(len(found), np.float64)
    for rows, part in parts:
        scores[np.searchsorted(found, rows)] += part
    return found, scores


def _only(posting: TermPostings, rows: NDArray[np.bool_]) -> TermPostings:
    return TermPostings(posting.rows[rows], posting.counts[rows])


def _gains(
    posting: TermPostings, lengths: NDArray[np.int64], records: int, total_length: int
) -> NDArray[np.float64]:
    """What one occurring term is worth in each row, before its idf."""
    mean = total_length / records if total_length else 1.0
    damping = K1 * (1.0 - B + B * (lengths[posting.rows] / mean))
    gains: NDArray[np.float64] = posting.counts * (K1 + 1.0) / (posting.counts + damping)
    return gains


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
