"""What holds for the partition of a text in every syntax."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.records import Block, BlockKind
from clew.text.blocks import SYNTAXES, partition

_LINES = st.sampled_from(
    ";;\t;text;more text.;# H;===;---;~~~;```;````;- a;1. b;  - c;    d;> q;<div>;-->;<!-- x;x::;"
    ".. note:: x;.. code::;====  ===;1     2;+--+;+==+;>>> 1;\f;a\fb;:x: y;| a | b |;|---|---|;"
    "|  |; ".split(";")
)
_ENDS = st.sampled_from(["\n", "\r\n", "\r", "\n\n", ""])
_TEXTS = st.lists(st.tuples(_LINES, _ENDS).map("".join), max_size=25).map("".join) | st.text()


@pytest.mark.parametrize("syntax", SYNTAXES)
@given(text=_TEXTS)
def test_blocks_are_a_partition(syntax: str, text: str) -> None:
    at = 0
    for block in partition(text, syntax):
        assert block.start == at < block.end
        at = block.end
    assert at == len(text)


@pytest.mark.parametrize("syntax", SYNTAXES)
@given(text=_TEXTS)
def test_only_the_first_block_begins_with_a_blank_line(syntax: str, text: str) -> None:
    for block in partition(text, syntax)[1:]:
        assert (
            text[block.start] == "\f"
            or text[block.start : block.end].split("\n", maxsplit=1)[0].strip()
        )


@pytest.mark.parametrize("syntax", SYNTAXES)
@given(text=_TEXTS.filter(lambda text: "\r" not in text))
def test_the_kind_of_line_end_changes_no_structure(syntax: str, text: str) -> None:
    expected = [(block.kind, block.level) for block in partition(text, syntax)]
    for end in ("\r\n", "\r"):
        found = partition(text.replace("\n", end), syntax)
        assert [(block.kind, block.level) for block in found] == expected


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_degenerate_texts(syntax: str) -> None:
    assert partition("", syntax) == ()
    assert partition(" \n\t\n", syntax) == (Block(kind=BlockKind.BLANK, start=0, end=4),)
    spaces = " " * 100_000
    assert partition(spaces, syntax) == (Block(kind=BlockKind.BLANK, start=0, end=100_000),)
    line = "x" * 300_000
    assert partition(line, syntax) == (Block(kind=BlockKind.PARAGRAPH, start=0, end=300_000),)


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_leading_blank_lines_are_a_block(syntax: str) -> None:
    kinds = [(block.kind, block.end) for block in partition("\n\ntext", syntax)]
    assert kinds == [(BlockKind.BLANK, 2), (BlockKind.PARAGRAPH, 6)]


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_form_feed_is_a_page_break_wherever_it_stands(syntax: str) -> None:
    text = "one\ftwo\n\f\nthree"
    found = [(block.kind, text[block.start : block.end]) for block in partition(text, syntax)]
    assert found == [
        (BlockKind.PARAGRAPH, "one"),
        (BlockKind.PAGE_BREAK, "\f"),
        (BlockKind.PARAGRAPH, "two\n"),
        (BlockKind.PAGE_BREAK, "\f\n"),
        (BlockKind.PARAGRAPH, "three"),
    ]


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_twelve_levels_of_nesting(syntax: str) -> None:
    text = "\n\n".join("  " * depth + "- item" for depth in range(12))
    assert [block.level for block in partition(text, syntax)] == list(range(1, 13))


def test_unknown_syntax_is_named() -> None:
    with pytest.raises(
        ValueError, match="syntax='asciidoc' is not known; choose one of plain, mark"
    ):
        partition("x", "asciidoc")


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize(
    "piece",
    "x\n;- a\n;# h\n;> q\n;```\n;a\n===\n;| a |\n|---|\n;=== ===\nx\n\n;+-+\n;+ ;> ;|;"
    "<a ;\f;\r; ;-;`;a::\n\n b\n\n;  - a\n;<div>\n;..\n".split(";"),
)
def test_long_texts_come_to_an_end(syntax: str, piece: str) -> None:
    """Quadratic work on so many blocks would run into the time limit of the suite."""
    text = piece * (400_000 // len(piece))
    blocks = partition(text, syntax)
    assert blocks[0].start == 0
    assert blocks[-1].end == len(text)
    assert all(left.end == right.start for left, right in pairwise(blocks))
