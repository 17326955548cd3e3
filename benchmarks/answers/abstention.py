"""Does the confidence tell what can be answered from what cannot?

``python -m benchmarks.answers.abstention --sets tune/hotpotqa``. Each question is asked of what
retrieval found, and again with its supporting passages taken out of that, so that the next best
take their place. Printed is, for both halves of the questions turned about and for all pairs, the
area under the ROC curve of the confidence: the chance that an answerable question has more of it
than one that is not. Beside it, at the threshold, how many answerable questions are answered and
how many of the others are refused, and how many of the answers that are given are right. The sets
under ``eval/`` are run to report only.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from benchmarks.answers.passages import TUNE_SETS, Asked, QuestionSet

from clew.answering import ExtractiveAnswerer
from clew.answering.config import AnsweringConfig
from clew.evaluation.abstaining import area_under_roc
from clew.evaluation.answers import exact_match, token_f1
from clew.results import RetrievalResult

READ = 6
RIGHT_F1 = 0.5


@dataclass(frozen=True)
class Judged:
    """One question asked of one list; ``right`` is not said where the evidence was taken out."""

    question: str
    answerable: bool
    confidence: float
    em: float
    f1: float


def judge(question_set: QuestionSet, config: AnsweringConfig) -> list[tuple[Judged, Judged]]:
    """Each question with its evidence and without it."""
    answerer = ExtractiveAnswerer(replace(config, abstention_threshold=0.0))

    def judged(asked: Asked, result: RetrievalResult, *, answerable: bool) -> Judged:
        answer = answerer.answer(asked.text, result, question_set.graph)
        em, f1 = exact_match(answer.answer, asked.answers), token_f1(answer.answer, asked.answers)
        return Judged(asked.text, answerable, answer.confidence, em, f1)

    pairs = []
    for asked in question_set.questions:
        whole = question_set.retrieved(asked, 10)
        kept = tuple(item for item in whole.items if item.doc_id not in asked.supporting)
        without = replace(whole, items=kept)
        pairs.append(
            (judged(asked, whole, answerable=True), judged(asked, without, answerable=False))
        )
    return pairs


def report(name: str, pairs: Sequence[tuple[Judged, Judged]], threshold: float) -> None:
    halves = [[pair[at % 2 == turn] for at, pair in enumerate(pairs)] for turn in (0, 1)]
    every = [one for pair in pairs for one in pair]
    areas = [_area(half) for half in (*halves, every)]
    print(f"{name:15} AUROC {areas[0]:.3f} / {areas[1]:.3f}, all pairs {areas[2]:.3f}")
    right = [one for one, _ in pairs if one.f1 >= RIGHT_F1]
    known = _area([*right, *(other for _, other in pairs)])
    print(f"    rightly answered against unanswerable: AUROC {known:.3f}")
    for at in sorted({0.2, 0.35, 0.5, 0.65, 0.8, threshold}):
        given = [one for one, _ in pairs if one.confidence >= at]
        refused = np.mean([other.confidence < at for _, other in pairs])
        kept = np.mean([one.confidence >= at for one in right]) if right else 0.0
        precision = np.mean([one.f1 >= RIGHT_F1 for one in given]) if given else 0.0
        mark = "*" if at == threshold else " "
        print(
            f"  {mark} from {at:.2f}: answered {100 * len(given) / len(pairs):5.1f} %, of these "
            f"right {100 * precision:5.1f} %; right ones kept {100 * kept:5.1f} %; "
            f"unanswerable refused {100 * refused:5.1f} %"
        )


def _area(judged: Sequence[Judged]) -> float:
    return area_under_roc([one.confidence for one in judged], [one.answerable for one in judged])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="+", default=list(TUNE_SETS))
    parser.add_argument("--mode", default="balanced")
    options = parser.parse_args()
    config = AnsweringConfig(quality_mode=options.mode)
    for name in options.sets:
        report(name, judge(QuestionSet(name), config), config.abstention_threshold)


if __name__ == "__main__":
    main()
