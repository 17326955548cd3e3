"""What stays whole: the blocks of the document, and its sentences."""

from __future__ import annotations

import numpy as np

from clew.chunking.metrics.outcome import Outcome
from clew.chunking.metrics.plan import Plan
from clew.chunking.metrics.words import Ints


def block_integrity(plan: Plan, split_points: Ints, length: int, tolerance: int) -> Outcome:
    """Return the share of blocks in which no chunk begins more than ``tolerance`` characters from
    either end, as the paper (arXiv 2603.25333) defines it; 1 for a single chunk.
    """
    if not len(plan):
        return Outcome(None, "there are no chunks")
    bounds = np.concatenate(([0], split_points, [length]))
    before = np.searchsorted(plan.cuts, bounds[:-1] + tolerance, side="right")
    behind = np.searchsorted(plan.cuts, bounds[1:] - tolerance)
    whole = int((behind <= before).sum())
    return Outcome.share(whole, len(bounds) - 1, "blocks are not cut")


def sentence_integrity(plan: Plan, sentences: tuple[Ints, Ints]) -> Outcome:
    """Return the share of sentences that some chunk holds from their start to their end."""
    starts, ends = sentences
    if not len(plan) or not len(starts):
        return Outcome(None, "there are no sentences")
    holder = np.searchsorted(plan.starts, starts, side="right") - 1
    whole = int(((holder >= 0) & (plan.ends[np.maximum(holder, 0)] >= ends)).sum())
    return Outcome.share(whole, len(starts), "sentences are whole in a chunk")
