"""The outline: sections, heading paths, table headers, bound and loose ends."""

from __future__ import annotations

from clew.chunking import Outline
from clew.text.blocks import partition


def _outline(text: str) -> Outline:
    return Outline(text, partition(text, "markdown"))


def test_blocks_are_trimmed_and_blank_ones_left_out() -> None:
    outline = _outline("\n\n  one  \n\n\ntwo\n\n")
    spans = zip(outline.starts, outline.ends, strict=True)
    assert [outline.text[start:end] for start, end in spans] == ["one", "two"]


def test_sections_and_their_levels() -> None:
    outline = _outline("before\n\n# A\n\ntext\n\n### B\n## C\ntext\n")
    assert [tuple(section) for section in outline.sections] == [
        (0, 1, 0),
        (1, 3, 1),
        (3, 4, 3),
        (4, 6, 2),
    ]
    assert _outline("").sections == []


def test_path_of_a_heading_holds_no_deeper_one_of_before() -> None:
    text = "# One\n\na\n\n### Three\n\nb\n\n## Two\n\nc\n"
    outline = _outline(text)
    assert outline.heading_path(text.index("c\n"), len(text)) == ("One", "Two")
    assert outline.heading_path(text.index("b\n"), len(text)) == ("One", "Three")
    assert outline.heading_path(text.index("### "), len(text)) == ("One", "Three")


def test_path_of_a_span_that_begins_with_headings_goes_down_with_them() -> None:
    text = "# One\n\n## Two\n\ntext\n"
    assert _outline(text).heading_path(0, len(text)) == ("One", "Two")
    assert _outline(text).heading_path(0, 5) == ("One",)


def test_no_path_before_the_first_heading() -> None:
    assert _outline("text\n\n# One\n").heading_path(0, 4) == ()
    assert _outline("").heading_path(0, 0) == ()


def test_table_header_is_that_of_the_rows_own_table() -> None:
    text = "a | b\n--|--\n1 | 2\n3 | 4\n\ntext\n\nc | d\n--|--\n5 | 6\n"
    outline = _outline(text)
    assert outline.table_header(text.index("3 |")) == "a | b\n--|--"
    assert outline.table_header(text.index("5 |")) == "c | d\n--|--"
    assert outline.table_header(text.index("text")) == ""
    assert outline.table_header(0) == ""


def test_bound_ends_are_headings_with_a_body_and_headers_with_rows() -> None:
    text = "# A\n\n## B\n\n## C\n\ntext\n\na | b\n--|--\n1 | 2\n"
    outline = _outline(text)
    ends = sorted(text[:end].rsplit("\n", 1)[-1] for end in outline.bound_ends)
    assert ends == ["# A", "## C", "--|--"]


def test_loose_ends_are_inside_lists_and_behind_lead_ins() -> None:
    text = "You need:\n\n- a\n- b\n\ntext\n\nRun:\n\n```\nx\n```\n"
    outline = _outline(text)
    ends = sorted(text[:end].rsplit("\n", 1)[-1] for end in outline.loose_ends)
    assert ends == ["- a", "Run:", "You need:"]
