"""How well abstention tells answerable questions from those whose evidence was taken away.

For each tuning question the answerer reads what retrieval found, and then the same list without the
supporting passages. The first should mostly be answered, the second mostly not. ``--fit`` prints
weights of a logistic fit of the signs that :mod:`clew.answering.judging` adds up.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from benchmarks.answers.fit import minimise
from benchmarks.answers.passages import TUNE_SETS, QuestionSet
from numpy.typing import NDArray

from clew.answering.evidence import read_evidence
from clew.answering.extractive import find
from clew.answering.judging import SIGNS, judge, signs_of
from clew.answering.study import Study
from clew.results import RetrievalResult
from clew.retrieval.question import analyse_question

Array = NDArray[np.float64]
READ = 6


@dataclass(frozen=True)
class Case:
    question_set: str
    question: str
    answerable: bool
    strength: float
    signs: tuple[float, ...]


def cases_of(question_set: QuestionSet) -> list[Case]:
    found = []
    for asked in question_set.questions:
        retrieved = question_set.retrieved(asked, 10)
        kept = [item for item in retrieved.items if item.doc_id not in asked.supporting]
        without = RetrievalResult(
            query=asked.text, items=tuple(kept), graph_stats=retrieved.graph_stats
        )
        complete = set(asked.supporting) <= {item.doc_id for item in retrieved.items[:READ]}
        lists = [(without, False), (question_set.gold(asked), True)]
        if complete:
            lists.append((retrieved, True))
        for result, answerable in lists:
            evidence = read_evidence(result, question_set.graph, READ)
            study = Study(analyse_question(asked.text), evidence, question_set.graph)
            finding = find(study)
            judgement = judge(study, finding)
            signs = signs_of(study, finding)
            found.append(Case(question_set.name, asked.text, answerable, judgement.strength, signs))
    return found


def fit(cases: Sequence[Case], penalty: float = 1.0) -> Array:
    """Logistic weights, the bias first; both classes weigh the same."""
    rows = np.array([(1.0, *case.signs) for case in cases])
    labels = np.array([case.answerable for case in cases], dtype=np.float64)
    balance = np.where(labels > 0, 0.5 / labels.mean(), 0.5 / (1 - labels.mean()))

    def loss(weights: Array) -> tuple[float, Array]:
        scores = rows @ weights
        chance = 1 / (1 + np.exp(-scores))
        value = -balance @ (
            labels * np.log(chance + 1e-12) + (1 - labels) * np.log(1 - chance + 1e-12)
        )
        slope = rows.T @ (balance * (chance - labels))
        return float(value) + 0.5 * penalty * float(weights @ weights), slope + penalty * weights

    fitted: Array = minimise(loss, np.zeros(rows.shape[1]))
    return fitted


def report(cases: Sequence[Case], thresholds: Sequence[float]) -> None:
    for threshold in thresholds:
        passed = np.mean([c.strength >= threshold for c in cases if c.answerable]) * 100
        refused = np.mean([c.strength < threshold for c in cases if not c.answerable]) * 100
        print(f"  threshold {threshold:.2f}: answered {passed:5.1f} %, refused {refused:5.1f} %")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="+", default=list(TUNE_SETS))
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    per_set = {name: cases_of(QuestionSet(name)) for name in options.sets}
    for name, cases in per_set.items():
        print(name)
        report(cases, (0.2, 0.35, 0.5, 0.65))
    if options.fit:
        weights = fit([case for cases in per_set.values() for case in cases])
        for name, weight in zip(("bias", *SIGNS), weights, strict=True):
            print(f"{name}: {weight:.2f}")


if __name__ == "__main__":
    main()
