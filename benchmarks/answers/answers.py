"""EM and F1 of the extractive answerer: with gold passages, with word search, behind retrieval.

``python -m benchmarks.answers.answers --sets tune/hotpotqa --source gold retrieved``. The sets
under ``eval/`` are run to report only. ``--threshold 0`` answers everything; the share of
abstentions is printed beside.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from benchmarks.answers.passages import TUNE_SETS, Asked, QuestionSet

from clew.answering import ExtractiveAnswerer
from clew.answering.config import AnsweringConfig
from clew.evaluation.answers import exact_match, token_f1
from clew.results import Answer, RetrievalResult

Source = Callable[[QuestionSet, Asked], RetrievalResult]


@dataclass(frozen=True)
class Scored:
    asked: Asked
    answer: Answer
    em: float
    f1: float
    seconds: float


def run(question_set: QuestionSet, source: Source, config: AnsweringConfig) -> list[Scored]:
    answerer = ExtractiveAnswerer(config)
    scored = []
    for asked in question_set.questions:
        result = source(question_set, asked)
        start = time.perf_counter()
        answer = answerer.answer(asked.text, result, question_set.graph)
        seconds = time.perf_counter() - start
        em, f1 = exact_match(answer.answer, asked.answers), token_f1(answer.answer, asked.answers)
        scored.append(Scored(asked, answer, em, f1, seconds))
    return scored


def report(name: str, source: str, scored: Sequence[Scored]) -> None:
    em, f1 = np.mean([(s.em, s.f1) for s in scored], axis=0) * 100
    abstained = 100 * np.mean([s.answer.abstained for s in scored])
    times = np.array([s.seconds for s in scored]) * 1000
    print(
        f"{name:15} {source:10} n={len(scored):4} EM {em:5.1f} F1 {f1:5.1f} "
        f"abstained {abstained:4.1f} %  {times.mean():5.1f} ms "
        f"(95 % under {np.quantile(times, 0.95):.0f})"
    )
    for method in sorted({str(s.answer.trace.get("method")) for s in scored}):
        part = [s for s in scored if str(s.answer.trace.get("method")) == method]
        em, f1 = np.mean([(s.em, s.f1) for s in part], axis=0) * 100
        print(f"    {method:12} n={len(part):4} EM {em:5.1f} F1 {f1:5.1f}")


def sources() -> dict[str, Source]:
    return {
        "gold": lambda s, q: s.gold(q),
        "words": lambda s, q: s.by_words(q),
        "retrieved": lambda s, q: s.retrieved(q),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="+", default=list(TUNE_SETS))
    parser.add_argument("--source", nargs="+", default=["gold"], choices=list(sources()))
    parser.add_argument("--mode", default="balanced")
    parser.add_argument("--threshold", type=float, default=AnsweringConfig().abstention_threshold)
    options = parser.parse_args()
    config = AnsweringConfig(quality_mode=options.mode, abstention_threshold=options.threshold)
    for name in options.sets:
        question_set = QuestionSet(name)
        for source in options.source:
            report(name, source, run(question_set, sources()[source], config))


if __name__ == "__main__":
    main()
