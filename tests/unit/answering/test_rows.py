"""Rows of one table weighed against each other, and what comparatives measure."""

from __future__ import annotations

from typing import Any

import pytest

from clew.answering.degrees import adjective_of, measure_stems

FLEET = {
    "Fleet of the Sopot yard": (
        "# Fleet of the Sopot yard\n\nThe yard built four ferries.\n\n"
        "| Ship | Launched | Length (m) | Passengers |\n|---|---|---|---|\n"
        "| Mewa | 1931 | 42.5 | 310 |\n| Bałtyk | 1928 | 61 | 280 |\n| Hel | 1935 | 38 | 150 |\n"
    )
}

QUESTIONS = [
    ("Which was longer, the Mewa or the Bałtyk?", "the Bałtyk"),
    ("Which is shorter, Hel or Bałtyk?", "Hel"),
    ("Which carried more passengers, the Mewa or the Bałtyk?", "Mewa"),
    ("Which ship was launched first, Mewa or Hel?", "Mewa"),
    ("Is the Hel longer than the Mewa?", "no"),
    ("Are the Mewa and the Bałtyk the same length?", "no"),
    ("Which ship is the longest?", "Bałtyk"),
    ("Which ferry was launched last?", "Hel"),
    ("Which ferry carried the most passengers?", "Mewa"),
]


RECORDS = {
    "rocks.json": (
        "1.name: Gull Rock\n1.height_m: 31\n1.owner: Northern Board\n1.warden: Ola Roe\n\n"
        "2.name: Seal Stack\n2.height_m: 44\n2.owner: Northern Board\n2.warden: Kari Lund"
    )
}

OF_RECORDS = [
    ("Which is higher, Gull Rock or Seal Stack?", "Seal Stack"),
    ("Which is lower, Gull Rock or Seal Stack?", "Gull Rock"),
    ("Is Gull Rock higher than Seal Stack?", "no"),
    ("How high is Seal Stack?", "44"),
    ("Who is the warden of Gull Rock?", "Ola Roe"),
]


@pytest.mark.parametrize(("question", "right"), OF_RECORDS)
def test_a_record_is_a_row_of_its_fields(ask: Any, question: str, right: str) -> None:
    answer = ask(question, RECORDS)

    assert answer.answer == right
    assert answer.citations


def test_of_things_named_with_or_none_other_is_chosen(ask: Any) -> None:
    answer = ask("Which is older, Gull Rock or Seal Stack?", RECORDS)

    assert answer.abstained
    assert "older" in answer.missing


@pytest.mark.parametrize(("question", "right"), QUESTIONS)
def test_rows_are_weighed_by_the_column_asked_for(ask: Any, question: str, right: str) -> None:
    answer = ask(question, FLEET)

    assert answer.answer == right
    assert answer.citations


def test_a_table_of_other_things_does_not_answer(ask: Any) -> None:
    assert ask("Which river of Norway is the longest?", FLEET).abstained


def test_amounts_in_prose_are_weighed_too(ask: Any) -> None:
    texts = {
        "Mewa": "The Mewa was a ferry, 42.5 metres long. It carried 310 passengers.",
        "Hel": "The Hel was a ferry, built in 1935 and 38 metres long.",
    }

    assert ask("Which was longer, the Mewa or the Hel?", texts).answer == "Mewa"


def test_comparatives_are_read_from_their_form() -> None:
    forms = "longest bigger heavier wider larger her offer rest"
    assert [adjective_of(word) for word in forms.split()] == [
        *"long big heavy wide large".split(),
        *["", "", ""],
    ]
    assert "passeng" in measure_stems("which carried more passengers".split())


def test_what_another_thing_cost_is_no_answer(ask: Any) -> None:
    texts = {
        "Fram": "The Fram was launched in 1892. Colin Archer built the Fram at Larvik.",
        "Kendall": "Kendall made three watches. The second, made in 1771, cost 200 pounds.",
    }

    answer = ask("How much did the Fram cost?", texts)

    assert answer.abstained
    assert answer.missing == ("cost",)


CLUBS = {
    "Clubs": "| Club | Founded | Ground | Captain |\n|---|---|---|---|\n"
    "| Aske Rovers | 1903 | Mill Lane | Nora Pike |\n"
    "| Tarn United | 1911 | Quay Field | Ivo Sand |\n"
    "| Brack Athletic | 1898 | Mill Lane | Owen Frost |\n",
    "Letter": "The council of Mill Lane wrote to Aske Rovers in 1903.",
}


def test_all_rows_that_fit_are_listed(ask: Any) -> None:
    answer = ask("Which clubs play at Mill Lane?", CLUBS)

    assert answer.answer == "Aske Rovers, Brack Athletic"
    assert not answer.has_contradictions


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("When did Owen Frost die?", "die"),
        ("What does the captain of Brack Athletic do for a living?", "occupation"),
    ],
)
def test_a_column_that_is_only_near_needs_a_row_that_tells_the_rest(
    ask: Any, question: str, missing: str
) -> None:
    answer = ask(question, CLUBS)

    assert answer.abstained, answer.sentence
    assert answer.missing == (missing,)


def test_fields_of_two_records_are_no_row(ask: Any) -> None:
    two = "members.1.name: Samuel Holt\nmembers.1.role: treasurer\n"
    texts = {"board.json": f"{two}members.2.name: Edith Marsh\nmembers.2.role: secretary"}

    assert ask("What is the role of Edith Marsh?", texts).answer != "treasurer"
