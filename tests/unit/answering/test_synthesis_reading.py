"""Replies are read however they are written; thoughts are never shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.answering.synthesis.reading import SaidSentence, read_answer, read_sentences
from clew.answering.synthesis.streaming import visible
from clew.models.base import Completion

WHOLE = "Ola Roe\nNorr was founded by Ola Roe [1]. It makes bolts [2][3]."


def test_the_short_answer_and_its_sentences() -> None:
    said = read_answer(WHOLE)
    assert said.short == "Ola Roe"
    assert said.sentences == (
        SaidSentence(text="Norr was founded by Ola Roe.", cites=(1,)),
        SaidSentence(text="It makes bolts.", cites=(2, 3)),
    )
    assert not said.is_unknown


@pytest.mark.parametrize(
    "reply",
    [
        f"<think>Perhaps [7]?</think>\n{WHOLE}",
        f"```\n{WHOLE}\n```",
        WHOLE.replace("Ola Roe\n", "Answer: Ola Roe\n", 1),
        WHOLE.replace("Ola Roe\n", "**Answer:** Ola Roe\n\n", 1),
        WHOLE.replace("[2][3]", "[2, 3]"),
        WHOLE.replace("[2][3].", ". [2] [3]"),
        WHOLE.replace("[1]", "【1】").replace("[2][3]", "【2】【3】"),
        WHOLE.replace("[1]", "(1)").replace("[2][3]", "(2; 3)"),
        WHOLE.replace("[1]", "[piece 1]"),
        WHOLE.replace("[1]", "[^1]"),
        WHOLE.replace("\n", "\n- ").replace(". It", ".\n- It"),
    ],
)
def test_marks_labels_fences_and_thoughts(reply: str) -> None:
    assert read_answer(reply) == read_answer(WHOLE)


def test_a_bracket_that_is_no_mark_stays() -> None:
    (sentence,) = read_sentences("Norr (12) was founded in 1970 (the year of the flood) [1].")
    assert sentence == SaidSentence(
        text="Norr (12) was founded in 1970 (the year of the flood).", cites=(1,)
    )


@pytest.mark.parametrize(
    ("reply", "missing"),
    [
        ("UNKNOWN\nwho built it", "who built it"),
        ("UNKNOWN: the builder [2]", "the builder"),
        ("I don't know.", ""),
        ("<think>I could go on for ever", ""),
        ("", ""),
    ],
)
def test_not_knowing(reply: str, missing: str) -> None:
    said = read_answer(reply)
    assert said.is_unknown
    assert said.missing == missing
    assert said.sentences == ()


def test_a_reply_without_a_short_line() -> None:
    said = read_answer("Norr was founded by Ola Roe [1].")
    assert said.sentences == (SaidSentence(text="Norr was founded by Ola Roe.", cites=(1,)),)
    long = "Norr Works was founded by Ola Roe in the town of Lom, where he had come as a child " * 2
    said = read_answer(f"{long.strip()} [1].\nIt makes bolts [2].")
    assert said.short == ""
    assert [one.cites for one in said.sentences] == [(1,), (2,)]


@given(
    st.lists(
        st.sampled_from(["a", "<think>", "x", "</think>", "b [1]", "<b>", "<", "thin", "\n"]),
        max_size=8,
    ),
    st.integers(min_value=1, max_value=5),
)
def test_pieces_of_any_size_show_the_same(parts: list[str], size: int) -> None:
    text = "".join(parts)
    cut = [text[at : at + size] for at in range(0, len(text), size)]
    whole = "".join(str(item) for item in visible([text]))
    assert "".join(str(item) for item in visible(cut)) == whole
    assert "<think>" not in whole


def test_the_whole_reply_comes_last() -> None:
    completion = Completion(text="<think>hm</think>Oslo")
    assert list(visible(["<think>h", "m</think>", "Oslo", completion])) == ["Oslo", completion]
