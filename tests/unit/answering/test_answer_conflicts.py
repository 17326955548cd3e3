"""Two statements that cannot both hold are both shown; two that can are not called a conflict."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clew.results import Answer

Ask = Callable[..., Answer]

CONFLICTS = [
    (
        "two years",
        "When was the Norr Bridge built?",
        ["The Norr Bridge was built in 1910.", "The Norr Bridge was built in 1912."],
    ),
    (
        "two founders",
        "Who founded Orm Works?",
        ["Orm Works was founded by Ola Berg.", "Orm Works was founded by Kari Lund."],
    ),
    (
        "two places",
        "Where was Ola Berg born?",
        ["Ola Berg was born in Oslo.", "Ola Berg was born in Bergen."],
    ),
    (
        "two lengths",
        "How long is the Norr Bridge?",
        ["The Norr Bridge is 340 metres long.", "The Norr Bridge is 280 metres long."],
    ),
    (
        "yes and no",
        "Is the museum open on Sundays?",
        ["The museum is open on Sundays.", "The museum is not open on Sundays."],
    ),
]

AGREEMENTS = [
    (
        "one date, more and less exact",
        "When was the Norr Bridge opened?",
        ["The Norr Bridge was opened in 1910.", "The Norr Bridge was opened on 3 May 1910."],
    ),
    (
        "one after the other",
        "Who led Orm Works in 2012?",
        ["Ola Berg led Orm Works from 2010 to 2015.", "Kari Lund led Orm Works from 2015 to 2020."],
    ),
    (
        "many may hold",
        "Who starred in Silent Snow?",
        ["Nils Aas starred in Silent Snow.", "Tove Strand starred in Silent Snow."],
    ),
    (
        "the same again",
        "Who founded Orm Works?",
        ["Orm Works was founded by Ola Berg.", "Ola Berg founded Orm Works in Vik."],
    ),
    (
        "surname and full name",
        "Who founded Orm Works?",
        ["Orm Works was founded by Ola Berg.", "Berg founded Orm Works in 1950."],
    ),
]


@pytest.mark.parametrize(
    ("question", "texts"), [pytest.param(q, t, id=name) for name, q, t in CONFLICTS]
)
def test_a_conflict_is_shown_with_both_sources(ask: Ask, question: str, texts: list[str]) -> None:
    answer = ask(question, texts)

    assert answer.has_contradictions
    assert {citation.doc_id for citation in answer.citations} == {"#0", "#1"}
    assert "[1]" in answer.sentence
    assert "[2]" in answer.sentence


@pytest.mark.parametrize(
    ("question", "texts"), [pytest.param(q, t, id=name) for name, q, t in AGREEMENTS]
)
def test_no_conflict(ask: Ask, question: str, texts: list[str]) -> None:
    answer = ask(question, texts)

    assert not answer.abstained
    assert not answer.has_contradictions, answer.sentence
