"""Whether one of two is the larger, older, earlier: yes or no, by the values of both."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clew.results import Answer

TEXTS = {
    "Brack": "Brack is a town of 4,200 inhabitants.",
    "Calder": "Calder is a town of 9,100 inhabitants.",
    "Mira Solt": "Mira Solt (3 May 1901 – 2 June 1960) was a painter.",
    "Ivo Garn": "Ivo Garn (1 May 1899 – 8 July 1972) was a poet.",
}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Does Calder have more inhabitants than Brack?", "yes"),
        ("Does Brack have more inhabitants than Calder?", "no"),
        ("Did Mira Solt die before Ivo Garn?", "yes"),
        ("Did Ivo Garn die before Mira Solt?", "no"),
        ("Was Ivo Garn born after Mira Solt?", "no"),
        ("Is Ivo Garn older than Mira Solt?", "yes"),
    ],
)
def test_claims(ask: Callable[..., Answer], question: str, expected: str) -> None:
    answer = ask(question, TEXTS)

    assert answer.answer == expected, answer.sentence
    assert len(answer.citations) == 2


def test_a_claim_without_both_values_is_not_decided(ask: Callable[..., Answer]) -> None:
    assert ask("Did Mira Solt die before Per Moe?", TEXTS).abstained
