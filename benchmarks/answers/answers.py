"""EM and F1 of the extractive answerer: with gold passages, with word search, behind retrieval,
and as a baseline (``dense``) the best span of the one passage that vectors find first.

``python -m benchmarks.answers.answers --sets tune/hotpotqa --source gold retrieved``. The sets
under ``eval/`` are run to report only. ``--threshold 0`` answers everything; the share of
abstentions is printed beside.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from benchmarks.answers.passages import TUNE_SETS, Asked, QuestionSet

from clew.answering import ExtractiveAnswerer
from clew.answering.config import AnsweringConfig
from clew.answering.evidence import read_evidence
from clew.answering.ranking import Ranker
from clew.answering.study import Study
from clew.evaluation.answers import exact_match, token_f1
from clew.results import Answer, RetrievalResult
from clew.retrieval.question import analyse_question

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
    only_spans = source is sources()["dense"]
    scored = []
    for asked in question_set.questions:
        result = source(question_set, asked)
        start = time.perf_counter()
        if only_spans:
            answer = first_span(asked.text, result, question_set)
        else:
            answer = answerer.answer(asked.text, result, question_set.graph)
        seconds = time.perf_counter() - start
        em, f1 = exact_match(answer.answer, asked.answers), token_f1(answer.answer, asked.answers)
        scored.append(Scored(asked, answer, em, f1, seconds))
    return scored


def first_span(text: str, result: RetrievalResult, question_set: QuestionSet) -> Answer:
    """The best span of the ranker and no other way of answering."""
    evidence = read_evidence(result, question_set.graph, 1)
    study = Study(analyse_question(text), evidence, question_set.graph)
    ranked = Ranker(study).ranked
    found = ranked[0].candidate.text if ranked else ""
    return Answer(question=text, answer=found, trace={"method": "first span"})


def report(name: str, source: str, scored: Sequence[Scored]) -> None:
    em, f1 = np.mean([(s.em, s.f1) for s in scored], axis=0) * 100
    abstained = 100 * np.mean([s.answer.abstained for s in scored])
    times = np.array([s.seconds for s in scored]) * 1000
    print(
        f"{name:15} {source:10} n={len(scored):4} EM {em:5.1f} F1 {f1:5.1f} "
        f"abstained {abstained:4.1f} %  {times.mean():5.1f} ms "
        f"(95 % under {np.quantile(times, 0.95):.0f})"
    )
    for label, key in (("by method", _method_of), ("by type", _type_of)):
        print(f"  {label}")
        for group in sorted({key(s) for s in scored}):
            part = [s for s in scored if key(s) == group]
            em, f1 = np.mean([(s.em, s.f1) for s in part], axis=0) * 100
            print(f"    {group:18} n={len(part):4} EM {em:5.1f} F1 {f1:5.1f}")


def _method_of(scored: Scored) -> str:
    return str(scored.answer.trace.get("method"))


def _type_of(scored: Scored) -> str:
    return scored.asked.kind or "-"


@cache
def sources() -> dict[str, Source]:
    return {
        "gold": lambda s, q: s.gold(q),
        "words": lambda s, q: s.by_words(q),
        "retrieved": lambda s, q: s.retrieved(q),
        "dense": lambda s, q: s.dense_top(q),
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
