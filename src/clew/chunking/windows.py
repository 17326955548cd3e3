"""Windows over a text: each reaches as far as its measure lets it, whatever stands there."""

from __future__ import annotations

from collections.abc import Iterator

from clew.chunking.base import Span
from clew.chunking.measures import Measure
from clew.chunking.trimming import content_end, content_start
from clew.text.graphemes import Graphemes


def window_spans(text: str, measure: Measure) -> list[Span]:
    """Return the windows of ``text``, trimmed; one that would hold nothing but what its neighbour
    holds is left out.
    """
    spans: list[Span] = []
    for first, last in _windows(text, measure):
        end = content_end(text, first, last)
        start = content_start(text, first)
        if start >= end:
            continue
        if spans and start == spans[-1].start:
            spans.pop()
        if not spans or end > spans[-1].end:
            spans.append(Span(start, end))
    return spans


def _windows(text: str, measure: Measure) -> Iterator[tuple[int, int]]:
    graphemes = Graphemes(text)
    start = 0
    while start < len(text):
        end = _window_end(graphemes, measure, start)
        yield start, end
        if end == len(text):
            return
        back = max(measure.back(end), start + 1)
        start = min(end, graphemes.ceil(back, lowest=start))


def _window_end(graphemes: Graphemes, measure: Measure, start: int) -> int:
    limit = max(measure.reach(start), start + 1)
    while True:
        end = graphemes.floor(limit, lowest=start)
        if end == start:
            end = limit  # a grapheme larger than the window
        if end == start + 1 or measure.fits(start, end):
            return end
        limit = end - 1
