"""Weights, presets, lift; and that every metric keeps to 0–1 or says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from clew.chunking import ChunkingConfig, Span, make_chunker
from clew.chunking.metrics import (
    IntrinsicMetricEvaluator,
    MetricConfig,
    MetricScore,
    MetricWeights,
    error_of,
    score_of,
)
from clew.chunking.outline import Outline
from clew.errors import ConfigError
from clew.text.blocks import partition

ALL = MetricWeights(sentence_integrity=1.0)
TEXT = (
    "# Rope\n\nHemp rope is old. It was made by hand. Sailors tarred it.\n\n"
    "## Kinds\n\nJute rope is soft. It rots. Manila rope floats.\n\n"
    "# Bread\n\nRye bread is dark. It keeps for weeks. Bakers like it.\n"
)


def _by_name(metrics: Sequence[MetricScore]) -> dict[str, MetricScore]:
    return {metric.name: metric for metric in metrics}


def _cut_at(*places: int) -> list[Span]:
    return [Span(a, b) for a, b in zip([0, *places], [*places, len(TEXT)], strict=True)]


def test_the_eleven_metrics_of_the_default() -> None:
    metrics = IntrinsicMetricEvaluator().evaluate(TEXT, _cut_at(TEXT.index("# Bread")))
    weights = {metric.name: metric.weight for metric in metrics}
    assert len(weights) == 11
    assert weights["intrachunk_cohesion"] == 1.2
    assert "sentence_integrity" not in weights
    assert all(metric.explanation for metric in metrics)


def test_a_cut_at_a_section_is_better_than_one_in_a_word() -> None:
    evaluator = IntrinsicMetricEvaluator(MetricConfig(weights=ALL))
    good = _by_name(evaluator.evaluate(TEXT, _cut_at(TEXT.index("# Bread"))))
    bad = _by_name(evaluator.evaluate(TEXT, _cut_at(TEXT.index("anila"))))
    for name in ("block_integrity", "sentence_integrity", "boundary_quality", "semantic_drift"):
        better, worse = good[name].value, bad[name].value
        assert better is not None
        assert worse is not None
        assert better > worse
    assert bad["boundary_quality"].value == 0
    assert good["boundary_quality"].value == 1


def test_lost_and_repeated_text_is_seen() -> None:
    evaluator = IntrinsicMetricEvaluator()
    half = len(TEXT) // 2
    lost = _by_name(evaluator.evaluate(TEXT, [Span(0, half)]))
    assert lost["coverage"].value == pytest.approx(0.5, abs=0.1)
    twice = _by_name(evaluator.evaluate(TEXT, [Span(0, len(TEXT) - 2), Span(1, len(TEXT))]))
    assert twice["coverage"].value == 1
    for name in ("overlap_control", "redundancy"):
        assert (twice[name].value or 0) < 0.7


def test_sizes_by_a_counter_of_ones_own() -> None:
    config = MetricConfig(
        weights=MetricWeights.only(size_compliance=1), target_min_tokens=1, target_max_tokens=3
    )
    spans = _cut_at(TEXT.index("# Bread"))
    assert IntrinsicMetricEvaluator(config).evaluate(TEXT, spans)[0].value == 0
    counted = MetricConfig(
        weights=config.weights,
        target_min_tokens=1,
        target_max_tokens=3,
        count_tokens=lambda text: text.count("#"),
    )
    assert IntrinsicMetricEvaluator(counted).evaluate(TEXT, spans)[0].value == 1


def test_lift_is_the_way_from_the_windows_to_one() -> None:
    evaluator = IntrinsicMetricEvaluator(MetricConfig.preset("lift"))
    half = len(TEXT) // 2
    windows = evaluator.evaluate(TEXT, _cut_at(half))
    assert score_of(windows) == pytest.approx(0, abs=1e-6)
    for metric in evaluator.evaluate(TEXT, _cut_at(TEXT.index("# Bread"))):
        assert metric.value is not None
        assert metric.baseline is not None
        way = max(1 - metric.baseline, 0.05)
        assert metric.counted == pytest.approx((metric.value - metric.baseline) / way)
        assert "windows of equal length" in metric.explanation


def test_the_score_leaves_out_what_has_no_value() -> None:
    def metric(value: float | None, weight: float, baseline: float | None = None) -> MetricScore:
        return MetricScore(
            name="m", value=value, weight=weight, explanation="", baseline=baseline, error=0.1
        )

    assert score_of([metric(1.0, 3), metric(0.0, 1), metric(None, 9)]) == 0.75
    assert score_of([metric(None, 1)]) == 0
    assert score_of([metric(0.0, 1, 0.99)]) == -1
    assert error_of([metric(1.0, 1), metric(None, 9)]) == pytest.approx(0.1)
    assert error_of([]) == 0


def test_presets() -> None:
    paper = MetricConfig.preset("paper")
    counting = {name for name, weight in paper.weights.to_dict().items() if weight}
    assert len(counting) == 5
    assert (paper.target_min_tokens, paper.target_max_tokens) == (100, 1100)
    assert MetricConfig.preset("reference") == MetricConfig()
    assert MetricConfig.preset("lift").lift
    with pytest.raises(ConfigError, match="lift, paper, reference"):
        MetricConfig.preset("papers")


@pytest.mark.parametrize(
    "make",
    [
        lambda: MetricWeights(coverage=-1),
        lambda: MetricWeights(coverage=float("nan")),
        MetricWeights.only,
        lambda: MetricWeights.only(size=1),
        lambda: MetricConfig(target_min_tokens=9, target_max_tokens=8),
        lambda: MetricConfig(max_overlap_ratio=1.0),
        lambda: MetricConfig(window_tokens=-1),
    ],
)
def test_what_means_nothing_is_refused(make: object) -> None:
    assert callable(make)
    with pytest.raises(ConfigError):
        make()


def test_an_embedder_sees_each_block_once() -> None:
    seen: list[str] = []

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        seen.extend(texts)
        bread = np.array(["bread" in text.lower() for text in texts], np.float32)
        return np.stack([bread, 1 - bread], axis=1)

    evaluator = IntrinsicMetricEvaluator(
        MetricConfig(weights=MetricWeights.only(intrachunk_cohesion=1)), embed=embed
    )
    (apart,) = evaluator.evaluate(TEXT, _cut_at(TEXT.index("# Bread")))
    assert "".join(seen) == TEXT
    assert apart.value == pytest.approx(1)
    (together,) = evaluator.evaluate(TEXT, _cut_at(TEXT.index("## Kinds")))
    assert (together.value or 0) < 0.95


_LINES = st.sampled_from(
    [
        "# Rope",
        "Hemp is old. It holds.",
        "- item",
        "| a | b |",
        "```",
        "麻绳很旧。它很结实。",
        "",
        "See Table 1.",
    ]
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(_LINES, max_size=25).map("\n".join),
    st.integers(1, 60),
    st.sampled_from(["recursive", "sentence", "fixed-window", "paragraph"]),
    st.booleans(),
)
def test_every_value_lies_between_0_and_1(text: str, size: int, strategy: str, lift: bool) -> None:
    evaluator = IntrinsicMetricEvaluator(MetricConfig(weights=ALL, lift=lift))
    config = ChunkingConfig(chunk_size=size, chunk_overlap=size // 3, chunk_strategy=strategy)
    outline = Outline(text, partition(text, "markdown"))
    spans = make_chunker(config).cuts(outline)
    for metric in evaluator.evaluate(evaluator.analyse(outline), spans):
        for value in (metric.value, metric.baseline):
            assert value is None or 0 <= value <= 1
        assert metric.counted is None or -1 <= metric.counted <= 1
        assert metric.error >= 0
    assert -1 <= score_of(evaluator.evaluate(text, spans)) <= 1


def test_no_chunks_cover_nothing() -> None:
    for lift in (False, True):
        evaluator = IntrinsicMetricEvaluator(MetricConfig(weights=ALL, lift=lift))
        metrics = _by_name(evaluator.evaluate(TEXT, []))
        assert metrics["coverage"].value == 0
        assert metrics["block_integrity"].value is None


def test_similar_plans_have_the_same_windows() -> None:
    evaluator = IntrinsicMetricEvaluator(MetricConfig.preset("lift"))
    outline = Outline(TEXT * 40, partition(TEXT * 40, "markdown"))
    analysis = evaluator.analyse(outline)
    for count in (500, 502):
        edges = np.linspace(0, len(outline.text), count + 1).astype(int).tolist()
        evaluator.evaluate(analysis, [Span(a, b) for a, b in pairwise(edges)])
    assert len(analysis.baselines) == 4
