"""Rows of a table without lines: columns are the stretches of the page that no cell crosses."""

from __future__ import annotations

from clew.documents.readers.pdf_lines import Line

TableRun = list[Line]

_MAX_CELL_CHARS = 60
_MIN_ROWS = 2


def read_table(run: TableRun) -> list[list[str]]:
    """Return rows of cells, or nothing where the lines do not share columns."""
    columns = _columns(run)
    widest = max(len(line.cells) for line in run)
    if len(run) < _MIN_ROWS or len(columns) < max(2, widest):
        return []
    if len(run) == _MIN_ROWS and len({len(line.cells) for line in run}) > 1:
        return []
    lengths = [len(cell.text) for line in run for cell in line.cells]
    if sum(lengths) / len(lengths) > _MAX_CELL_CHARS:
        return []
    rows: list[list[str]] = []
    for line in run:
        row = [""] * len(columns)
        for cell in line.cells:
            middle = (cell.left + cell.right) / 2
            place = next(n for n, (left, right) in enumerate(columns) if left <= middle <= right)
            row[place] = f"{row[place]} {cell.text}".strip()
        rows.append(row)
    return rows


def _columns(run: TableRun) -> list[tuple[float, float]]:
    spans = sorted((cell.left, cell.right) for line in run for cell in line.cells)
    columns: list[tuple[float, float]] = []
    for left, right in spans:
        if columns and left <= columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    return columns
