"""All metrics of a plan, each with its value, weight and explanation, and their one score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Protocol

import numpy as np

from clew.chunking.metrics.analysis import Analysis
from clew.chunking.metrics.boundaries import boundary_quality, semantic_drift
from clew.chunking.metrics.coherence import document_contextual_coherence
from clew.chunking.metrics.cohesion import intrachunk_cohesion
from clew.chunking.metrics.config import MetricConfig
from clew.chunking.metrics.integrity import block_integrity, sentence_integrity
from clew.chunking.metrics.outcome import Outcome
from clew.chunking.metrics.plan import Plan
from clew.chunking.metrics.references import references_completeness
from clew.chunking.metrics.repetition import information_density, redundancy
from clew.chunking.metrics.sizes import coverage, overlap_control, size_compliance
from clew.chunking.metrics.vectors import Embed
from clew.chunking.metrics.words import Ints
from clew.chunking.outline import Outline
from clew.text.blocks import partition

_SHORTEST_WAY = 0.05
"""From a baseline nearer to 1, the last block cut would decide alone."""


class HasSpan(Protocol):
    """Chunks, spans: whatever knows where it begins and ends."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class MetricScore:
    """``baseline`` is the value for windows of equal length where scores are compared with it;
    ``error`` the standard error of the value.
    """

    name: str
    value: float | None
    weight: float
    explanation: str
    baseline: float | None = None
    error: float = 0.0

    @property
    def counted(self) -> float | None:
        """What counts: the value; with a baseline, how much of the way from there to 1 it goes,
        at least -1.

        The way, and not the mere distance: small chunks have a low baseline, and so more to gain.
        """
        if self.value is None or self.baseline is None:
            return self.value
        return max(-1.0, (self.value - self.baseline) / self._way)

    @property
    def counted_error(self) -> float:
        """The standard error of what counts."""
        return self.error / self._way

    @property
    def _way(self) -> float:
        return 1.0 if self.baseline is None else max(1 - self.baseline, _SHORTEST_WAY)

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "value": self.value,
            "weight": self.weight,
            "explanation": self.explanation,
            "baseline": self.baseline,
            "error": self.error,
        }


class IntrinsicMetricEvaluator:
    """Measures ways to cut a text by the text alone: no questions, no model.

    With ``embed`` (texts to one vector each, such as the ``embed`` of an embedder) each block is
    embedded once; without, words are weighed by tf-idf.
    """

    def __init__(self, config: MetricConfig | None = None, *, embed: Embed | None = None) -> None:
        self.config = config or MetricConfig()
        self._embed = embed

    def analyse(
        self,
        outline: Outline,
        *,
        split_points: Sequence[int] | None = None,
        embed: Embed | None = None,
    ) -> Analysis:
        """Return what all plans of one text share. ``split_points`` say where blocks begin if that
        is known better than the text shows; ``embed`` serves where the evaluator has none.
        """
        return Analysis(
            outline,
            split_points=split_points,
            embed=self._embed or embed,
            near=self.config.reference_window_chars,
        )

    def evaluate(self, text: str | Analysis, chunks: Iterable[HasSpan]) -> tuple[MetricScore, ...]:
        """Return the metrics that count. A bare text is taken as Markdown.

        Raises :class:`ValueError` for chunks that lie outside the text or do not move on.
        """
        if isinstance(text, str):
            text = self.analyse(Outline(text, partition(text, "markdown")))
        plan = Plan.of(((chunk.start, chunk.end) for chunk in chunks), text.length)
        windows = plan.windows(text.length) if self.config.lift else None
        return tuple(
            self._score(name, weight, text, plan, windows)
            for name, weight in self.config.weights.to_dict().items()
            if weight
        )

    def _score(
        self, name: str, weight: float, analysis: Analysis, plan: Plan, windows: Plan | None
    ) -> MetricScore:
        outcome = _METRICS[name](analysis, plan, self.config)
        if windows is None or outcome.value is None:
            return _score_of(name, weight, outcome, None)
        key = (name, self.config, len(windows), *windows.ends[:1].tolist())
        if key not in analysis.baselines:
            analysis.baselines[key] = _METRICS[name](analysis, windows, self.config).value
        return _score_of(name, weight, outcome, analysis.baselines[key])


def score_of(metrics: Iterable[MetricScore]) -> float:
    """Return the weighted mean of what counts; metrics without a value are left out."""
    counted = [(metric.counted, metric.weight) for metric in metrics]
    known = [(value, weight) for value, weight in counted if value is not None]
    total = sum(weight for _, weight in known)
    return sum(value * weight for value, weight in known) / total if total else 0.0


def error_of(metrics: Iterable[MetricScore]) -> float:
    """Return the standard error of :func:`score_of`, the metrics taken as independent."""
    known = [metric for metric in metrics if metric.value is not None]
    total = sum(metric.weight for metric in known)
    return sqrt(sum((m.counted_error * m.weight) ** 2 for m in known)) / total if total else 0.0


def _score_of(name: str, weight: float, outcome: Outcome, baseline: float | None) -> MetricScore:
    compared = "" if baseline is None else f"; {baseline:.1%} for windows of equal length"
    return MetricScore(
        name=name,
        value=outcome.value,
        weight=weight,
        explanation=outcome.explanation + compared,
        baseline=baseline,
        error=outcome.error,
    )


def _tokens_in(analysis: Analysis, config: MetricConfig) -> Callable[[Ints, Ints], Ints]:
    count = config.count_tokens
    if count is None:
        return analysis.words.tokens_in
    text = analysis.text

    def counted(starts: Ints, ends: Ints) -> Ints:
        spans = zip(starts.tolist(), ends.tolist(), strict=True)
        return np.array([count(text[start:end]) for start, end in spans], np.int64)

    return counted


_METRICS: dict[str, Callable[[Analysis, Plan, MetricConfig], Outcome]] = {
    "references_completeness": lambda analysis, plan, _: references_completeness(
        plan, analysis.references
    ),
    "intrachunk_cohesion": lambda analysis, plan, _: intrachunk_cohesion(
        plan, analysis.split_points, analysis.vectors
    ),
    "document_contextual_coherence": lambda analysis, plan, config: document_contextual_coherence(
        plan, analysis.vectors, _tokens_in(analysis, config), config.window_tokens
    ),
    "block_integrity": lambda analysis, plan, config: block_integrity(
        plan, analysis.split_points, analysis.length, config.boundary_tolerance_chars
    ),
    "size_compliance": lambda analysis, plan, config: size_compliance(
        _tokens_in(analysis, config)(plan.starts, plan.ends),
        config.target_min_tokens,
        config.target_max_tokens,
    ),
    "coverage": lambda analysis, plan, _: coverage(plan, analysis.words),
    "overlap_control": lambda analysis, plan, config: overlap_control(
        plan, analysis.words, config.max_overlap_ratio
    ),
    "boundary_quality": lambda analysis, plan, _: boundary_quality(
        plan,
        np.array(analysis.outline.section_starts, np.int64),
        analysis.split_points,
        analysis.sentences[0],
        analysis.words.token_starts,
    ),
    "semantic_drift": lambda analysis, plan, _: semantic_drift(plan, analysis.vectors),
    "information_density": lambda analysis, plan, _: information_density(plan, analysis.words),
    "redundancy": lambda analysis, plan, _: redundancy(plan, analysis.words),
    "sentence_integrity": lambda analysis, plan, _: sentence_integrity(plan, analysis.sentences),
}
"""How each metric is had of a plan, by its name among the weights."""
