"""The constants of the calibrated retrieval methods, and where they come from.

``python -m benchmarks.multihop.fit`` finds them: logistic regression with ridge 3.0 on standardised
features and weights ≥ 0, on the tuning questions of HotpotQA and MuSiQue; positives share weight 1,
negatives 3 per question. 2WikiMultiHopQA was held out (recall@5 on its tuning questions: 98.5), and
no test question was ever fitted on. A first fit on another index of the same passages came to
nearly the same values, and small changes of them change little.

Features are in 0–1, and those named ``*_gap`` are the distance to the best chunk (≤ 0), so that a
score means the same for every question. Because positives and negatives are balanced in the fit,
its scores are too high as probabilities; links are weighed by them, and what users see is brought
to the share of chunks that really support the answer by ``slope`` and ``shift`` (Platt scaling, on
the same questions). A set of weights may be replaced: ``LinkedEvidence(weights=…)``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class FusionWeights:
    """How the evidence of a chunk by itself is combined (no graph)."""

    dense: float
    unit_dense: float
    words: float
    unit_words: float
    about: float
    mentions: float
    dense_gap: float
    unit_dense_gap: float
    words_gap: float
    bias: float
    slope: float = 1.0
    shift: float = 0.0


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
    shared_link_dense: float
    bias: float
    slope: float = 1.0
    shift: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkedWeights:
    """The weights of linked evidence: each chunk by itself, then round by round."""

    alone: FusionWeights
    rounds: tuple[RoundWeights, ...]


WITH_VECTORS = LinkedWeights(
    alone=FusionWeights(
        dense=3.547,
        unit_dense=1.613,
        words=0.595,
        unit_words=9.127,
        about=2.451,
        mentions=1.703,
        dense_gap=1.784,
        unit_dense_gap=1.606,
        words_gap=0.985,
        bias=-2.926,
        slope=0.909,
        shift=-3.255,
    ),
    rounds=(
        RoundWeights(
            about=3.774,
            title_words=0.64,
            dense_gap=2.65,
            unit_dense_gap=2.218,
            words_gap=3.801,
            about_link=3.886,
            shared_link=6.127,
            shared_link_dense=0.0,
            bias=-1.015,
            slope=1.015,
            shift=-3.112,
        ),
        RoundWeights(
            about=3.521,
            title_words=0.675,
            dense_gap=2.959,
            unit_dense_gap=2.685,
            words_gap=3.956,
            about_link=4.269,
            shared_link=5.598,
            shared_link_dense=0.659,
            bias=-0.658,
            slope=0.974,
            shift=-3.248,
        ),
    ),
)
WORDS_ALONE = LinkedWeights(
    alone=FusionWeights(
        dense=0.0,
        unit_dense=0.0,
        words=3.814,
        unit_words=8.936,
        about=3.351,
        mentions=2.087,
        dense_gap=0.0,
        unit_dense_gap=0.0,
        words_gap=5.09,
        bias=-2.541,
        slope=0.957,
        shift=-2.863,
    ),
    rounds=(
        RoundWeights(
            about=3.637,
            title_words=1.524,
            dense_gap=0.0,
            unit_dense_gap=0.0,
            words_gap=6.643,
            about_link=3.963,
            shared_link=6.294,
            shared_link_dense=0.0,
            bias=-1.849,
            slope=1.031,
            shift=-3.221,
        ),
        RoundWeights(
            about=3.325,
            title_words=1.609,
            dense_gap=0.0,
            unit_dense_gap=0.0,
            words_gap=7.708,
            about_link=4.491,
            shared_link=6.169,
            shared_link_dense=0.0,
            bias=-1.585,
            slope=0.987,
            shift=-3.436,
        ),
    ),
)


def weights_for(*, with_vectors: bool) -> LinkedWeights:
    """The measured weights for a search with or without an embedder."""
    return WITH_VECTORS if with_vectors else WORDS_ALONE
