"""Repetition inside chunks, which makes them say little, and between chunks, which wastes them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clew.chunking.metrics.outcome import Outcome
from clew.chunking.metrics.plan import Plan
from clew.chunking.metrics.words import Ints, Words

_RUN = 8
"""So many words in the same order are no accident."""


def information_density(plan: Plan, words: Words) -> Outcome:
    """Return how many of the words of a chunk are different ones, on average over the chunks."""
    chunks, places = _members(plan, words, 1)
    if not len(chunks):
        return Outcome(None, "the chunks have no words")
    _, numbers = np.unique(words.numbers, return_inverse=True)
    different = np.unique(chunks * np.int64(len(words.numbers)) + numbers[places])
    totals = np.bincount(chunks, minlength=len(plan))
    distinct = np.bincount(different // len(words.numbers), minlength=len(plan))
    filled = totals > 0
    return Outcome.mean(distinct[filled] / totals[filled], "mean share of different words")


def redundancy(plan: Plan, words: Words) -> Outcome:
    """Return the share of runs of eight words that no chunk before has."""
    chunks, places = _members(plan, words, _RUN)
    if not len(chunks):
        return Outcome(None, f"no chunk has {_RUN} words")
    _, first, which = np.unique(_runs(words)[places], return_index=True, return_inverse=True)
    new = int((chunks[first][which] == chunks).sum())
    share = new / len(chunks)
    return Outcome(share, f"{new:,} of {len(chunks):,} runs of {_RUN} words are new")


def _members(plan: Plan, words: Words, run: int) -> tuple[Ints, Ints]:
    """Return of each run of words inside a chunk the chunk and the number of its first word."""
    first = np.searchsorted(words.starts, plan.starts)
    counts = np.searchsorted(words.starts, plan.ends) - first - (run - 1)
    counts = np.maximum(counts, 0)
    chunks = np.repeat(np.arange(len(plan)), counts)
    nth = np.arange(len(chunks)) - np.repeat(np.cumsum(counts) - counts, counts)
    return chunks, first[chunks] + nth


def _runs(words: Words) -> NDArray[np.uint64]:
    count = len(words.numbers) - _RUN + 1
    runs = np.zeros(count, np.uint64)
    for at in range(_RUN):
        runs = runs * np.uint64(0x9E3779B97F4A7C15) + words.numbers[at : at + count]
    return runs
