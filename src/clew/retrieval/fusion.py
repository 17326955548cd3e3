"""Calibrated fusion: what a chunk is worth by itself, as a probability.

A logistic combination of meaning, words and the names in the question. Measured on three sets it
beats reciprocal ranks by three to four points of recall@5, because it keeps *how much* better the
first is than the tenth; and because it is a probability, a link can pass it on.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clew.retrieval.candidates import BestScores, Candidates
from clew.retrieval.named_chunks import NamedChunks, about_names, mentions_names
from clew.retrieval.weights import FusionWeights
from clew.stores.base import Scores


def fuse(
    pool: Candidates, best: BestScores, named: Sequence[NamedChunks], weights: FusionWeights
) -> Scores:
    """The probability that each chunk of the pool helps with the question, links left aside."""
    best_unit = pool.best_unit_dense()
    logits = (
        weights.dense * pool.dense
        + weights.unit_dense * best_unit
        + weights.words * pool.words
        + weights.unit_words * pool.best_unit_words()
        + weights.about * about_names(pool.chunks, named)
        + weights.mentions * mentions_names(pool.chunks, named)
        + weights.dense_gap * (pool.dense - best.dense)
        + weights.unit_dense_gap * (best_unit - best.unit_dense)
        + weights.words_gap * (pool.words - best.words)
        + weights.bias
    )
    return sigmoid(logits)


def sigmoid(logits: Scores) -> Scores:
    clipped = np.clip(logits, -30.0, 30.0)
    return (1.0 / (1.0 + np.exp(-clipped))).astype(np.float32)
