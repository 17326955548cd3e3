"""A sheet of a spreadsheet: its name, lines of text, and the tables that empty rows part."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from clew.documents.builder import TextBuilder
from clew.records import BlockKind

_NUMBERED = re.compile(r"[^\W\d]+ ?\d+")  # Sheet1, Tabelle 2: said by the program


def add_sheet(builder: TextBuilder, name: str, rows: Sequence[Sequence[str]]) -> None:
    """Append a sheet; a name that the program gave says nothing and is left out."""
    filled = any(cell.strip() for row in rows for cell in row)
    if filled and not _NUMBERED.fullmatch(name):
        builder.add(BlockKind.HEADING, name, 2)
    for is_filled, group in groupby(rows, key=lambda row: any(cell.strip() for cell in row)):
        if is_filled:
            _add_region(builder, list(group))


def _add_region(builder: TextBuilder, rows: list[Sequence[str]]) -> None:
    """Lines of a single cell above a wider table are its caption, not its header."""
    wide = any(_width(row) > 1 for row in rows)
    while wide and rows and _width(rows[0]) == 1:
        builder.add(BlockKind.PARAGRAPH, " ".join(cell for cell in rows.pop(0) if cell.strip()))
    builder.add_table(rows)


def _width(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)
