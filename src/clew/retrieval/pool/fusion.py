"""Calibrated fusion: what a chunk is worth by itself, as a probability.

A logistic combination of meaning, words and the names in the question. In a prototype it beat
reciprocal ranks by two to four points of recall@5 on three sets, because it keeps *how much* better
the first is than the tenth; and because it is on one scale for all questions, a link can pass it
on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from clew.retrieval.pool.candidates import BestScores, Candidates
from clew.retrieval.pool.named_chunks import NamedChunks, about_names, mentions_names
from clew.retrieval.pool.weights import FusionWeights, RoundWeights
from clew.stores.base import Scores


def own_features(
    pool: Candidates, best: BestScores, named: Sequence[NamedChunks]
) -> dict[str, Scores]:
    """What speaks for each chunk of the pool by itself, under the names of the weights."""
    unit_dense = pool.best_unit_dense()
    return {
        "dense": pool.dense,
        "unit_dense": unit_dense,
        "words": pool.words,
        "unit_words": pool.best_unit_words(),
        "about": about_names(pool.chunks, named),
        "mentions": mentions_names(pool.chunks, named),
        "dense_gap": pool.dense - best.dense,
        "unit_dense_gap": unit_dense - best.unit_dense,
        "words_gap": pool.words - best.words,
    }


def combine(features: Mapping[str, Scores], weights: FusionWeights | RoundWeights) -> Scores:
    """The weighted sum of the features that ``weights`` knows, and its bias: a logit."""
    count = len(next(iter(features.values())))
    logits = np.full(count, weights.bias, dtype=np.float32)
    for name, values in features.items():
        logits += np.float32(getattr(weights, name, 0.0)) * values
    return logits


def shown(scores: Scores, weights: FusionWeights | RoundWeights) -> Scores:
    """Scores as users see them: the share of chunks with this score that support the answer."""
    inside = np.clip(scores, 1e-7, 1.0 - 1e-7)
    logits = np.log(inside) - np.log1p(-inside)
    return sigmoid((weights.slope * logits + weights.shift).astype(np.float32))


def sigmoid(logits: Scores) -> Scores:
    clipped = np.clip(logits, -30.0, 30.0)
    return (1.0 / (1.0 + np.exp(-clipped))).astype(np.float32)
