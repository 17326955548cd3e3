"""Windows of one size, wherever they fall: the baseline that structure has to beat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from clew.chunking.base import Span
from clew.chunking.measures import Measure
from clew.chunking.outline import Outline
from clew.chunking.sizes import Sizes
from clew.chunking.trimming import content_end, content_start
from clew.text.graphemes import ceil_boundary, floor_boundary


@dataclass(frozen=True, kw_only=True)
class FixedWindowChunker(Sizes):
    """Windows of ``chunk_size`` that advance by ``chunk_size - chunk_overlap``.

    Their ends give way to graphemes and to white space, nothing else. A window that would hold
    nothing but what its neighbour holds is left out.
    """

    name: ClassVar[str] = "fixed"

    def cuts(self, outline: Outline) -> list[Span]:
        text = outline.text
        spans: list[Span] = []
        for first, last in self._windows(text):
            end = content_end(text, first, last)
            start = content_start(text, first)
            if start >= end:
                continue
            if spans and start == spans[-1].start:
                spans.pop()
            if not spans or end > spans[-1].end:
                spans.append(Span(start, end))
        return spans

    def _windows(self, text: str) -> list[Span]:
        measure = self.measure(text)
        windows = []
        start = 0
        while start < len(text):
            end = self._window_end(text, measure, start)
            windows.append(Span(start, end))
            if end == len(text):
                break
            back = max(measure.back(end), start + 1)
            start = min(end, ceil_boundary(text, back, lowest=start))
        return windows

    def _window_end(self, text: str, measure: Measure, start: int) -> int:
        limit = max(measure.reach(start), start + 1)
        while True:
            end = floor_boundary(text, limit, lowest=start)
            if end == start:
                end = limit  # a grapheme larger than the window
            if end == start + 1 or measure.fits(start, end):
                return end
            limit = end - 1
