"""The words of topics, against one pattern over every word."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clew.chunking.topic_words import topic_words


def _word_by_word(text: str) -> list[str]:
    found = []
    for word in re.findall(r"\w{2,}", text.lower()):
        if word[0] >= "\u0e00":
            found += [word[at : at + 2] for at in range(len(word) - 1)]
        elif len(word) > 3:
            found.append(word)
    return found


@given(st.text() | st.text(alphabet="aBcD1_ é“—İ\u0301食べ物ßไทย \n.,"))
@example("Kelvin: 100 \u212aelvin")
@example("naïve “quoted” words — and dashes")
def test_as_word_by_word(text: str) -> None:
    assert topic_words(text) == _word_by_word(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The old Norr Bridge", ["norr", "bridge"]),
        ("snake_case x_1 v123", ["snake_case", "v123"]),
        ("Größe — naïve", ["größe", "naïve"]),
        ("食べ物", ["食べ", "べ物"]),
        ("", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert topic_words(text) == words


def test_no_word_begins_with_common_punctuation() -> None:
    assert not re.search(r"\w", "".join(map(chr, range(0x2000, 0x2070))))
