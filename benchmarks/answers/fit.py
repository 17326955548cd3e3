"""Fit the weights of the span ranker on the tuning sets, and print them.

List-wise softmax over the candidates of a question under all its readings, on gold passages and on
retrieved lists together; minus the log of the probability of the best spans, with an L2 penalty on
standardised features. What is set by hand is part of the scores and stays as it is. Minimised with
L-BFGS in plain numpy. ``--folds`` reports cross-validated EM and F1 instead.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from benchmarks.answers.cloze import CORPUS, cloze_list, cloze_questions
from benchmarks.answers.passages import TUNE_SETS, Asked, QuestionSet
from numpy.typing import NDArray

from clew.answering.evidence import read_evidence
from clew.answering.features import FEATURES
from clew.answering.naming import full_name
from clew.answering.ranking import Ranker
from clew.answering.study import Study
from clew.answering.weights import BY_HAND
from clew.evaluation.answers import exact_match, token_f1
from clew.results import RetrievalResult
from clew.retrieval.question import Slot, analyse_question

Array = NDArray[np.float64]
READ = 5
LEAST_F1 = 0.5
CLOZE_WEIGHT = 0.3
READ_BY_RANKER = 10
FITTED = np.array([name not in BY_HAND for name in FEATURES])


@dataclass(frozen=True)
class Ranked:
    """The candidates of one question over one list of passages; ``given`` is what the constants
    that are not fitted add to their scores.
    """

    question: Asked
    source: str
    rows: Array
    given: Array
    texts: list[str]
    f1: Array

    @property
    def best(self) -> NDArray[np.bool_]:
        best: NDArray[np.bool_] = self.f1 >= max(self.f1.max(initial=0.0) - 1e-9, 1e-9)
        return best


def lists_of(question_set: QuestionSet) -> list[Ranked]:
    found = []
    if question_set.name == CORPUS:
        found += [
            _ranked(question_set, asked, "cloze", cloze_list(question_set, asked, READ))
            for asked in cloze_questions(question_set)
        ]
    for asked in question_set.questions:
        question = analyse_question(asked.text)
        if question.slot in {Slot.YES_NO, Slot.COMPARISON} or asked.answers[0] in {"yes", "no"}:
            continue
        sources = {
            "gold": question_set.gold(asked),
            "mixed": question_set.mixed(asked, READ),
            "retrieved": question_set.retrieved(asked, READ_BY_RANKER),
        }
        for source, result in sources.items():
            found.append(_ranked(question_set, asked, source, result))
    return [item for item in found if len(item.texts)]


def _ranked(
    question_set: QuestionSet, asked: Asked, source: str, result: RetrievalResult
) -> Ranked:
    evidence = read_evidence(result, question_set.graph, READ_BY_RANKER)
    study = Study(analyse_question(asked.text), evidence, question_set.graph)
    options = Ranker(study).options()
    if not options:
        return Ranked(asked, source, np.zeros((0, len(FEATURES))), np.zeros(0), [], np.zeros(0))
    rows = np.concatenate([one.rows for one in options])
    given = np.concatenate([one.given for one in options])
    candidates = [candidate for one in options for candidate in one.candidates]
    texts = [full_name(evidence, candidate) for candidate in candidates]
    f1 = np.array([token_f1(text, asked.answers) for text in texts])
    given = given + rows[:, ~FITTED] @ np.array([BY_HAND[n] for n in FEATURES if n in BY_HAND])
    rows[:, ~FITTED] = 0.0
    return Ranked(asked, source, rows, given, texts, f1)


def fit(lists: Sequence[Ranked], penalty: float) -> Array:
    """Return the weights for raw features."""
    usable = [item for item in lists if item.f1.max(initial=0.0) >= LEAST_F1]
    every = np.concatenate([item.rows for item in usable])
    scale = every.std(axis=0)
    scale[scale == 0] = 1.0
    data = [
        (item.rows / scale, item.given, item.best, CLOZE_WEIGHT if item.source == "cloze" else 1.0)
        for item in usable
    ]

    def loss(weights: Array) -> tuple[float, Array]:
        total, gradient = 0.0, np.zeros_like(weights)
        for rows, given, best, weight in data:
            scores = rows @ weights + given
            scores -= scores.max()
            mass = np.exp(scores)
            all_mass, best_mass = mass.sum(), mass[best].sum() + 1e-300
            total -= weight * float(np.log(best_mass / all_mass))
            gradient += weight * (rows.T @ (mass / all_mass))
            gradient -= weight * (rows[best].T @ (mass[best] / best_mass))
        return total + 0.5 * penalty * float(weights @ weights), gradient + penalty * weights

    fitted: Array = minimise(loss, np.zeros(len(FEATURES))) / scale
    return fitted


def minimise(
    function: Callable[[Array], tuple[float, Array]], start: Array, steps: int = 150
) -> Array:
    """L-BFGS with ten corrections and backtracking."""
    at, (value, slope) = start, function(start)
    history: list[tuple[Array, Array]] = []
    for _ in range(steps):
        direction = -_two_loop(slope, history)
        rate = 1.0 if history else 1.0 / max(1.0, float(np.linalg.norm(slope)))
        while True:
            moved = at + rate * direction
            new_value, new_slope = function(moved)
            if new_value <= value + 1e-4 * rate * float(slope @ direction) or rate < 1e-8:
                break
            rate /= 2
        step, change = moved - at, new_slope - slope
        if float(step @ change) > 1e-10:
            history = [*history[-9:], (step, change)]
        done = abs(value - new_value) < 1e-7 * max(1.0, abs(value))
        at, value, slope = moved, new_value, new_slope
        if done:
            break
    return at


def _two_loop(slope: Array, history: Sequence[tuple[Array, Array]]) -> Array:
    vector = slope.copy()
    factors = []
    for step, change in reversed(history):
        factor = float(step @ vector) / float(step @ change)
        vector -= factor * change
        factors.append(factor)
    if history:
        step, change = history[-1]
        vector *= float(step @ change) / float(change @ change)
    for (step, change), factor in zip(history, reversed(factors), strict=True):
        vector += (factor - float(change @ vector) / float(step @ change)) * step
    return vector


def scores_of(lists: Sequence[Ranked], weights: Array) -> list[tuple[float, float]]:
    found = []
    for item in lists:
        text = item.texts[int(np.argmax(item.rows @ weights + item.given))]
        answers = item.question.answers
        found.append((exact_match(text, answers), token_f1(text, answers)))
    return found


def cross_validate(lists: Sequence[Ranked], penalty: float, folds: int) -> None:
    ids = sorted({item.question.id for item in lists})
    fold_of = {name: at % folds for at, name in enumerate(ids)}
    results: dict[str, list[tuple[float, float]]] = {}
    for fold in range(folds):
        train = [item for item in lists if fold_of[item.question.id] != fold]
        test = [item for item in lists if fold_of[item.question.id] == fold]
        weights = fit(train, penalty)
        for item, score in zip(test, scores_of(test, weights), strict=True):
            results.setdefault(item.source, []).append(score)
    for source, pairs in sorted(results.items()):
        em, f1 = np.mean(pairs, axis=0) * 100
        print(f"  {source:6} n={len(pairs):4} EM {em:5.1f}  F1 {f1:5.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--penalty", type=float, default=25.0)
    parser.add_argument("--folds", type=int, default=0)
    options = parser.parse_args()
    per_set = {name: lists_of(QuestionSet(name)) for name in TUNE_SETS}
    every = [item for lists in per_set.values() for item in lists]
    if options.folds:
        cross_validate(every, options.penalty, options.folds)
        return
    weights = fit(every, options.penalty)
    for name, lists in per_set.items():
        em, f1 = np.mean(scores_of(lists, weights), axis=0) * 100
        print(f"# {name}: n={len(lists)} EM {em:.1f} F1 {f1:.1f} on the data it was fitted to")
    for feature, weight in zip(FEATURES, weights, strict=True):
        if feature in BY_HAND:
            continue
        print(f'    "{feature}": {weight:.3f},')


if __name__ == "__main__":
    main()
