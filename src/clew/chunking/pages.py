"""The pages of a text: those of the document, or those that a delimiter divides."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from clew.chunking.outline import Outline
from clew.text.graphemes import is_boundary


class PageSpan(NamedTuple):
    start: int
    end: int


FORM_FEED = "\f"


def page_spans(outline: Outline, delimiter: str) -> Sequence[PageSpan]:
    """Return the pages in order; a text without any is one page.

    Where the document has pages of its own and the delimiter is the form feed, they are taken.
    """

    def find(outline: Outline) -> Sequence[PageSpan]:
        if outline.pages and delimiter == FORM_FEED:
            starts = [page.start for page in outline.pages]
        else:
            starts = _behind(outline.text, delimiter)
        starts = [0, *(at for at in starts if 0 < at < len(outline.text))]
        stops = [*starts[1:], len(outline.text)]
        return [PageSpan(*page) for page in zip(starts, stops, strict=True)]

    return outline.derive(("pages", delimiter), find)


def page_index(outline: Outline, delimiter: str, offset: int) -> int:
    """Return the number of the page, from 0, on which ``offset`` lies."""
    starts = outline.derive(
        ("page starts", delimiter),
        lambda outline: [page.start for page in page_spans(outline, delimiter)],
    )
    return max(0, bisect_right(starts, offset) - 1)


def _behind(text: str, delimiter: str) -> list[int]:
    places = []
    at = text.find(delimiter)
    while at >= 0:
        at += len(delimiter)
        if is_boundary(text, at):
            places.append(at)
        at = text.find(delimiter, at)
    return places
