"""Exact match and token F1."""

from __future__ import annotations

import pytest

from clew.evaluation.answers import exact_match, normalise, token_f1


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The  Harbour of Vik's, Mole!", "harbour of viks mole"),
        ("An apple a day", "apple day"),
        ("Theodore", "theodore"),
        ("  ", ""),
        ("1,950", "1950"),
    ],
)
def test_case_articles_and_punctuation_do_not_count(answer: str, expected: str) -> None:
    assert normalise(answer) == expected


def test_any_accepted_answer_will_do() -> None:
    assert exact_match("the Norr bridge", ["Vik", "Norr Bridge."]) == 1.0
    assert exact_match("Norr", ["Norr Bridge"]) == 0.0


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("Norr Bridge", ["Norr Bridge"], 1.0),
        ("Norr", ["Norr Bridge"], 2 / 3),
        ("the old Norr Bridge", ["Norr Bridge"], 0.8),
        ("Vik", ["Norr Bridge", "Vik harbour"], 2 / 3),
        ("x x y", ["y y x"], 2 / 3),
        ("nothing of it", ["Norr Bridge"], 0.0),
        ("", ["Norr Bridge"], 0.0),
        ("", ["the"], 1.0),
        ("yes it is", ["no"], 0.0),
        ("yes of course", ["yes"], 0.0),
        ("yes", ["Yes."], 1.0),
    ],
)
def test_f1_balances_what_was_said_and_what_was_right(
    answer: str, gold: list[str], expected: float
) -> None:
    assert token_f1(answer, gold) == pytest.approx(expected)


def test_a_question_without_accepted_answers_is_an_error() -> None:
    with pytest.raises(ValueError, match="no accepted answer"):
        exact_match("x", [])
