"""What a run over a user's questions comes to, and how far two runs are apart.

Figures are shares in 0–1; one that nothing was measured for is left out. Exact match and F1 are
means over the questions that can be answered and have right answers; a refusal counts 0 there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from clew.evaluation.abstaining import area_under_roc
from clew.evaluation.answered import (
    RECALL_AT,
    AnsweredQuestion,
    Asked,
    Cost,
    ask_all,
    to_dict,
)
from clew.evaluation.bootstrap import Difference, paired_bootstrap
from clew.evaluation.own_questions import OwnQuestion
from clew.evaluation.recall import mean
from clew.models.base import Usage
from clew.progress_lines import Tell
from clew.results import to_plain

LABELS = {
    "em": "exact match",
    "f1": "F1",
    **{f"recall@{k}": f"recall@{k} (documents)" for k in RECALL_AT},
    "citation_precision": "citations that support",
    "citations_exact": "citations that are exact",
    "right": "right, with right refusals",
    "answered": "answered",
    "right_when_answered": "right where answered",
    "abstention_precision": "refusals that were right",
    "abstention_recall": "unanswerable that were refused",
    "auroc": "AUROC of the confidence",
}
"""The shares, in the order of a report, as people call them."""

_Value = Callable[[AnsweredQuestion], float | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerReport:
    """``settings`` are those that are not as they come."""

    name: str
    results: tuple[AnsweredQuestion, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    currency: str = ""

    @property
    def figures(self) -> dict[str, float]:
        """The shares of ``LABELS`` that could be measured."""
        means = {key: _mean_of(self.results, value) for key, value in PER_QUESTION.items()}
        found = {**means, **_abstention(self.results)}
        return {key: value for key in LABELS if (value := found.get(key)) is not None}

    @property
    def latency_ms(self) -> dict[str, float]:
        times = [one.ms for one in self.results if not one.error]
        if not times:
            return {}
        return {f"p{q}": round(float(np.percentile(times, q)), 1) for q in (50, 95)}

    @property
    def usage(self) -> Usage:
        total = Usage()
        for one in self.results:
            total += one.answer.usage
        return total

    @property
    def cost(self) -> float | None:
        """None where the price of a call is not known."""
        costs = [one.cost for one in self.results if one.answer.usage.calls]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    @property
    def failed(self) -> tuple[AnsweredQuestion, ...]:
        return tuple(one for one in self.results if one.error)

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "settings": dict(self.settings),
            "questions": len(self.results),
            "figures": {key: round(value, 4) for key, value in self.figures.items()},
            "latency_ms": self.latency_ms,
            "usage": to_plain(self.usage),
            "cost": self.cost,
            "currency": self.currency,
            "failed": len(self.failed),
            "results": [to_dict(one) for one in self.results],
        }

    def to_json(self, path: str | Path | None = None) -> str:
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=2)
        if path is not None:
            Path(path).write_text(text + "\n", encoding="utf-8")
        return text


def evaluate_answers(
    asked: Asked,
    questions: Sequence[OwnQuestion],
    *,
    name: str = "",
    settings: Mapping[str, Any] | None = None,
    cost: Cost = lambda _usage: None,
    currency: str = "",
    tell: Tell = lambda _done, _total, _stage: None,
) -> AnswerReport:
    """Ask a knowledge base the questions and measure its answers.

    ``cost`` says what the use of a model in one answer costs, in ``currency``.
    """
    results = ask_all(asked, questions, cost=cost, tell=tell)
    return AnswerReport(name=name, results=results, settings=settings or {}, currency=currency)


def compare(first: AnswerReport, second: AnswerReport) -> dict[str, Difference]:
    """The second minus the first, by figure and with the interval of a paired bootstrap, over the
    questions for which both have a value.
    """
    ids = [[one.question.id for one in report.results] for report in (first, second)]
    if ids[0] != ids[1]:
        raise ValueError("the two reports are on different questions")
    found = {}
    for key, value in PER_QUESTION.items():
        pairs = [
            (new, old)
            for one, other in zip(first.results, second.results, strict=True)
            if (old := value(one)) is not None and (new := value(other)) is not None
        ]
        if pairs:
            new_values, old_values = zip(*pairs, strict=True)
            found[key] = paired_bootstrap(new_values, old_values)
    return {key: found[key] for key in LABELS if key in found}


def _share(values: Iterable[bool | None]) -> float | None:
    known = [value for value in values if value is not None]
    return mean(map(float, known)) if known else None


def _right(one: AnsweredQuestion) -> float | None:
    if one.verdict == "unscored" or (one.question.answerable and one.em is None):
        return None
    return float(one.verdict == "right")


def _recall(k: int) -> _Value:
    return lambda one: one.recall.get(k)


PER_QUESTION: Mapping[str, _Value] = {
    "em": lambda one: one.em,
    "f1": lambda one: one.f1,
    **{f"recall@{k}": _recall(k) for k in RECALL_AT},
    "citation_precision": lambda one: _share(c.supports for c in one.citations),
    "citations_exact": lambda one: _share(c.resolves for c in one.citations),
    "right": _right,
    "answered": lambda one: (
        float(one.verdict not in {"refused", "failed"}) if one.question.answerable else None
    ),
}
"""The figures that each question has a value of; None where it has none."""


def _mean_of(results: Sequence[AnsweredQuestion], value: _Value) -> float | None:
    known = [found for one in results if (found := value(one)) is not None]
    return mean(known) if known else None


def _abstention(results: Sequence[AnsweredQuestion]) -> dict[str, float | None]:
    asked = [one for one in results if not one.error]
    refused = [one for one in asked if one.answer.abstained]
    unanswerable = [one for one in asked if not one.question.answerable]
    given = [one.em for one in asked if one.em is not None and not one.answer.abstained]
    return {
        "right_when_answered": mean(given) if given else None,
        "abstention_precision": _share(not one.question.answerable for one in refused),
        "abstention_recall": _share(one.answer.abstained for one in unanswerable),
        "auroc": area_under_roc(
            [one.answer.confidence for one in asked], [one.question.answerable for one in asked]
        )
        if 0 < len(unanswerable) < len(asked)
        else None,
    }
