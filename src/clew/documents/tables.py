"""Tables as lines: ``| cell | cell |``, and cells that span several columns or rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# A short value that spans rows (a year, a region) is repeated, so that each row can be understood
# alone; a long one is content, and stands once.
MAX_REPEATED_CHARS = 60
MAX_COLUMNS = 1024


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    columns: int = 1
    rows: int = 1


def render_row(cells: Iterable[str]) -> str:
    r"""Return one line; blanks inside a cell collapse and a bar is escaped.

    >>> render_row(["Bridge", "built\nin 1932", "a|b"])
    '| Bridge | built in 1932 | a\\|b |'
    """
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def without_empty(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """Return the table without the rows and columns that hold nothing."""
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    width = max(map(len, filled), default=0)
    kept = [
        column
        for column in range(width)
        if any(column < len(row) and row[column].strip() for row in filled)
    ]
    return [[row[column] if column < len(row) else "" for column in kept] for row in filled]


def lay_out(rows: Iterable[Sequence[Cell]]) -> list[list[str]]:
    """Return a rectangular grid of texts; what spans is repeated where it is short."""
    grid: list[list[str]] = []
    hanging: dict[int, tuple[int, str]] = {}  # column → rows still covered, text
    for row in rows:
        line = _lay_out_row(row, hanging)
        if not _only_spans(row):
            grid.append(line)
    width = max(map(len, grid), default=0)
    return [line + [""] * (width - len(line)) for line in grid]


def _only_spans(row: Sequence[Cell]) -> bool:
    """A row of nothing but short cells that reach down says all it has in the rows below."""
    return bool(row) and all(cell.rows > 1 and len(cell.text) <= MAX_REPEATED_CHARS for cell in row)


def _lay_out_row(row: Sequence[Cell], hanging: dict[int, tuple[int, str]]) -> list[str]:
    line: list[str] = []
    for cell in row:
        _take_hanging(line, hanging)
        # A cell alone in its row is a heading inside the table.
        is_shared = (len(row) > 1 or cell.rows > 1) and len(cell.text) <= MAX_REPEATED_CHARS
        repeated = cell.text if is_shared else ""
        for offset in range(min(max(1, cell.columns), MAX_COLUMNS)):
            if cell.rows > 1:
                hanging[len(line)] = (cell.rows - 1, repeated)
            line.append(cell.text if offset == 0 else repeated)
    _take_hanging(line, hanging)
    return line


def _take_hanging(line: list[str], hanging: dict[int, tuple[int, str]]) -> None:
    while len(line) in hanging:
        column = len(line)
        left, text = hanging.pop(column)
        if left > 1:
            hanging[column] = (left - 1, text)
        line.append(text)
