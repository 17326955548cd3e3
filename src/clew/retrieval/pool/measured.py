"""The constants of linked evidence, written by a command.

``python -m benchmarks.multihop.fit --write`` does it; :mod:`clew.retrieval.pool.weights` says
how they are found. Fitted at commit 36e51ccdfdf0+.

recall@5 / all-recall@5 on the tuning sets, whose passages were one corpus (2WikiMultiHopQA is held
out, the others were fitted on)::

    WITH_VECTORS on tune/hotpotqa: 98.0 / 96.0
    WITH_VECTORS on tune/musique: 79.2 / 58.0
    WITH_VECTORS on tune/2wiki: 98.5 / 96.6
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
        dense=3.594,
        unit_dense=1.503,
        words=3.452,
        unit_words=9.393,
        about=2.532,
        mentions=1.19,
        dense_gap=1.346,
        unit_dense_gap=1.817,
        words_gap=1.709,
        bias=-3.366,
        slope=0.869,
        shift=-3.361,
    ),
    rounds=(
        RoundWeights(
            about=4.972,
            dense_gap=2.215,
            unit_dense_gap=2.19,
            words_gap=4.996,
            about_link=4.258,
            shared_link=6.651,
            bias=-1.055,
            slope=1.042,
            shift=-3.208,
        ),
        RoundWeights(
            about=4.779,
            dense_gap=2.832,
            unit_dense_gap=2.576,
            words_gap=4.521,
            about_link=4.707,
            shared_link=6.176,
            bias=-0.776,
            slope=1.022,
            shift=-3.347,
        ),
        RoundWeights(
            about=4.743,
            dense_gap=2.585,
            unit_dense_gap=2.733,
            words_gap=5.013,
            about_link=4.458,
            shared_link=5.997,
            bias=-0.705,
            slope=1.048,
            shift=-3.321,
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
