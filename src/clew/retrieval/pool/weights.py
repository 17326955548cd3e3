"""The constants of the calibrated retrieval methods, and where they come from.

``python -m benchmarks.multihop.fit --write`` finds them and writes
:mod:`clew.retrieval.pool.measured`: logistic regression with ridge 3.0 on standardised features and
weights ≥ 0, on the tuning questions of HotpotQA and MuSiQue, asked of the passages of all tuning
sets together; positives share weight 1, negatives 3 per question. 2WikiMultiHopQA is held out, and
no test question was ever fitted on.

Because positives and negatives are balanced in the fit, its scores are too high as probabilities;
links are weighed by them, and what users see is brought to the share of chunks that really support
the answer by ``slope`` and ``shift``. The weights of the selection were chosen by hand on the same
questions, by twofold cross-validation. A set of weights may be replaced:
``LinkedEvidence(weights=…)``.
"""

from __future__ import annotations

from clew.retrieval.pool.measured import WITH_VECTORS, WORDS_ALONE
from clew.retrieval.pool.stages import (
    FusionWeights,
    LinkedWeights,
    RoundWeights,
    SelectionWeights,
)

__all__ = [
    "WITH_VECTORS",
    "WORDS_ALONE",
    "FusionWeights",
    "LinkedWeights",
    "RoundWeights",
    "SelectionWeights",
    "weights_for",
]


def weights_for(*, with_vectors: bool) -> LinkedWeights:
    """The measured weights for a search with or without an embedder."""
    return WITH_VECTORS if with_vectors else WORDS_ALONE
