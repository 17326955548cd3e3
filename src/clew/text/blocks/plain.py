"""Plain text: paragraphs between blank lines, list items, page breaks, lines that are headings.

A list marker counts only where a list can begin: behind a blank line, behind another item, or
behind a line that ends with a colon. Elsewhere a leading dash or number is a wrapped line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.records import BlockKind
from clew.text.blocks.headings import heading_lines
from clew.text.blocks.lines import PAGE_BREAK, Start, indent_of, is_blank

_ITEM = re.compile(r"[ \t]*(?:[-*+•‣▪◦·–—]|\(?\d{1,3}[.)]|\(?[a-zA-Z]\))[ \t]+\S")
_MAY_OPEN_ITEM = frozenset("-*+•‣▪◦·–—(0123456789 \t") | frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)


def plain_starts(lines: list[str]) -> Iterator[Start]:
    """Yield (line number, kind, level) for each block of plain text."""
    open_kind: BlockKind | None = None
    indents: list[int] = []
    headings = heading_lines(lines)
    for number, line in enumerate(lines):
        if is_blank(line):
            open_kind = None
        elif line == PAGE_BREAK:
            yield number, BlockKind.PAGE_BREAK, 0
            open_kind = None
            indents = []
        elif _may_be_item(lines, number, open_kind) and _ITEM.match(line):
            yield number, BlockKind.LIST_ITEM, _depth(indents, indent_of(line))
            open_kind = BlockKind.LIST_ITEM
        elif open_kind is None and number in headings:
            yield number, BlockKind.HEADING, headings[number]
            indents = []
        elif open_kind is None:
            yield number, BlockKind.PARAGRAPH, 0
            open_kind = BlockKind.PARAGRAPH
            indents = []


def _may_be_item(lines: list[str], number: int, open_kind: BlockKind | None) -> bool:
    if lines[number][0] not in _MAY_OPEN_ITEM:
        return False
    return open_kind is not BlockKind.PARAGRAPH or lines[number - 1].rstrip().endswith(":")


def _depth(indents: list[int], indent: int) -> int:
    """Close the items that this one is not nested in; return its depth, from 1."""
    while indents and indents[-1] >= indent:
        indents.pop()
    indents.append(indent)
    return len(indents)
