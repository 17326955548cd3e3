"""The constants of the calibrated retrieval methods, and where they come from.

All were found by logistic regression with ridge 3.0 on standardised features and weights ≥ 0, on
the tuning questions of HotpotQA and MuSiQue (``benchmarks/multihop``); positives share weight 1,
negatives 3 per question. The test sets were never fitted, and 2WikiMultiHopQA was not seen at all.
Features are in 0–1, and ``*_gap`` features are the distance to the best chunk (≤ 0), so the
probability that comes out means the same for every question.

A set of weights may be replaced: ``LinkedEvidence(weights=LinkedWeights(...))``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class FusionWeights:
    """How the evidence of a chunk by itself is combined (no graph)."""

    dense: float = 2.158
    unit_dense: float = 1.640
    words: float = 0.461
    unit_words: float = 7.775
    about: float = 2.849
    mentions: float = 1.092
    dense_gap: float = 0.862
    unit_dense_gap: float = 1.762
    words_gap: float = 2.083
    bias: float = -2.434


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundWeights:
    """How a chunk's own evidence and the links that lead to it are combined."""

    about: float
    title_words: float
    dense_gap: float
    unit_dense_gap: float
    words_gap: float
    about_link: float
    shared_link: float
    shared_link_dense: float = 0.0
    bias: float


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkedWeights:
    """The weights of linked evidence: each chunk by itself, then round by round."""

    alone: FusionWeights = FusionWeights()
    rounds: tuple[RoundWeights, ...] = (
        RoundWeights(
            about=3.587,
            title_words=0.938,
            dense_gap=2.794,
            unit_dense_gap=2.702,
            words_gap=4.857,
            about_link=5.549,
            shared_link=6.305,
            bias=-0.604,
        ),
        RoundWeights(
            about=3.330,
            title_words=0.915,
            dense_gap=2.924,
            unit_dense_gap=3.158,
            words_gap=4.776,
            about_link=5.798,
            shared_link=5.317,
            shared_link_dense=1.000,
            bias=-0.401,
        ),
    )


WITH_VECTORS = LinkedWeights()
WORDS_ALONE = LinkedWeights()


def weights_for(*, with_vectors: bool) -> LinkedWeights:
    """The measured weights for a search with or without an embedder."""
    return WITH_VECTORS if with_vectors else WORDS_ALONE
