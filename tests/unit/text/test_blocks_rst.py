"""reStructuredText blocks: by example, and headings against docutils."""

from __future__ import annotations

from textwrap import dedent

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from hypothesis import given
from hypothesis import strategies as st

from clew.records import BlockKind
from clew.text.blocks import partition


def _blocks(text: str) -> list[tuple[str, int, str]]:
    blocks = partition(text, "rst")
    return [(str(block.kind), block.level, text[block.start : block.end]) for block in blocks]


def _kinds(text: str) -> list[str]:
    return [kind for kind, _, _ in _blocks(dedent(text))]


def test_a_document_with_everything() -> None:
    text = dedent(
        """\
        ====
        Rope
        ====

        Making it goes like this::

            # twist

            # pull

        Kinds
        -----

        - hemp
          goes on

          and on

          * nested
        - jute

        .. note:: Wet rope
           shrinks.

           It does.

        .. _target:

        term
            its definition

        -----

            Quoted.

        >>> twist()
        4
        """
    )
    assert _blocks(text) == [
        ("heading", 1, "====\nRope\n====\n\n"),
        ("paragraph", 0, "Making it goes like this::\n\n"),
        ("code", 0, "    # twist\n\n    # pull\n\n"),
        ("heading", 2, "Kinds\n-----\n\n"),
        ("list_item", 1, "- hemp\n  goes on\n\n  and on\n\n"),
        ("list_item", 2, "  * nested\n"),
        ("list_item", 1, "- jute\n\n"),
        ("paragraph", 0, ".. note:: Wet rope\n   shrinks.\n\n"),
        ("paragraph", 0, "   It does.\n\n"),
        ("html", 0, ".. _target:\n\n"),
        ("paragraph", 0, "term\n    its definition\n\n"),
        ("blank", 0, "-----\n\n"),
        ("quote", 1, "    Quoted.\n\n"),
        ("code", 0, ">>> twist()\n4\n"),
    ]


def test_levels_follow_the_order_of_first_use() -> None:
    text = "===\nA\n===\n\nB\n===\n\nC\n~~~\n\nD\n===\n"
    assert [level for _, level, _ in _blocks(text)] == [1, 2, 3, 2]


def test_simple_table_keeps_wrapped_cells_in_their_row() -> None:
    text = (
        "====  ====\nkind  use\n====  ====\nhemp  old\n      rope\njute  new\n====  ====\n\nend\n"
    )
    assert _blocks(text) == [
        ("table_header", 0, "====  ====\nkind  use\n====  ====\n"),
        ("table_row", 0, "hemp  old\n      rope\n"),
        ("table_row", 0, "jute  new\n====  ====\n\n"),
        ("paragraph", 0, "end\n"),
    ]


def test_simple_table_without_a_header() -> None:
    assert _kinds("==  ==\n1   2\n3   4\n==  ==\n") == ["table_row", "table_row"]


def test_grid_table() -> None:
    text = (
        "+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n|   | 3 |\n+---+---+\n| 4 | 5 |\n+---+---+\n"
    )
    assert _blocks(text) == [
        ("table_header", 0, "+---+---+\n| a | b |\n+===+===+\n"),
        ("table_row", 0, "| 1 | 2 |\n|   | 3 |\n+---+---+\n"),
        ("table_row", 0, "| 4 | 5 |\n+---+---+\n"),
    ]


@pytest.mark.parametrize(
    "code",
    [
        ".. code-block:: sh\n   :linenos:\n\n   # a\n   ===\n\n   b\n",
        ".. code::\n\n   # a\n",
        ".. math::\n\n   a = b\n",
    ],
)
def test_code_directive_is_one_block(code: str) -> None:
    assert _kinds(code + "\nend\n") == ["code", "paragraph"]


def test_literal_block_ends_where_its_indent_ends() -> None:
    assert _kinds("a::\n\n  b\n\n    c\n\nd\n") == ["paragraph", "code", "paragraph"]


def test_double_colon_without_indented_text_is_only_a_paragraph() -> None:
    assert _kinds("a::\n\nb\n") == ["paragraph", "paragraph"]


def test_initials_at_the_start_of_a_paragraph_are_no_list() -> None:
    assert _kinds("A. Lind made rope\nfor ships.\n") == ["paragraph"]
    assert _kinds("A. one\nB. two\n\n#. three\n\n(4) four\n") == ["list_item"] * 4


def test_fields_are_items_and_footnotes_are_paragraphs() -> None:
    assert _kinds(":author: Lind\n:date: 1920\n\n.. [1] A note.\n") == [
        "list_item",
        "list_item",
        "paragraph",
    ]


def test_list_in_a_directive_keeps_its_code() -> None:
    assert _kinds(".. tip::\n\n   - a::\n\n       code\n\n   - b\n") == [
        "paragraph",
        "list_item",
        "code",
        "list_item",
    ]


_HEADINGS = ("*****\nStart\n*****", "Kinds\n=====", "Longer title\n----", "C\n~")
_PARTS = st.lists(
    st.sampled_from(
        "Text of\ntwo lines.;- item\n- more;a::\n\n  ---\n  x;.. note:: y;"
        "----------;    quoted".split(";")
    )
    | st.integers(0, 3),
    max_size=12,
)


@given(_PARTS)
def test_headings_agree_with_docutils(parts: list[str | int]) -> None:
    text = _source(parts)
    headings = [block for block in partition(text, "rst") if block.kind is BlockKind.HEADING]
    assert [block.level for block in headings] == _docutils_levels(text)


def _source(parts: list[str | int]) -> str:
    """A document in which each level is used once in order, and none is skipped later."""
    written = list(_HEADINGS)
    level = 3
    for part in parts:
        if isinstance(part, int):
            level = min(part, level + 1)
            written.append(_HEADINGS[level])
        else:
            written.append(part)
    # a transition may neither follow a heading nor end a document
    return "\n\ntext\n\n".join(written) + "\n\ntext\n"


def _docutils_levels(text: str) -> list[int]:
    options = {"doctitle_xform": False, "report_level": 5, "file_insertion_enabled": False}
    tree = publish_doctree(text, settings_overrides=options)
    return [_depth(section) for section in tree.findall(nodes.section)]


def _depth(node: nodes.Element | None) -> int:
    return 1 + _depth(node.parent) if isinstance(node, nodes.section) else 0
