"""The two kinds of reStructuredText tables, cut into a header block and rows by line."""

from __future__ import annotations

import re

from clew.records import BlockKind
from clew.text.blocks.lines import Start, is_blank

Table = tuple[list[Start], int]
"""The blocks of a table, and the line behind it; no blocks when it is none."""

_SIMPLE_BORDER = re.compile(r"[ \t]*=+(?:[ \t]++=+)+[ \t]*+$")
_SPAN_LINE = re.compile(r"[ \t]*-+(?:[ \t]++-+)*+[ \t]*+$")
_GRID_BORDER = re.compile(r"[ \t]*\+(?:[-=]++\+)++[ \t]*+$")


def simple_table(lines: list[str], at: int) -> Table:
    """Read a table drawn by borders of ``=``; its bottom border has a blank line behind it.

    Two blank lines end the search. No rows: up to the line returned there is no table.
    """
    if not _SIMPLE_BORDER.match(lines[at]):
        return [], at
    borders = [at]
    number = at
    for number in range(at + 1, len(lines)):
        below_is_blank = number + 1 == len(lines) or is_blank(lines[number + 1])
        if _SIMPLE_BORDER.match(lines[number]):
            borders.append(number)
            if below_is_blank:
                return _simple_rows(lines, borders), number + 1
        elif below_is_blank and is_blank(lines[number]):
            break
    return [], number


def _simple_rows(lines: list[str], borders: list[int]) -> list[Start]:
    first, last = borders[0], borders[-1]
    indent = len(lines[first]) - len(lines[first].lstrip())
    found: list[Start] = []
    if len(borders) > 2:
        found.append((first, BlockKind.TABLE_HEADER, 0))
        first = borders[1] + 1
    for number in range(first, last):
        line = lines[number]
        begins = len(line) > indent and not line[indent].isspace() and not _SPAN_LINE.match(line)
        if number == first or (begins and not (len(borders) == 2 and number == first + 1)):
            found.append((number, BlockKind.TABLE_ROW, 0))
    return found


def grid_table(lines: list[str], at: int) -> Table:
    """Read a table drawn by ``+---+`` borders; each row ends with its border. No rows: no table."""
    if not _GRID_BORDER.match(lines[at]):
        return [], at
    end = at + 1
    while end < len(lines) and lines[end].lstrip()[:1] in {"+", "|"}:
        end += 1
    borders = [number for number in range(at, end) if _GRID_BORDER.match(lines[number])]
    found: list[Start] = []
    first = at
    for border in borders[1:]:
        is_header = first == at and "=" in lines[border]
        found.append((first, BlockKind.TABLE_HEADER if is_header else BlockKind.TABLE_ROW, 0))
        first = border + 1
    return found, first
