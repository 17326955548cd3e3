"""Plain text: paragraphs, list items, page breaks."""

from __future__ import annotations

import pytest

from clew.text.blocks import partition


def _blocks(text: str) -> list[tuple[str, int, str]]:
    blocks = partition(text)
    return [(str(block.kind), block.level, text[block.start : block.end]) for block in blocks]


@pytest.mark.parametrize("gap", ["\n\n", "\r\n\r\n", "\r\r", "\n \t\n", "\r\n\r", "\n\u00a0\n\n\n"])
def test_blank_lines_part_paragraphs(gap: str) -> None:
    assert _blocks(f"one\ngoes on{gap}two") == [
        ("paragraph", 0, f"one\ngoes on{gap}"),
        ("paragraph", 0, "two"),
    ]


def test_items_behind_a_colon_and_their_depth() -> None:
    assert _blocks(
        "You need:\n- hemp\n  and water\n  * a hook\n- time\n\n1) Twist.\n2) Pull.\n"
    ) == [
        ("paragraph", 0, "You need:\n"),
        ("list_item", 1, "- hemp\n  and water\n"),
        ("list_item", 2, "  * a hook\n"),
        ("list_item", 1, "- time\n\n"),
        ("list_item", 1, "1) Twist.\n"),
        ("list_item", 1, "2) Pull.\n"),
    ]


@pytest.mark.parametrize(
    "text", ["It was in\n1998. Then\n- so they say - it\nfell.", "-5 degrees", "A. Lind"]
)
def test_wrapped_lines_are_no_items(text: str) -> None:
    assert [kind for kind, _, _ in _blocks(text)] == ["paragraph"]


def test_marks_of_other_syntaxes_mean_nothing() -> None:
    assert [kind for kind, _, _ in _blocks("# a\nb\n===\n```\nc\n```")] == ["paragraph"]
