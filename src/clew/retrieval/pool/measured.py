"""The constants of linked evidence, written by a command.

``python -m benchmarks.multihop.fit --write`` does it; :mod:`clew.retrieval.pool.weights` says
how they are found. Fitted at commit cc3717402bf3+.

recall@5 / all-recall@5 on the tuning sets, whose passages were one corpus (2WikiMultiHopQA is held
out, the others were fitted on)::

    WITH_VECTORS on tune/hotpotqa: 98.0 / 96.0
    WITH_VECTORS on tune/musique: 79.6 / 59.0
    WITH_VECTORS on tune/2wiki: 98.3 / 95.9
    WORDS_ALONE on tune/hotpotqa: 97.5 / 96.0
    WORDS_ALONE on tune/musique: 76.3 / 50.0
    WORDS_ALONE on tune/2wiki: 98.3 / 95.2
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
            about=4.986,
            dense_gap=2.051,
            unit_dense_gap=2.109,
            words_gap=5.441,
            about_link=3.945,
            shared_link=6.466,
            bias=-1.073,
            slope=1.043,
            shift=-3.215,
        ),
        RoundWeights(
            about=4.794,
            dense_gap=2.744,
            unit_dense_gap=2.594,
            words_gap=4.922,
            about_link=4.337,
            shared_link=5.979,
            bias=-0.748,
            slope=1.017,
            shift=-3.361,
        ),
        RoundWeights(
            about=4.768,
            dense_gap=2.466,
            unit_dense_gap=2.745,
            words_gap=5.411,
            about_link=4.168,
            shared_link=5.8,
            bias=-0.692,
            slope=1.041,
            shift=-3.335,
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
            about=5.679,
            dense_gap=0.0,
            unit_dense_gap=0.0,
            words_gap=7.972,
            about_link=3.831,
            shared_link=6.622,
            bias=-1.842,
            slope=1.051,
            shift=-3.241,
        ),
        RoundWeights(
            about=5.587,
            dense_gap=0.0,
            unit_dense_gap=0.0,
            words_gap=9.067,
            about_link=4.238,
            shared_link=6.066,
            bias=-1.551,
            slope=1.019,
            shift=-3.458,
        ),
        RoundWeights(
            about=5.551,
            dense_gap=0.0,
            unit_dense_gap=0.0,
            words_gap=9.442,
            about_link=3.925,
            shared_link=5.951,
            bias=-1.471,
            slope=1.048,
            shift=-3.48,
        ),
    ),
    selection=SelectionWeights(
        new_words=3.0,
        source=1.0,
        sibling=0.2,
    ),
)
