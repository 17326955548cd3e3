from __future__ import annotations

import pytest
from hypothesis import given

from clew.testing.strategies import texts
from clew.text.words import STOP_WORDS, term_spans, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The founders of Norr Bridge", ["founder", "norr", "bridg"]),
        ("founding founded founds", ["found", "found", "found"]),
        ("Norr Bridge's deck", ["norr", "bridg", "deck"]),
        ("C++ and C# and .NET", ["c++", "c#", ".net"]),
        ("C NET", ["c", "net"]),
        ("snake_case 3.14", ["snake_cas", "3", "14"]),
        ("ＮＯＲＲ Straße", ["norr", "strass"]),
        ("食べ物", ["食べ", "べ物"]),
        ("食", ["食"]),
        ("Norr食べ", ["norr", "食べ"]),
        ("мост", ["мост"]),
        ("to be or not to be", []),
        ("... — !", []),
        ("", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@given(texts())
def test_spans_lie_in_order_where_the_terms_are(text: str) -> None:
    last = -1
    for start, end, term in term_spans(text):
        assert last < start < end <= len(text)
        assert term
        last = start


@given(texts())
def test_no_stop_word_is_a_term_before_it_is_stemmed(text: str) -> None:
    assert all(text[start:end].casefold() not in STOP_WORDS for start, end, _ in term_spans(text))


@given(texts())
def test_case_does_not_matter(text: str) -> None:
    if text.isascii():
        assert terms(text.upper()) == terms(text.lower())
