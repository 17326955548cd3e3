"""Systems over questions: how much of what is needed they find, in what time, and how they differ.

recall@k is the share of a question's supporting passages among the first k, averaged over the
questions; all@5 the share of questions with all of them among the first five; MRR is 1 / the place
of the first. All are percentages. Times are in milliseconds for a whole search, the embedding of
the question included, after twenty searches to warm up; ``cpu_ms`` is the median of the processor's
time, which does not depend on what else the machine does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clew.evaluation.bootstrap import paired_bootstrap
from clew.evaluation.clocks import Spent
from clew.evaluation.datasets import QuestionWithGold
from clew.evaluation.indexed import IndexedCorpus
from clew.evaluation.recall import mean
from clew.evaluation.systems import System
from clew.progress_lines import Tell

DEPTHS = (2, 5, 10, 20)
BASELINES = ("bm25s", "bm25", "dense", "linked")
_WARM_UP = 20
_COMPARED_AT = 5

Places = tuple[int | None, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """For each question, where a system found the passages that support the answer (from 1; None:
    not at all), and the time by stage.
    """

    places: list[Places]
    spent: list[dict[str, Spent]]

    def recalls(self, k: int = _COMPARED_AT) -> list[float]:
        """recall@k of each question."""
        return [_recall(places, k) for places in self.places]


def silent(_done: int, _total: int, _stage: str) -> None:
    """Tells nobody how far it is."""


def run(
    system: System,
    indexed: IndexedCorpus,
    *,
    warm_up: int = _WARM_UP,
    tell: Tell = silent,
) -> Run:
    """Ask ``system`` every question of the corpus."""
    spans = {piece.id: piece.span for piece in indexed.pieces}
    questions, clock = indexed.corpus.dataset.questions, indexed.clock
    for question in questions[:warm_up]:
        system.search(question.question)
    result = Run(places=[], spent=[])
    for done, question in enumerate(questions, start=1):
        clock.start()
        found = system.search(question.question)
        clock.mark("rest")
        result.spent.append(clock.stages())
        if unknown := [name for name in found if name not in spans]:
            raise ValueError(f"{system.name} found {unknown[0]!r}, which is no piece of the corpus")
        hits = [spans[name] for name in found]
        result.places.append(indexed.corpus.found_at(question, hits))
        tell(done, len(questions), system.name)
    return result


def figures(questions: Sequence[QuestionWithGold], result: Run) -> dict[str, Any]:
    """Recall and latencies, and recall by type of question and by number of passages needed."""
    return {
        **_recall_figures(result.places),
        **_latency_figures(result.spent),
        "by_kind": _grouped(questions, result, lambda question: question.kind),
        "by_passages": _grouped(questions, result, lambda one: str(len(one.supporting_ids))),
    }


def differences(places: Mapping[str, Sequence[Places]]) -> dict[str, dict[str, dict[str, float]]]:
    """How far each system is from each baseline in recall@5, in points, with the 95 % interval of
    the paired bootstrap.
    """
    recalls = {
        name: [_recall(each, _COMPARED_AT) for each in found] for name, found in places.items()
    }
    table: dict[str, dict[str, dict[str, float]]] = {name: {} for name in places}
    for name, own in recalls.items():
        for baseline in BASELINES:
            if baseline in recalls and baseline != name:
                found = paired_bootstrap(own, recalls[baseline])
                table[name][baseline] = {
                    "mean": round(100 * found.mean, 1),
                    "low": round(100 * found.low, 1),
                    "high": round(100 * found.high, 1),
                }
    return table


def places_to_text(places: Iterable[Places]) -> str:
    """The places of all questions in one line.

    >>> places_to_text([(1, 4), (2, None)])
    '1,4 2,-'
    """
    return " ".join(
        ",".join("-" if place is None else str(place) for place in each) for each in places
    )


def places_from_text(text: str) -> list[Places]:
    """
    >>> places_from_text("1,4 2,-")
    [(1, 4), (2, None)]
    """
    return [
        tuple(None if place == "-" else int(place) for place in each.split(","))
        for each in text.split()
    ]


def _recall_figures(places: Sequence[Places]) -> dict[str, float]:
    return {
        **{f"recall@{k}": _percent(_recall(each, k) for each in places) for k in DEPTHS},
        "all@5": _percent(float(_recall(each, 5) == 1.0) for each in places),
        "mrr": _percent(_reciprocal(each) for each in places),
    }


def _latency_figures(spent: Sequence[Mapping[str, Spent]]) -> dict[str, Any]:
    seconds = [sum(one.seconds for one in stages.values()) for stages in spent]
    cpu = [sum(one.cpu_seconds for one in stages.values()) for stages in spent]
    return {
        "p50_ms": _quantile_ms(seconds, 0.5),
        "p95_ms": _quantile_ms(seconds, 0.95),
        "cpu_ms": _quantile_ms(cpu, 0.5),
        "cpu_ms_by_stage": {
            name: _quantile_ms([stages.get(name, Spent()).cpu_seconds for stages in spent], 0.5)
            for name in dict.fromkeys(name for stages in spent for name in stages)
            if name != "rest" or len(spent[0]) == 1
        },
    }


def _grouped(
    questions: Sequence[QuestionWithGold], result: Run, key: Callable[[QuestionWithGold], str]
) -> dict[str, dict[str, float]]:
    groups: dict[str, list[Places]] = defaultdict(list)
    for question, places in zip(questions, result.places, strict=True):
        groups[key(question)].append(places)
    return {
        name: {"questions": len(places), **_recall_figures(places)}
        for name, places in sorted(groups.items())
        if name
    }


def _recall(places: Places, k: int) -> float:
    return mean(float(place is not None and place <= k) for place in places)


def _reciprocal(places: Places) -> float:
    first = min((place for place in places if place is not None), default=None)
    return 0.0 if first is None else 1.0 / first


def _percent(values: Any) -> float:
    return round(100 * mean(values), 1)


def _quantile_ms(seconds: Sequence[float], quantile: float) -> float:
    return round(1000 * float(np.quantile(seconds, quantile)), 1)
