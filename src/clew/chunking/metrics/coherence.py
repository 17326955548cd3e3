"""Document contextual coherence: how much chunks are about what stands around them.

As the paper (arXiv 2603.25333) defines it: from each chunk on, a window takes the chunks that
follow while it holds at most 3,000 tokens, what overlaps counted once. A window that ends where the
one before it ended is left out, and one of a single chunk too. The value is the mean cosine of a
window with a chunk in it, over all such pairs.

The sum of those cosines over a window is the product of its vector with the sum of its chunks'
vectors, so a window costs one product however many chunks it holds.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from clew.chunking.metrics.outcome import Outcome
from clew.chunking.metrics.plan import Plan
from clew.chunking.metrics.vectors import SpanVectors
from clew.chunking.metrics.words import Ints
from clew.chunking.row_sums import row_sums

TokensIn = Callable[[Ints, Ints], Ints]
"""Starts and ends of spans → the tokens in each."""

_LONGEST_SLAB = 8192


def document_contextual_coherence(
    plan: Plan, vectors: SpanVectors, tokens_in: TokensIn, window_tokens: int
) -> Outcome:
    firsts, lasts = _windows(plan, tokens_in, window_tokens)
    if not len(firsts):
        return Outcome(None, "no two chunks stand in one window")
    sums = _sums(plan, vectors)
    totals = np.concatenate(
        [
            np.einsum(
                "ij,ij->i",
                vectors.of(plan.starts[firsts[part]], plan.ends[lasts[part]]),
                sums[lasts[part] + 1] - sums[firsts[part]],
            )
            for part in _slabs(len(firsts))
        ]
    )
    members = lasts - firsts + 1
    value = float(np.clip(totals.sum() / members.sum(), 0.0, 1.0))
    spread = Outcome.mean(totals / members, "").error
    return Outcome(
        value, f"mean likeness of chunks to the {len(firsts):,} windows around them", spread
    )


def _windows(plan: Plan, tokens_in: TokensIn, limit: int) -> tuple[Ints, Ints]:
    """Return first and last chunk of each window that counts."""
    if len(plan) < 2:
        nothing = np.zeros(0, np.int64)
        return nothing, nothing
    own = tokens_in(plan.starts, plan.ends)
    fresh = np.maximum(plan.starts[1:], plan.ends[:-1])
    added = np.concatenate(([0], np.cumsum(tokens_in(fresh, plan.ends[1:]))))
    numbers = np.arange(len(plan))
    lasts = np.searchsorted(added, added + limit - own, side="right") - 1
    lasts = np.maximum(lasts, numbers)
    several = np.flatnonzero(lasts > numbers)
    ends, kept = np.unique(lasts[several], return_index=True)
    return several[kept], ends


def _sums(plan: Plan, vectors: SpanVectors) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    rows = np.concatenate(
        [vectors.of(plan.starts[part], plan.ends[part]) for part in _slabs(len(plan))]
    )
    return row_sums(rows)


def _slabs(count: int) -> list[slice]:
    return [slice(at, at + _LONGEST_SLAB) for at in range(0, count, _LONGEST_SLAB)]
