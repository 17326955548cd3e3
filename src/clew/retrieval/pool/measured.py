"""The constants of linked evidence, written by a command.

``python -m benchmarks.multihop.fit --write`` does it; :mod:`clew.retrieval.pool.weights` says
how they are found. Fitted at commit a68e6204af0d.

recall@5 / all-recall@5 on the tuning sets, whose passages were one corpus (2WikiMultiHopQA is held
out, the others were fitted on)::

    WITH_VECTORS on tune/hotpotqa: 97.5 / 95.0
    WITH_VECTORS on tune/musique: 77.2 / 53.0
    WITH_VECTORS on tune/2wiki: 98.1 / 94.5
    WORDS_ALONE on tune/hotpotqa: 98.0 / 96.0
    WORDS_ALONE on tune/musique: 73.8 / 45.0
    WORDS_ALONE on tune/2wiki: 98.1 / 95.2
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
            about=5.044,
            dense_gap=2.471,
            unit_dense_gap=2.234,
            words_gap=4.629,
            about_link=3.929,
            shared_link=6.358,
            bias=-1.132,
            slope=1.049,
            shift=-3.143,
        ),
        RoundWeights(
            about=4.793,
            dense_gap=2.883,
            unit_dense_gap=2.783,
            words_gap=4.433,
            about_link=4.217,
            shared_link=5.928,
            bias=-0.772,
            slope=1.022,
            shift=-3.3,
        ),
        RoundWeights(
            about=4.793,
            dense_gap=2.883,
            unit_dense_gap=2.783,
            words_gap=4.433,
            about_link=4.217,
            shared_link=5.928,
            bias=-0.772,
            slope=1.022,
            shift=-3.3,
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
            about=5.686,
            dense_gap=0.0,
            unit_dense_gap=0.0,
            words_gap=7.605,
            about_link=4.063,
            shared_link=6.766,
            bias=-1.866,
            slope=1.056,
            shift=-3.24,
        ),
        RoundWeights(
            about=5.553,
            dense_gap=0.0,
            unit_dense_gap=0.0,
            words_gap=8.732,
            about_link=4.576,
            shared_link=6.088,
            bias=-1.545,
            slope=1.027,
            shift=-3.451,
        ),
        RoundWeights(
            about=5.553,
            dense_gap=0.0,
            unit_dense_gap=0.0,
            words_gap=8.732,
            about_link=4.576,
            shared_link=6.088,
            bias=-1.545,
            slope=1.027,
            shift=-3.451,
        ),
    ),
    selection=SelectionWeights(
        new_words=3.0,
        source=1.0,
        sibling=0.2,
    ),
)
