"""The constants of linked evidence. Written by ``python -m benchmarks.multihop.fit --write``."""

from __future__ import annotations

from clew.retrieval.pool.stages import FusionWeights, LinkedWeights, RoundWeights

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
            dense_gap=2.71,
            unit_dense_gap=2.219,
            words_gap=3.847,
            about_link=3.888,
            shared_link=6.13,
            bias=-0.98,
            slope=1.017,
            shift=-3.107,
        ),
        RoundWeights(
            about=3.638,
            dense_gap=3.008,
            unit_dense_gap=2.686,
            words_gap=4.003,
            about_link=4.271,
            shared_link=5.575,
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
            dense_gap=0.0,
            unit_dense_gap=0.0,
            words_gap=6.735,
            about_link=3.973,
            shared_link=6.281,
            bias=-1.824,
            slope=1.037,
            shift=-3.214,
        ),
        RoundWeights(
            about=3.442,
            dense_gap=0.0,
            unit_dense_gap=0.0,
            words_gap=7.772,
            about_link=4.517,
            shared_link=6.148,
            bias=-1.566,
            slope=0.992,
            shift=-3.43,
        ),
    ),
)
