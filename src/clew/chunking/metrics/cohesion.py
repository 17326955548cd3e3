"""Intrachunk cohesion: how much the pieces of a chunk are about what the chunk is about.

As the paper (arXiv 2603.25333) defines it: each chunk is cut at the split points inside it; its
score is the mean cosine of its pieces with the whole; chunks of a single piece are left out.
"""

from __future__ import annotations

import numpy as np

from clew.chunking.metrics.outcome import Outcome
from clew.chunking.metrics.plan import Plan
from clew.chunking.metrics.vectors import SpanVectors, cosines
from clew.chunking.metrics.words import Ints


def intrachunk_cohesion(plan: Plan, split_points: Ints, vectors: SpanVectors) -> Outcome:
    chunks, owners, starts, ends = _pieces(plan, split_points)
    if not len(chunks):
        return Outcome(None, "no chunk has two blocks to compare")
    wholes = vectors.of(plan.starts[chunks], plan.ends[chunks])
    similarity = cosines(vectors, (starts, ends), wholes, owners)
    scores = np.bincount(owners, weights=similarity) / np.bincount(owners)
    return Outcome.mean(scores, "mean likeness of blocks to the chunk that holds them")


def _pieces(plan: Plan, split_points: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the chunks that have several pieces, and of each piece which of those it is in
    (counted from 0), where it begins and where it ends.
    """
    first = np.searchsorted(split_points, plan.starts, side="right")
    inner = np.searchsorted(split_points, plan.ends) - first
    chunks = np.flatnonzero(inner > 0)
    counts = inner[chunks] + 1
    owners = np.repeat(np.arange(len(chunks)), counts)
    nth = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
    points = np.append(split_points, 0)
    splits = first[chunks][owners] + nth
    starts = np.where(nth == 0, plan.starts[chunks][owners], points[splits - 1])
    ends = np.where(nth == counts[owners] - 1, plan.ends[chunks][owners], points[splits])
    return chunks, owners, starts, ends
