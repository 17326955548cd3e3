"""Running headers, footers and page numbers: what stands at the same place on several pages."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace

from clew.documents.readers.pdf_lines import Line, PageLines

_EDGE_LINES = 3
_SAME_PLACE = 4.0  # points
_MIN_PAGES = 3
_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"[ivxlc]+", re.IGNORECASE)
_EDGE_SHARE = 0.2  # of the height of the page


def without_running_lines(pages: list[PageLines]) -> tuple[list[PageLines], list[str]]:
    """Return the pages without them, and each of them once, as first seen.

    A page that repeats another one as a whole (a memo bound in twice) proves nothing. Two pages
    suffice in a document of two or three; in a longer one three are asked for.
    """
    distinct: dict[tuple[str, ...], PageLines] = {}
    for page in pages:
        distinct.setdefault(tuple(line.text for line in page.lines), page)
    places: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for page in distinct.values():
        for line in _edges(page):
            places[_pattern(line.text)].append((line.y, page.number))
    needed = 2 if len(distinct) <= _MIN_PAGES else _MIN_PAGES
    running = {
        (pattern, y)
        for pattern, seen in places.items()
        for y, _ in seen
        if len({page for other, page in seen if abs(other - y) <= _SAME_PLACE}) >= needed
    }
    return _removed(pages, running)


def _removed(
    pages: list[PageLines], running: set[tuple[str, float]]
) -> tuple[list[PageLines], list[str]]:
    heights: dict[str, list[float]] = defaultdict(list)
    for pattern, y in running:
        heights[pattern].append(y)
    kept: list[PageLines] = []
    found: dict[str, str] = {}
    for page in pages:
        lines: list[Line] = []
        for line in page.lines:
            pattern = _pattern(line.text)
            is_edge = _is_near_edge(line, page)
            if is_edge and any(abs(line.y - y) <= _SAME_PLACE for y in heights.get(pattern, ())):
                found.setdefault(pattern, line.text)
            else:
                lines.append(line)
        kept.append(replace(page, lines=tuple(lines)))
    return kept, list(found.values())


def _edges(page: PageLines) -> list[Line]:
    ordered = sorted(page.lines, key=lambda line: -line.y)
    top, bottom = ordered[:_EDGE_LINES], ordered[_EDGE_LINES:][-_EDGE_LINES:]
    return [line for line in (*top, *bottom) if _is_near_edge(line, page)]


def _is_near_edge(line: Line, page: PageLines) -> bool:
    return line.y > (1 - _EDGE_SHARE) * page.height or line.y < _EDGE_SHARE * page.height


def _pattern(text: str) -> str:
    """Numbers change from page to page: they all count as the same."""
    if _ROMAN.fullmatch(text.strip(" -–—.")):
        return "#"
    return " ".join(_DIGITS.sub("#", text).split())
