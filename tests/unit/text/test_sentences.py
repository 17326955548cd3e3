"""Sentences: hard cases by language, properties of the spans, time."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.text.sentences import sentence_spans

_CASES = [
    tuple(line.replace("\\n", "\n").split(" | ", 1))
    for line in (Path(__file__).parent / "sentence_cases.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("language", "marked"), _CASES)
def test_hard_case(language: str, marked: str) -> None:
    text = marked.replace("¦", "")
    assert _sentences(text) == [sentence.strip() for sentence in marked.split("¦")]


def test_cases_span_many_languages() -> None:
    assert len(_CASES) >= 80
    assert len({language for language, _ in _CASES}) >= 15


def test_nothing_to_split() -> None:
    assert sentence_spans("") == []
    assert sentence_spans(" \n\t ") == []


def test_window_of_a_text() -> None:
    text = "One here. Two here. Three here."
    assert [text[a:b] for a, b in sentence_spans(text, 4, 21)] == ["here.", "Two here.", "T"]


def test_window_behind_the_end_is_cut_short() -> None:
    assert sentence_spans("One.", 0, 99) == [(0, 4)]


@pytest.mark.parametrize("end", ["\n\n", "\r\n\r\n", "\r\r", "\r\n \t\n", "\f", "\n\u2029"])
def test_paragraph_break_ends_a_sentence_without_a_stop(end: str) -> None:
    assert _sentences(f"no stop here{end}and more") == ["no stop here", "and more"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_break_ends_no_sentence(end: str) -> None:
    assert len(sentence_spans(f"The Orm Works{end}were large")) == 1


def test_year_at_the_start_of_a_line_is_no_list_item() -> None:
    assert _sentences("It was closed in May\n12. Then it burned.") == [
        "It was closed in May\n12.",
        "Then it burned.",
    ]


def test_list_items_are_counted_on() -> None:
    assert _sentences("1. a\n2. b\n3. c\n9. d") == ["1. a", "2. b", "3. c\n9. d"]


_PIECES = st.sampled_from(
    'Dr. a.m. No. 5 3.14 word Word . ! ? … 。 ？ ؟ । ; " ” “ ( ) [1] » - 1. é 食 ΠA I z am U.S. '
    "''".split(" ")
) | st.sampled_from([" ", "\n", "\r", "\r\n", "\f", "\n\n", "\u2028", "\u2029", "\u00a0"])


@given(st.lists(_PIECES, max_size=40).map("".join) | st.text())
def test_spans_are_trimmed_ordered_and_cover_the_text(text: str) -> None:
    _check_spans(text, 0, len(text))


@given(st.lists(_PIECES, max_size=20).map("".join), st.data())
def test_spans_stay_inside_their_window(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    _check_spans(text, start, data.draw(st.integers(start, len(text))))


@pytest.mark.parametrize(
    "piece",
    [
        "x",
        " ",
        ".",
        "a.",
        "A. ",
        "? ",
        '."',
        ".[1] ",
        "\n",
        "\n1. ",
        "No. ",
        "e.g. ",
        ". . ",
        "《！》",
        "。",
        "a\n\n",
    ],
)
def test_long_texts_come_to_an_end(piece: str) -> None:
    """Quadratic work on two million characters would run into the time limit of the suite."""
    text = piece * (2_000_000 // len(piece))
    _check_spans(text, 0, len(text))


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


def _check_spans(text: str, start: int, end: int) -> None:
    at = start
    for first, last in sentence_spans(text, start, end):
        assert at <= first < last <= end
        assert not text[at:first].strip()
        assert text[first:last] == text[first:last].strip()
        at = last
    assert not text[at:end].strip()
