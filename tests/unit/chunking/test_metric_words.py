"""Words and tokens as the metrics count them, in any script."""

from __future__ import annotations

import re

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from clew.chunking.metrics import references
from clew.chunking.metrics.plan import Plan
from clew.chunking.metrics.words import Words


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Hemp rope is old.", 5),
        ("麻绳很旧。", 5),
        ("الحبل قديم جدا.", 4),
        ("रस्सी पुरानी है।", 4),
        ("เชือก", 5),
        ("밧줄은 오래되었다.", 3),
        ("----- | 3.5 |", 6),
        ("", 0),
        (" \n\t", 0),
    ],
)
def test_every_script_has_tokens(text: str, tokens: int) -> None:
    assert len(Words.of(text).token_starts) == tokens


def test_case_makes_no_other_word() -> None:
    numbers = Words.of("Rope ROPE rope Ropes İ i̇").numbers
    assert numbers[0] == numbers[1] == numbers[2] != numbers[3]


def test_scripts_without_spaces_give_pairs() -> None:
    words = Words.of("麻绳很 旧")
    assert words.starts.tolist() == [0, 1, 4]
    assert words.numbers[0] == Words.of("很 麻绳").numbers[1]


def test_tokens_of_spans() -> None:
    words = Words.of("one two three")
    starts, ends = np.array([0, 4, 5]), np.array([3, 13, 13])
    assert words.tokens_in(starts, ends).tolist() == [1, 2, 1]


def test_long_texts_are_read_in_slabs_that_cut_no_word() -> None:
    text = "hemp " * 40_000
    words = Words.of(text)
    assert len(words.starts) == 40_000
    assert len(set(words.numbers.tolist())) == 1
    assert words.visible[-1] == 160_000
    endless = Words.of("x" * 200_000)
    assert endless.starts.tolist() == [0]


def test_half_a_surrogate_pair_is_no_failure() -> None:
    assert len(Words.of("a \ud800 b").starts) == 2


@pytest.mark.parametrize(
    "spans", [[(0, 0)], [(2, 1)], [(0, 9)], [(-1, 2)], [(0, 2), (0, 3)], [(0, 3), (1, 3)]]
)
def test_a_plan_that_is_none_is_refused(spans: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="a text of 5 characters"):
        Plan.of(spans, 5)


def test_windows_are_as_many_and_overlap_as_much() -> None:
    plan = Plan.of([(0, 30), (20, 60), (50, 100)], 100)
    windows = plan.windows(100)
    assert windows.starts.tolist() == [0, 33, 66]
    assert windows.ends.tolist() == [43, 76, 100]
    assert len(Plan.of([], 10).windows(10)) == 0
    assert plan.borders.tolist() == [20, 30, 50, 60]


@given(st.text(st.sampled_from("aB1 _-.\n食べไé\u0301한\u3000\ud800"), max_size=60))
def test_words_and_tokens_as_a_pattern_reads_them(text: str) -> None:
    words = Words.of(text)
    unspaced = r"[\p{Han}\p{Hiragana}\p{Thai}]"
    tokens = regex.finditer(
        rf"(?V1){unspaced}|[\p{{L}}\p{{N}}\p{{M}}_--{unspaced}]+|([^\s])\1*", text
    )
    starts = [token.start() for token in tokens]
    assert words.token_starts.tolist() == starts
    visible = [sum(not char.isspace() for char in text[:at]) for at in range(len(text) + 1)]
    assert words.visible.tolist() == visible
    assert set(words.starts.tolist()) <= set(starts)


@given(
    st.lists(st.sampled_from(["Table 3", "tab.  4", "x 5", "表2", "图 3", "3.14 1", "v1.2", ". 7"]))
)
def test_numbers_that_may_have_a_label_are_all_looked_at(parts: list[str]) -> None:
    text = " ".join(parts)
    labelled = [
        (number.start(), number[0])
        for number in re.finditer(r"\d+(?:\.\d+)*", text)
        if references._label_before(text, number.start())
    ]
    seen = [
        (number.start(), number[0])
        for number in references._NUMBER.finditer(text)
        if references._label_before(text, number.start())
    ]
    assert seen == labelled
