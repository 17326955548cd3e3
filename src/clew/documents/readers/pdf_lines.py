"""A line of a page and where it stands; pieces of lines put together."""

from __future__ import annotations

import re
from dataclasses import dataclass

# A blank this many heights wide parts the columns of a table.
COLUMN_GAP = 1.0
_MARKER = re.compile(r"[^\w\s(]|\(?[0-9]{1,3}[.)]|\(?[a-zA-Z][.)]|\.[0-9]{1,3}")


@dataclass(frozen=True, slots=True)
class Cell:
    """A run of a line without a wide gap, and where it stands."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line as drawn: ``y`` is its base line, upwards; ``size`` that of its font, of which
    ``is_typed`` says that all letters have one width.

    ``breaks_word`` says that it ends with a hyphen, ``ends_blank`` that a blank was drawn there,
    ``is_turned`` that it runs up or down the page.
    """

    cells: tuple[Cell, ...]
    y: float
    size: float
    is_bold: bool = False
    is_typed: bool = False
    breaks_word: bool = False
    ends_blank: bool = False
    is_turned: bool = False

    @property
    def text(self) -> str:
        return " ".join(cell.text for cell in self.cells)

    @property
    def left(self) -> float:
        return self.cells[0].left

    @property
    def right(self) -> float:
        return self.cells[-1].right


@dataclass(frozen=True, slots=True)
class PageLines:
    number: int
    height: float
    lines: tuple[Line, ...]
    is_broken: bool = False


def merged(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Put pieces together that were drawn one after the other on the same base line."""
    merged: list[Line] = []
    for line in lines:
        last = merged[-1] if merged else None
        if last is not None and _continues(last, line):
            merged[-1] = _together(last, line)
        else:
            merged.append(line)
    return tuple(merged)


def without_bullet_gap(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """A bullet or number is set off from its item by a gap too; that makes no columns."""
    if len(cells) > 1 and _MARKER.fullmatch(cells[0].text):
        text = f"{cells[0].text} {cells[1].text}"
        joined = Cell(text=text, left=cells[0].left, right=cells[1].right)
        return without_bullet_gap((joined, *cells[2:]))
    return cells


def _continues(last: Line, line: Line) -> bool:
    """The next piece is further right at the same height; if close by, it may be raised."""
    height = max(last.size, line.size)
    gap, rise = line.left - last.right, abs(last.y - line.y)
    if last.is_turned or line.is_turned or gap < -0.3 * height:
        return False
    return rise < 0.2 * height or (rise < 0.7 * height and gap < height)


def _together(last: Line, line: Line) -> Line:
    larger = last if len(last.text) * last.size >= len(line.text) * line.size else line
    gap = line.left - last.right
    cells = last.cells + line.cells
    if gap <= COLUMN_GAP * larger.size:
        a, b = last.cells[-1], line.cells[0]
        glued = gap < 0.15 * larger.size and not last.ends_blank
        text = f"{a.text}{'' if glued else ' '}{b.text}"
        joined = Cell(text=text, left=a.left, right=b.right)
        cells = (*last.cells[:-1], joined, *line.cells[1:])
    return Line(
        cells=without_bullet_gap(cells),
        y=larger.y,
        size=larger.size,
        is_bold=last.is_bold and line.is_bold,
        is_typed=last.is_typed and line.is_typed,
        breaks_word=line.breaks_word,
        ends_blank=line.ends_blank,
    )
