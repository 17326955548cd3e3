"""When the documents do not say it, the answer says so and names what is missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clew.results import Answer

Ask = Callable[..., Answer]

WORKS = [
    "Jane Roe founded Norr Works in 1987. The company employs 340 people in Bergen.",
    "Norr Works bought Orm Foundry in 2004 for 12 million euros.",
    "The Norr Bridge is 340 metres long. It was designed by Per Moe.",
]

# question, texts, words that must be named as missing
REFUSED: list[tuple[str, Any, tuple[str, ...]]] = [
    ("Who built the Vik Tower?", WORKS, ("Vik Tower",)),
    ("When was the Moss Canal dug?", WORKS, ("Moss Canal",)),
    ("Who painted Norr Works?", WORKS, ("painted",)),
    ("When did Jane Roe die?", WORKS, ("die",)),
    ("Where was Jane Roe born?", WORKS, ("born",)),
    ("How deep is the river Vik?", WORKS, ("Vik",)),
    ("Is the Norr Bridge open on Mondays?", WORKS, ("Mondays",)),
    ("Did Jane Roe sell Norr Works?", WORKS, ("sell",)),
    ("Why was the Vik Tower closed?", WORKS, ("Vik Tower",)),
    ("Which is older, the Vik Tower or the Moss Canal?", WORKS, ("Vik Tower", "Moss Canal")),
    ("What is the boiling point of zirconium?", WORKS, ("zirconium",)),
    ("Who founded Norr Works and who painted the Vik Tower?", WORKS, ("painted", "Vik Tower")),
    (
        "When did the founder of the company that bought Orm Foundry die?",
        WORKS,
        ("die",),
    ),
    ("Who designed the Norr Bridge and when was it painted?", WORKS, ("painted",)),
    ("Who founded the company that bought Vik Steel?", WORKS, ("Vik Steel",)),
    ("Who founded Norr Works?", [], ("founded", "Norr Works")),
]


@pytest.mark.parametrize(("question", "texts", "missing"), REFUSED)
def test_no_answer(ask: Ask, question: str, texts: Any, missing: tuple[str, ...]) -> None:
    answer = ask(question, texts)

    assert answer.abstained, answer.sentence
    assert answer.answer == ""
    assert answer.citations == ()
    assert set(missing) <= set(answer.missing)
    assert "I do not know" in answer.sentence
    assert all(word in answer.sentence for word in missing)


def test_the_sentence_says_what_nothing_says(ask: Ask) -> None:
    answer = ask("Who built the Vik Tower?", WORKS)

    assert answer.sentence.startswith("I do not know: nothing here says who built the Vik Tower.")


def test_what_is_covered_is_not_missing(ask: Ask) -> None:
    answer = ask("Who painted Norr Works?", WORKS)

    assert answer.missing == ("painted",)


@pytest.mark.parametrize(
    ("question", "asking"),
    [
        ("How much did the Norr Bridge cost?", "much"),
        ("How many passengers did Per Moe carry?", "many"),
        ("How often does Per Moe swim?", "often"),
        ("How soon was the Norr Bridge painted?", "soon"),
        ("How old was Per Moe?", "old"),
        ("Wie viel kostete die Norr Bridge?", "viel"),
        ("Wie oft schwimmt Per Moe?", "oft"),
    ],
)
def test_words_that_only_ask_are_not_missing(ask: Ask, question: str, asking: str) -> None:
    answer = ask(question, WORKS)

    assert answer.abstained, answer.sentence
    assert answer.missing
    assert asking not in answer.missing


def test_the_threshold_decides(ask: Ask) -> None:
    question = "Who painted Norr Works?"

    assert ask(question, WORKS, abstention_threshold=1.0).abstained
    assert not ask(question, WORKS, abstention_threshold=0.0).abstained
    assert ask("Who founded Norr Works?", WORKS, abstention_threshold=0.9).answer == "Jane Roe"


def test_confidence_is_higher_for_what_is_said_than_for_what_is_not(ask: Ask) -> None:
    said = ask("Who founded Norr Works?", WORKS)
    unsaid = ask("Who painted Norr Works?", WORKS, abstention_threshold=0.0)

    assert 0.0 <= unsaid.confidence < 0.35 < said.confidence <= 1.0
