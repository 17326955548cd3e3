"""Recall and times from what systems found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.evaluation.clocks import Spent
from clew.evaluation.datasets import Dataset, QuestionWithGold
from clew.evaluation.indexed import IndexedCorpus
from clew.evaluation.measuring import (
    Places,
    Run,
    differences,
    figures,
    places_from_text,
    places_to_text,
    run,
)

SPENT = {"find": Spent(0.004, 0.002), "rank": Spent(0.002, 0.001), "rest": Spent()}


def _question(kind: str, wanted: int) -> QuestionWithGold:
    names = tuple(f"p{number}" for number in range(wanted))
    return QuestionWithGold(id="q", question="?", answers=(), supporting_ids=names, kind=kind)


def _run(*places: Places) -> Run:
    return Run(places=list(places), spent=[SPENT] * len(places))


def test_recall_at_each_depth_and_the_place_of_the_first() -> None:
    questions = [_question("", 2), _question("", 2)]
    found = figures(questions, _run((1, 4), (6, None)))
    assert [found[f"recall@{k}"] for k in (2, 5, 10, 20)] == [25.0, 50.0, 75.0, 75.0]
    assert found["all@5"] == 50.0
    assert found["mrr"] == pytest.approx(100 * (1 + 1 / 6) / 2, abs=0.05)
    assert found["by_kind"] == {}


def test_types_and_numbers_of_passages_are_told_apart() -> None:
    questions = [_question("bridge", 2), _question("bridge", 4), _question("comparison", 2)]
    found = figures(questions, _run((1, 2), (1, None, None, None), (None, None)))
    assert {kind: row["recall@5"] for kind, row in found["by_kind"].items()} == {
        "bridge": 62.5,
        "comparison": 0.0,
    }
    assert {name: row["questions"] for name, row in found["by_passages"].items()} == {
        "2": 2,
        "4": 1,
    }


def test_times_are_of_the_whole_and_of_each_stage() -> None:
    slow = {"find": Spent(0.02, 0.01), "rank": Spent(0.01, 0.002), "rest": Spent()}
    result = Run(places=[(1,)] * 3, spent=[SPENT, slow, SPENT])
    found = figures([_question("", 1)] * 3, result)
    assert (found["p50_ms"], found["p95_ms"]) == (6.0, 27.6)
    assert found["cpu_ms"] == 3.0
    assert found["cpu_ms_by_stage"] == {"find": 2.0, "rank": 1.0}


def test_differences_to_each_baseline_that_took_part() -> None:
    better: list[Places] = [(1, 2)] * 30
    worse: list[Places] = [(1, None)] * 30
    table = differences({"linked": better, "bm25": worse, "mine": better})
    assert set(table["mine"]) == {"bm25", "linked"}
    assert table["mine"]["bm25"] == {"mean": 50.0, "low": 50.0, "high": 50.0}
    assert table["mine"]["linked"]["mean"] == 0.0
    assert set(table["linked"]) == {"bm25"}


@given(st.lists(st.lists(st.none() | st.integers(1, 20), min_size=1).map(tuple)))
def test_places_come_back_from_their_text(places: list[Places]) -> None:
    text = places_to_text(places)
    assert places_from_text(text) == places
    assert "\n" not in text


class _Told:
    """Finds what it is told to, and says how often it was asked."""

    name = "told"

    def __init__(self, found: list[str]) -> None:
        self.found = found
        self.asked: list[str] = []

    def search(self, question: str) -> list[str]:
        self.asked.append(question)
        return self.found


def test_every_question_is_asked_once_after_the_warm_up(
    indexed: IndexedCorpus, makers_set: Dataset
) -> None:
    system, told = _Told(["t0", "f0", "c1"]), []
    result = run(
        system,
        indexed,
        warm_up=2,
        tell=lambda done, total, stage: told.append((done, total, stage)),
    )
    questions = [question.question for question in makers_set.questions]
    assert system.asked == [*questions[:2], *questions]
    assert result.places[:3] == [(None, 2), (3, None), (None, None)]
    assert told[-1] == (6, 6, "told")
    assert [list(stages) for stages in result.spent] == [["rest"]] * 6
    assert "rest" in figures(makers_set.questions, result)["cpu_ms_by_stage"]


def test_a_system_that_names_what_is_not_there_is_refused(indexed: IndexedCorpus) -> None:
    with pytest.raises(ValueError, match="told found 'x9', which is no piece"):
        run(_Told(["x9"]), indexed)
