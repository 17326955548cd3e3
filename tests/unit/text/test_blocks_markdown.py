"""Markdown blocks: by example, and against markdown-it-py."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from clew.records import BlockKind
from clew.text.blocks import partition

_ORACLE = MarkdownIt("commonmark").enable("table")


def _blocks(text: str) -> list[tuple[str, int, str]]:
    blocks = partition(text, "markdown")
    return [(str(block.kind), block.level, text[block.start : block.end]) for block in blocks]


def _kinds(text: str) -> list[str]:
    return [kind for kind, _, _ in _blocks(text)]


def test_a_document_with_everything() -> None:
    text = dedent(
        """\
        ---
        title: Rope
        ---
        # Rope

        First paragraph
        goes on.
        - item
        - item two
          goes on

          and on
          - nested

        | kind | use |
        |:-----|----:|
        | hemp | old |
        | jute | new |

        ```sh
        # no heading
        ```
        Making rope
        -----------
        > quoted
        goes on

        <div>
        raw
        </div>

            indented code

            goes on
        ***
        End.
        """
    )
    assert _blocks(text) == [
        ("front_matter", 0, "---\ntitle: Rope\n---\n"),
        ("heading", 1, "# Rope\n\n"),
        ("paragraph", 0, "First paragraph\ngoes on.\n"),
        ("list_item", 1, "- item\n"),
        ("list_item", 1, "- item two\n  goes on\n\n  and on\n"),
        ("list_item", 2, "  - nested\n\n"),
        ("table_header", 0, "| kind | use |\n|:-----|----:|\n"),
        ("table_row", 0, "| hemp | old |\n"),
        ("table_row", 0, "| jute | new |\n\n"),
        ("code", 0, "```sh\n# no heading\n```\n"),
        ("heading", 2, "Making rope\n-----------\n"),
        ("quote", 1, "> quoted\ngoes on\n\n"),
        ("html", 0, "<div>\nraw\n</div>\n\n"),
        ("code", 0, "    indented code\n\n    goes on\n"),
        ("blank", 0, "***\n"),
        ("paragraph", 0, "End.\n"),
    ]


@pytest.mark.parametrize(
    "line", ["#hashtag", "####### seven", "\\# escaped", "    # code", "#5 is it"]
)
def test_no_heading(line: str) -> None:
    assert "heading" not in _kinds(f"{line}\n")


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("# one", 1),
        ("###### six ##", 6),
        ("   ## two", 2),
        ("#", 1),
        ("#\ttab", 1),
        ("a\n=", 1),
        ("a\nb\n---", 2),
        ("a\n-", 2),
    ],
)
def test_heading(text: str, level: int) -> None:
    assert [(kind, at) for kind, at, _ in _blocks(text)] == [("heading", level)]


@pytest.mark.parametrize(
    "fence",
    [
        "```\n# a\n```\n",
        "~~~ py\n```\n# a\n~~~\n",
        "````\n```\n# a\n```\n````\n",
        "```\n# a\n``````\n",
        "```\n# a\n``` not closed\n\n# b\n",
        "   ```\n# a\n   ```\n",
        "```\n# a\n\f\n# b\n```\n",
        "```\n\ta\u00a0b\n\n\n```\n",
    ],
)
def test_fence_is_one_block(fence: str) -> None:
    assert _kinds(fence) == ["code"]


def test_text_behind_a_fence_is_text_again() -> None:
    assert _kinds("```\n# a\n`````\n# b\n") == ["code", "heading"]


def test_inline_code_of_three_backticks_is_no_fence() -> None:
    assert _kinds("``` a ``` b\n\n# c\n") == ["paragraph", "heading"]


def test_fence_in_a_list_item_is_code_and_the_item_goes_on() -> None:
    assert _blocks("- run\n\n  ```\n  # a\n  ```\n\n  then\n- next\n") == [
        ("list_item", 1, "- run\n\n"),
        ("code", 0, "  ```\n  # a\n  ```\n\n"),
        ("paragraph", 0, "  then\n"),
        ("list_item", 1, "- next\n"),
    ]


def test_open_fence_in_a_list_item_ends_with_the_item() -> None:
    assert _kinds("- ```\n  a\n\n# b\n") == ["list_item", "heading"]


@pytest.mark.parametrize("opening", ["---\n\n# A\n\n---\n", "---\nno end\n", "--- \n- a\n---\n"])
def test_rule_at_the_top_is_no_front_matter(opening: str) -> None:
    assert "front_matter" not in _kinds(opening)


@pytest.mark.parametrize(
    "front", ["+++\na = 1\n+++\n", "---\n# c\na: 1\n...\n", '---\n"a": 1\n---\n']
)
def test_front_matter(front: str) -> None:
    assert _kinds(front + "# A\n") == ["front_matter", "heading"]


def test_table_needs_as_many_cells_in_both_lines() -> None:
    assert _kinds("| a | b |\n|---|\n") == ["paragraph"]
    assert _kinds("a \\| b | c\n--|--\nd | e\n") == ["table_header", "table_row"]


def test_table_may_follow_a_paragraph() -> None:
    assert _kinds("Caption:\na | b\n--|--\n1 | 2\n\nend") == [
        "paragraph",
        "table_header",
        "table_row",
        "paragraph",
    ]


def test_depth_of_quotes_and_items() -> None:
    assert _blocks("> > deep\n")[0][:2] == ("quote", 2)
    assert [level for _, level, _ in _blocks("1. a\n   - b\n     - c\n   - d\n2. e\n")] == [
        1,
        2,
        3,
        2,
        1,
    ]


# -- against the oracle -------------------------------------------------------------------------

_FRAGMENTS = st.sampled_from(
    ";;text;more;# H;## H ##;#tag;===;---;***;- a;* b;1. one;2) x;3. x;  - n;   cont;    code;```;"
    "~~~;````;~~~~;```py;| a | b |;|---|---|;| 1 | 2 |;a | b;--- | ---;\tcode;  text;#;_ _ _;- # h;"
    "    ```;   # h;> q;text  ;\\# no;  1. n;-;|---|".split(";")
)


def _found_by_the_oracle(text: str) -> set[tuple[str, int, int]]:
    found = set()
    for token in _ORACLE.parse(text):
        line = token.map[0] if token.map else -1
        match token.type, token.level:
            case "heading_open", 0:
                found.add(("heading", line, int(token.tag[1])))
            case "fence" | "code_block", 0:
                found.add(("code", line, 0))
            case "list_item_open", 1:
                found.add(("list_item", line, 1))
            case "tr_open", 1 | 2:
                found.add(("table", line, 0))
    return found


def _found_by_us(text: str) -> set[tuple[str, int, int]]:
    found = set()
    for block in partition(text, "markdown"):
        line = text.count("\n", 0, block.start)
        match block.kind:
            case BlockKind.HEADING | BlockKind.CODE:
                found.add((str(block.kind), line, block.level))
            case BlockKind.LIST_ITEM if block.level == 1:
                found.add(("list_item", line, 1))
            case BlockKind.TABLE_HEADER | BlockKind.TABLE_ROW:
                found.add(("table", line, 0))
    return found


@settings(max_examples=400)
@given(st.lists(_FRAGMENTS, min_size=1, max_size=3))
def test_agrees_with_markdown_it(lines: list[str]) -> None:
    text = "text\n\n" + "\n".join(lines) + "\n"
    _check_against_the_oracle(text)


_SECTIONS = st.lists(
    st.sampled_from(
        "# One\n\nText of one.\nGoes on.\n\n;Two\n---\ntext\n\n;- a\n- b\n  goes on\n- c\n\n;"
        "***\n\n;1. a\n2. b\n\n   x\n\n;```\n# no\n```\n;~~~~\n~~~\n# no\n~~~~~\n\n;> q\n> r\n\n;"
        "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n;    code\n\n    more\n\n;#tag text\n\n;"
        "### Three ###\n;plain text\n\n;<div>\n# no\n</div>\n\n".split(";")
    ),
    max_size=12,
).map("".join)


@given(_SECTIONS)
def test_agrees_with_markdown_it_on_whole_documents(text: str) -> None:
    text = f"Start.\n\n{text}"
    _check_against_the_oracle(text)


def _check_against_the_oracle(text: str) -> None:
    """Code and tables inside list items are blocks to us, and parts of the item to the oracle."""
    ours, theirs = _found_by_us(text), _found_by_the_oracle(text)
    assert theirs <= ours
    inside_items = {item for item in ours if item[0] in {"code", "table"}}
    has_items = any(kind == "list_item" for kind, _, _ in ours)
    assert ours - theirs <= (inside_items if has_items else set())
