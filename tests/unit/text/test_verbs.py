"""Irregular verbs, where words are matched and where predicates are compared."""

from __future__ import annotations

import pytest

from clew.graph.predicates import predicate_key
from clew.retrieval.question.tokens import stem_of, tokenise
from clew.text.verbs import base_of, irregular_pasts


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("sank", "sink"),
        ("sunk", "sink"),
        ("led", "lead"),
        ("won", "win"),
        ("bore", "bear"),
        ("withdrew", "withdraw"),
        ("written", "write"),
        ("overthrown", "overthrow"),
        ("bridge", "bridge"),
    ],
)
def test_a_form_leads_to_its_base(form: str, base: str) -> None:
    assert base_of(form) == base
    assert stem_of(form) == stem_of(base)
    assert predicate_key(form) == predicate_key(base)


def test_words_of_their_own_are_left_alone() -> None:
    assert base_of("found") == "found"
    assert stem_of("found") == stem_of("founded")
    assert base_of("lay") == "lay"
    assert "born" not in irregular_pasts()


def test_a_capital_is_a_name_and_no_verb() -> None:
    rose, other = tokenise("rose Rose")
    assert rose.stem == stem_of("rise")
    assert other.stem == "rose"
