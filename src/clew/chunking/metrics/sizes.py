"""Size, coverage and overlap: what the chunks hold, counted."""

from __future__ import annotations

import numpy as np

from clew.chunking.metrics.outcome import Outcome
from clew.chunking.metrics.plan import Plan
from clew.chunking.metrics.words import Ints, Words


def size_compliance(tokens: Ints, least: int, most: int) -> Outcome:
    """Return the share of chunks of ``least`` to ``most`` tokens, as the paper (arXiv 2603.25333)
    defines it; ``tokens`` has those of each chunk.
    """
    if not len(tokens):
        return Outcome(None, "there are no chunks")
    good = int(((tokens >= least) & (tokens <= most)).sum())
    return Outcome.share(good, len(tokens), f"chunks have {least:,} to {most:,} tokens")


def coverage(plan: Plan, words: Words) -> Outcome:
    """Return the share of the characters that are no white space which some chunk holds."""
    total = int(words.visible[-1])
    if not total:
        return Outcome(None, "the text is empty")
    covered = int(_fresh(plan, words).sum())
    return Outcome(covered / total, f"{covered:,} of {total:,} characters are in a chunk")


def overlap_control(plan: Plan, words: Words, most: float) -> Outcome:
    """Return 1 while at most the share ``most`` of the chunks repeats what the chunk before holds,
    falling to 0 where all does.
    """
    held = int((words.visible[plan.ends] - words.visible[plan.starts]).sum())
    if not held:
        return Outcome(None, "the chunks are empty")
    repeated = 1 - int(_fresh(plan, words).sum()) / held
    value = 1.0 if repeated <= most else (1 - repeated) / (1 - most)
    return Outcome(value, f"{repeated:.1%} of the chunks is in the chunk before too")


def _fresh(plan: Plan, words: Words) -> Ints:
    """Return how many characters of each chunk the one before does not hold."""
    if not len(plan):
        return np.zeros(0, np.int64)
    starts = np.concatenate((plan.starts[:1], np.maximum(plan.starts[1:], plan.ends[:-1])))
    fresh: Ints = words.visible[plan.ends] - words.visible[starts]
    return fresh
