"""The places where a text may be cut, from strong to weak: sections, blocks, sentences, …

A level divides a piece into smaller pieces. It says only where they end; the next one begins behind
the white space. The last end is always that of the piece itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Protocol

from clew.chunking.outline import LINEWISE, Outline
from clew.chunking.trimming import content_end
from clew.text.graphemes import is_boundary

_LINE = re.compile(r"[^\n\r]+")


class Level(Protocol):
    def ends(self, start: int, stop: int) -> Sequence[int]:
        """Return where the pieces of ``text[start:stop]`` end, in order, the last at ``stop``."""
        ...


class SectionLevel:
    """Headings with the text under them."""

    def __init__(self, outline: Outline) -> None:
        self._starts = outline.section_starts
        self._ends = [outline.ends[section.stop - 1] for section in outline.sections]

    def ends(self, start: int, stop: int) -> Sequence[int]:
        return _ends_within(self._starts, self._ends, start, stop)


class BlockLevel:
    """Paragraphs, list items, table rows, fences."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline

    def ends(self, start: int, stop: int) -> Sequence[int]:
        return _ends_within(self._outline.starts, self._outline.ends, start, stop)


class InnerLevel:
    """Inside a block: lines of code and tables, sentences of all else."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline

    def ends(self, start: int, stop: int) -> Sequence[int]:
        outline = self._outline
        if outline.kinds[outline.block_at(start)] in LINEWISE:
            return _closed(line_ends(outline.text, start, stop), stop)
        return outline.sentence_ends(start, stop)


class SentenceLevel:
    """All sentences of a text; code and rows of tables count as one sentence a block."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline

    def ends(self, start: int, stop: int) -> Sequence[int]:
        found: list[int] = []
        outline = self._outline
        for number in range(outline.block_at(start), bisect_left(outline.starts, stop)):
            first, end = outline.starts[number], outline.ends[number]
            is_whole = start <= first and end <= stop
            if outline.kinds[number] in LINEWISE:
                found.append(min(stop, end))
            elif is_whole:
                found += outline.inner_ends(number)
            else:
                found += outline.sentence_ends(max(start, first), min(stop, end))
        return _closed(found, stop)


class SeparatorLevel:
    """Wherever a separator given by the user stands.

    The separator stays with what is before it; one that begins with white space, such as a line
    break before ``##``, lets what follows the white space begin the next piece.
    """

    def __init__(self, outline: Outline, separator: str) -> None:
        self._text = outline.text
        lead = len(separator) - len(separator.lstrip())
        self._kept = lead or len(separator)
        self._pattern = re.compile(re.escape(separator))

    def ends(self, start: int, stop: int) -> Sequence[int]:
        found: list[int] = []
        before = start
        for match in self._pattern.finditer(self._text, start, stop):
            place = match.start() + self._kept
            end = content_end(self._text, before, place)
            if end > before and is_boundary(self._text, end):
                found.append(end)
                before = place
        return _closed(found, stop)


class LineLevel:
    """All lines of a text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def ends(self, start: int, stop: int) -> Sequence[int]:
        return _closed(line_ends(self._text, start, stop), stop)


def line_ends(text: str, start: int, stop: int) -> list[int]:
    lines = (line.span() for line in _LINE.finditer(text, start, stop))
    return [content_end(text, first, end) for first, end in lines if not text[first:end].isspace()]


def _ends_within(
    starts: Sequence[int], ends: Sequence[int], start: int, stop: int
) -> Sequence[int]:
    """Return the ends between ``start`` and ``stop``, where either may lie inside a piece."""
    found = ends[max(0, bisect_right(starts, start) - 1) : bisect_left(starts, stop)]
    if found and found[0] > start and found[-1] == stop:
        return found
    return _closed([end for end in found if start < end < stop], stop)


def _closed(ends: list[int], stop: int) -> list[int]:
    if not ends or ends[-1] != stop:
        ends.append(stop)
    return ends
