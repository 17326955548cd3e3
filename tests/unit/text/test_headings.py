"""The words of headings."""

from __future__ import annotations

import pytest

from clew.text.headings import heading_text


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ("# The Norr Bridge\n\n", "The Norr Bridge"),
        ("### Norr ###\n", "Norr"),
        ("# C# and C++", "C# and C++"),
        ("#\tTab", "Tab"),
        ("#hashtag", "#hashtag"),
        ("#", ""),
        ("# #", ""),
        ("Norr\n====\n", "Norr"),
        ("Two\nlines\n---\n", "Two lines"),
        ("====\nNorr\n====\n", "Norr"),
        ("## The *Norr* **Bridge** and `code`", "The Norr Bridge and code"),
        ("## [Norr](http://a.example) {#norr}", "Norr"),
        ("A heading of a Word file", "A heading of a Word file"),
        ("", ""),
    ],
)
def test_heading_text(block: str, words: str) -> None:
    assert heading_text(block) == words


def test_endless_heading_is_cut_short() -> None:
    assert len(heading_text("# " + "[word " * 100_000)) in {299, 300}
