"""Every promise that a chunk can break is noticed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.ids import chunk_id
from clew.records import Chunk
from clew.testing.chunk_contract import ChunkContract

TEXT = "one two e\u0301 four"


def _chunks(text: str, *spans: tuple[int, int], strategy: str = "mine") -> list[Chunk]:
    return [
        Chunk(
            id=chunk_id("d", text[start:end], number),
            document_id="d",
            index=number,
            start=start,
            end=end,
            text=text[start:end],
            metadata={"strategy": strategy},
        )
        for number, (start, end) in enumerate(spans)
    ]


def _rules(text: str, *spans: tuple[int, int], size: int | None = 8, overlap: int = 0) -> list[str]:
    faults = ChunkContract(text).faults(_chunks(text, *spans), size=size, overlap=overlap)
    return [fault.rule for fault in faults]


def test_chunks_that_keep_all_promises() -> None:
    assert _rules(TEXT, (0, 7), (8, 15)) == []
    assert _rules(TEXT, (0, 7), (4, 10), (11, 15), overlap=3) == []
    assert _rules(" \n") == []
    assert _rules("", size=None) == []


@pytest.mark.parametrize(
    ("spans", "rules"),
    [
        (((0, 10), (11, 15)), ["size"]),
        (((0, 7), (4, 10), (11, 15)), ["overlap"]),
        (((0, 7), (11, 15)), ["left out"]),
        (((0, 7), (8, 11)), ["left out", "white space"]),
        (((0, 7), (8, 10)), ["left out"]),
        (((0, 9), (9, 15)), ["size", "character", "character"]),
        (((0, 7), (7, 15)), ["white space"]),
        (((0, 8), (8, 15)), ["white space"]),
        (((0, 7), (0, 7), (8, 15)), ["progress", "overlap"]),
        (((0, 7), (4, 7), (8, 15)), ["progress", "overlap"]),
        (((0, 7), (8, 8), (8, 15)), ["slice", "progress"]),
    ],
)
def test_a_broken_promise_is_told(spans: tuple[tuple[int, int], ...], rules: list[str]) -> None:
    assert sorted(_rules(TEXT, *spans)) == sorted(rules)


def test_another_text_than_that_of_the_span() -> None:
    first, second = _chunks(TEXT, (0, 7), (8, 15))
    contract = ChunkContract(TEXT)
    assert [f.rule for f in contract.faults([first, replace(second, text="other")], size=8)] == [
        "slice"
    ]
    assert [f.rule for f in contract.faults([first, replace(second, index=3)], size=8)] == ["names"]
    assert [f.rule for f in contract.faults([first, replace(second, id=first.id)], size=8)] == [
        "names"
    ]


def test_a_character_larger_than_a_chunk_may_be_cut() -> None:
    family = "👩\u200d👩\u200d👧"
    assert _rules(family, (0, 3), (3, 5), size=3) == []
    assert _rules(family, (0, 3), (3, 5), size=5) == ["character", "character"]


def test_any_counter_measures() -> None:
    chunks = _chunks("a b c", (0, 5))
    words = ChunkContract("a b c").faults(chunks, size=2, count=lambda text: len(text.split()))
    assert [(fault.rule, fault.what) for fault in words] == [("size", "3, where 2 is the most")]


def test_blanks_come_first_where_they_indent_code_or_bear_a_mark() -> None:
    text = "if x:\n    return \u0301"
    spans = (0, 5), (6, 18)
    contract = ChunkContract(text)
    assert not list(contract.faults(_chunks(text, *spans, strategy="code"), size=20))
    assert [f.rule for f in contract.faults(_chunks(text, *spans), size=20)] == ["white space"]
    assert _rules("a \u0301b", (0, 1), (1, 4)) == []
