"""Fixed windows."""

from __future__ import annotations

from clew.chunking import FixedWindowChunker, Outline
from clew.text.blocks import partition


def _chunks(text: str, size: int, overlap: int = 0) -> list[str]:
    outline = Outline(text, partition(text))
    spans = FixedWindowChunker(chunk_size=size, chunk_overlap=overlap).cuts(outline)
    return [text[span.start : span.end] for span in spans]


def test_windows_advance_by_size_minus_overlap() -> None:
    assert _chunks("abcdefghij", 4, 1) == ["abcd", "defg", "ghij"]
    assert _chunks("abcdefghij", 4) == ["abcd", "efgh", "ij"]


def test_windows_with_nothing_new_are_left_out() -> None:
    assert _chunks("chunk chunk", 5, 4) == [
        "chunk",
        "unk c",
        "nk ch",
        "k chu",
        "chunk",
    ]
    assert _chunks("ab" + " " * 50 + "cd", 5, 2) == ["ab", "cd"]


def test_windows_part_no_grapheme_that_fits() -> None:
    assert _chunks("e\u0301" * 4, 3) == ["e\u0301"] * 4
    assert _chunks("👩‍👩‍👧" * 2, 3) == ["👩‍👩", "\u200d👧", "👩‍👩", "\u200d👧"]


def test_nothing_but_white_space() -> None:
    assert _chunks(" \n" * 50, 7, 3) == []
