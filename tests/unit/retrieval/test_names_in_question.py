"""Which spans of a question may be names."""

from __future__ import annotations

import pytest

from clew.retrieval.query.names import (
    LONGEST_NAME_WORDS,
    MOST_WORDS,
    capitalised_runs,
    longest_first,
    name_spans,
    words_of,
)


def _keys(question: str) -> set[str]:
    return {span.key for span in name_spans(question, words_of(question))}


def _runs(question: str) -> list[str]:
    return [run.text for run in capitalised_runs(question, words_of(question))]


def test_several_words_are_asked_for_in_any_case() -> None:
    assert "the silver heron" in _keys("who painted the silver heron?")


def test_possessives_and_punctuation_do_not_hide_a_name() -> None:
    assert "orm works" in _keys("Which town is Orm Works’ founder from?")
    assert "mira vance" in _keys("When was Mira Vance's mother born?")
    assert "will you come when i call" in _keys('Who sang "Will You Come When I Call?"')


@pytest.mark.parametrize("question", ["What is it?", "Who was he?", "Is that so?"])
def test_words_that_open_questions_are_no_names(question: str) -> None:
    assert _keys(question) == set()


def test_capital_stop_words_may_be_part_of_a_name() -> None:
    assert "the who" in _keys("When did The Who first play?")


@pytest.mark.parametrize("name", ["C++", ".NET", "O'Brien"])
def test_names_with_signs_survive(name: str) -> None:
    assert name.casefold() in _keys(f"Who uses {name} here?")


def test_offsets_point_into_the_question() -> None:
    question = "Did (Orm Works) buy “Dalby Mill”?"
    for span in name_spans(question, words_of(question)):
        assert question[span.start : span.end] == span.text


def test_scripts_without_spaces_are_read_by_character() -> None:
    assert "東京大学" in _keys("東京大学はどこですか")


def test_long_questions_cost_a_bounded_number_of_spans() -> None:
    question = "word " * 5_000
    assert len(list(name_spans(question, words_of(question)))) <= MOST_WORDS * LONGEST_NAME_WORDS


def test_longer_names_win_over_the_names_inside_them() -> None:
    question = "Where is the Bishop of Elm Hall?"
    spans = [
        span
        for span in name_spans(question, words_of(question))
        if span.key in {"elm", "elm hall", "bishop of elm hall", "bishop"}
    ]
    assert [span.key for span in longest_first(spans)] == ["bishop of elm hall"]


def test_of_two_that_overlap_the_left_one_is_chosen() -> None:
    question = "did Ada Norr Vik call"
    spans = [
        s for s in name_spans(question, words_of(question)) if s.key in {"ada norr", "norr vik"}
    ]
    assert [span.key for span in longest_first(spans)] == ["ada norr"]


def test_runs_of_capitals_reach_over_connectors_but_not_over_other_words() -> None:
    assert _runs("Who met the Duke of Norr Vale in Dalby?") == ["Duke of Norr Vale", "Dalby"]
    assert _runs("Which film did Ada direct?") == ["Ada"]
