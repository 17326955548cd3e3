"""The sentences under an answer: those that lead on come before those that only name a thing."""

from __future__ import annotations

from typing import Any


def test_the_support_names_what_leads_to_the_answer(ask: Any) -> None:
    texts = {
        "Ada Lund's ferries": (
            "Ada Lund learnt from Jon Vik, who had made a ferry to Per Holm's drawing. "
            "The council gave Lund the original and ordered a copy."
        ),
        "Per Holm and his ferry": (
            "Per Holm lived in Ostby. Ola Berg, the leading smith of the day, lent him money for "
            "the ferry."
        ),
    }
    question = "Which smith lent money to the maker of the ferry that Lund copied?"
    answer = ask(question, texts)
    assert answer.answer == "Ola Berg"
    assert any("Per Holm's drawing" in citation.text for citation in answer.citations)
