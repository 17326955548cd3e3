"""Thoughts at the beginning of replies."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.models.thoughts import ThoughtFilter, without_thoughts


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("Oslo", "Oslo"),
        (" Oslo ", " Oslo "),
        ("<think>Hm.</think>Oslo", "Oslo"),
        ("\n<think>\nHm.\n</think>\n\nOslo <think>", "Oslo <think>"),
        ("<think>Hm.", ""),
        ("<think></think>", ""),
        ("<thin", "<thin"),
        ("<b>Oslo</b>", "<b>Oslo</b>"),
        ("Oslo <think>no</think>", "Oslo <think>no</think>"),
        ("", ""),
        (" ", " "),
    ],
)
def test_only_thoughts_at_the_beginning_go(text: str, reply: str) -> None:
    assert without_thoughts(text) == reply


@given(
    st.lists(st.sampled_from(["<think>", "</think>", "<", "think", ">", " ", "\n", "Oslo"])),
    st.lists(st.integers(0, 60)),
)
def test_pieces_may_end_anywhere(words: list[str], cuts: list[int]) -> None:
    text = "".join(words)
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    shown = ThoughtFilter()
    pieces = [shown.take(text[a:b]) for a, b in pairwise(places)]
    assert "".join([*pieces, shown.rest()]) == without_thoughts(text)
