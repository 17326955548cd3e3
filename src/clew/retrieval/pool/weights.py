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
            about=3.89,
            title_words=0.49,
            dense_gap=2.71,
            unit_dense_gap=2.219,
            words_gap=3.847,
            about_link=3.888,
            shared_link=6.13,
            shared_link_dense=0.0,
            bias=-0.98,
            slope=1.017,
            shift=-3.107,
        ),
        RoundWeights(
            about=3.638,
            title_words=0.531,
            dense_gap=3.008,
            unit_dense_gap=2.686,
            words_gap=4.003,
            about_link=4.271,
            shared_link=5.575,
            shared_link_dense=0.703,
            bias=-0.627,
            slope=0.977,
            shift=-3.242,
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
            about=3.766,
            title_words=1.353,
            dense_gap=0.0,
            unit_dense_gap=0.0,
            words_gap=6.735,
            about_link=3.973,
            shared_link=6.281,
            shared_link_dense=0.0,
            bias=-1.824,
            slope=1.037,
            shift=-3.214,
        ),
        RoundWeights(
            about=3.442,
            title_words=1.452,
            dense_gap=0.0,
            unit_dense_gap=0.0,
            words_gap=7.772,
            about_link=4.517,
            shared_link=6.148,
            shared_link_dense=0.0,
            bias=-1.566,
            slope=0.992,
            shift=-3.43,
        ),
    ),
)


def weights_for(*, with_vectors: bool) -> LinkedWeights:
    """The measured weights for a search with or without an embedder."""
    return WITH_VECTORS if with_vectors else WORDS_ALONE
