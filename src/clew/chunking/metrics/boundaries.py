"""Where chunks part: at what boundary, and between what topics."""

from __future__ import annotations

import numpy as np

from clew.chunking.metrics.outcome import Outcome
from clew.chunking.metrics.plan import Plan
from clew.chunking.metrics.vectors import SpanVectors, cosines
from clew.chunking.metrics.words import Ints

_SECTION, _BLOCK, _SENTENCE, _TOKEN = 1.0, 0.9, 0.6, 0.2


def boundary_quality(
    plan: Plan, section_starts: Ints, split_points: Ints, sentence_starts: Ints, token_starts: Ints
) -> Outcome:
    """Return how good the places are where chunks begin: at a section 1, a block 0.9, a sentence
    0.6, a word 0.2, inside a word 0.
    """
    if len(plan) < 2:
        return Outcome(None, "a single chunk has no cut")
    values = np.zeros(len(plan) - 1)
    levels = (
        (_TOKEN, token_starts),
        (_SENTENCE, sentence_starts),
        (_BLOCK, split_points),
        (_SECTION, section_starts),
    )
    for value, places in levels:
        values[np.isin(plan.cuts, places)] = value
    return Outcome.mean(values, "mean strength of the places where chunks begin")


def semantic_drift(plan: Plan, vectors: SpanVectors) -> Outcome:
    """Return how little neighbouring chunks are alike: cuts should stand where the topic drifts."""
    if len(plan) < 2:
        return Outcome(None, "a single chunk has no neighbour")
    later = vectors.of(plan.starts[1:], plan.ends[1:])
    alike = cosines(vectors, (plan.starts[:-1], plan.ends[:-1]), later, np.arange(len(plan) - 1))
    return Outcome.mean(1 - np.clip(alike, 0, 1), "mean unlikeness of neighbouring chunks")
