"""The constants of linked evidence, written by a command.

``python -m benchmarks.multihop.fit --write`` does it; :mod:`clew.retrieval.pool.weights` says
how they are found. Fitted at commit 8c798160e1bf.

recall@5 / all-recall@5 on the tuning sets, whose passages were one corpus (2WikiMultiHopQA is held
out, the others were fitted on)::

    WITH_VECTORS on tune/hotpotqa: 98.0 / 96.0
    WITH_VECTORS on tune/musique: 77.7 / 54.0
    WITH_VECTORS on tune/2wiki: 98.5 / 95.9
    WORDS_ALONE on tune/hotpotqa: 97.5 / 96.0
    WORDS_ALONE on tune/musique: 74.7 / 47.0
    WORDS_ALONE on tune/2wiki: 98.6 / 95.9
"""

from __future__ import annotations

from clew.retrieval.pool.stages import (
    FusionWeights,
    LinkedWeights,
    RoundWeights,
    SelectionWeights,
)

WITH_VECTORS = LinkedWeights(
    alone=FusionWeights(
        dense=3.136,
        unit_dense=1.459,
        words=1.964,
        unit_words=8.446,
        about=2.579,
        mentions=1.666,
        dense_gap=1.69,
        unit_dense_gap=1.748,
        words_gap=2.036,
        bias=-2.979,
        slope=0.921,
        shift=-3.304,
    ),
    rounds=(
        RoundWeights(
            about=5.03,
            dense_gap=2.489,
            unit_dense_gap=2.244,
            words_gap=4.626,
            about_link=3.919,
            shared_link=6.347,
            bias=-1.125,
            slope=1.049,
            shift=-3.14,
        ),
        RoundWeights(
            about=4.784,
            dense_gap=2.89,
            unit_dense_gap=2.786,
            words_gap=4.432,
            about_link=4.205,
            shared_link=5.922,
            bias=-0.769,
            slope=1.021,
            shift=-3.298,
        ),
        RoundWeights(
            about=4.77,
            dense_gap=2.751,
            unit_dense_gap=2.89,
            words_gap=4.667,
            about_link=4.034,
            shared_link=5.814,
            bias=-0.76,
            slope=1.043,
            shift=-3.268,
        ),
    ),
    selection=SelectionWeights(
        new_words=3.0,
        source=1.0,
        sibling=0.2,
    ),
)
WORDS_ALONE = LinkedWeights(
    alone=FusionWeights(
        dense=0.0,
        unit_dense=0.0,
        words=4.897,
        unit_words=8.219,
        about=3.546,
        mentions=1.976,
        dense_gap=0.0,
        unit_dense_gap=0.0,
        words_gap=5.629,
        bias=-2.76,
        slope=0.943,
        shift=-2.937,
    ),
    rounds=(
        RoundWeights(
            about=5.667,
            dense_gap=0.0,
            unit_dense_gap=0.0,
            words_gap=7.639,
            about_link=4.039,
            shared_link=6.737,
            bias=-1.857,
            slope=1.057,
            shift=-3.235,
        ),
        RoundWeights(
            about=5.536,
            dense_gap=0.0,
            unit_dense_gap=0.0,
            words_gap=8.744,
            about_link=4.557,
            shared_link=6.076,
            bias=-1.541,
            slope=1.027,
            shift=-3.449,
        ),
        RoundWeights(
            about=5.564,
            dense_gap=0.0,
            unit_dense_gap=0.0,
            words_gap=9.277,
            about_link=4.14,
            shared_link=6.094,
            bias=-1.469,
            slope=1.05,
            shift=-3.482,
        ),
    ),
    selection=SelectionWeights(
        new_words=3.0,
        source=1.0,
        sibling=0.2,
    ),
)
