"""Strategies that divide a text into parts first: sections, pages, topics, …

A part is never left by a chunk. Parts that are too small join a neighbour, and each is then packed:
whole blocks, and only what is larger than a chunk is cut, between sentences or lines.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from clew.chunking.base import Span
from clew.chunking.levels import BlockLevel, InnerLevel, Level
from clew.chunking.measures import Measure
from clew.chunking.outline import Outline
from clew.chunking.packing import Packer
from clew.chunking.sizes import Bounds
from clew.chunking.trimming import content_end, content_start
from clew.text.graphemes import is_boundary


class Part(NamedTuple):
    """A stretch of the text that begins and ends with content; ``level`` is that of its heading.

    One that is ``closed`` does not join what is before it, however small it is.
    """

    start: int
    end: int
    level: int = 0
    closed: bool = False


class PartedChunker(Bounds, ABC):
    """Chunks that never leave their part; what the parts are, a strategy says."""

    def reading(self, outline: Outline) -> Outline:
        return outline

    @abstractmethod
    def parts(self, outline: Outline) -> list[Part]:
        """Return the parts of the outline that :meth:`reading` gives, in order."""

    def levels(self, outline: Outline) -> Sequence[Level]:
        """Return where a part that is larger than a chunk may be cut, strongest first."""
        return BlockLevel(outline), InnerLevel(outline)

    def cuts(self, outline: Outline) -> list[Span]:
        outline = self.reading(outline)
        if not outline.starts:
            return []
        measure = self.measure(outline.text)
        least = min(self.min_size, self.max_size)
        packer = Packer(
            outline,
            measure,
            self.levels(outline),
            loose=outline.loose_ends,
            least=least,
        )
        parts = join_small(outline, measure, self.parts(outline), least)
        return [span for part in parts for span in packer.pack(part.start, part.end)]


def whole(outline: Outline) -> Part:
    return Part(outline.starts[0], outline.ends[-1])


def section_parts(outline: Outline) -> list[Part]:
    """Return the sections of an outline as parts."""
    return [
        Part(outline.starts[section.first], outline.ends[section.stop - 1], section.level)
        for section in outline.sections
    ]


def parts_at(outline: Outline, places: Iterable[int], *, closed: bool = False) -> list[Part]:
    """Return the parts that begin at ``places``, in order; places inside a grapheme do not count,
    and what holds nothing but white space is no part.
    """
    text = outline.text
    borders = sorted({place for place in places if 0 < place < len(text)})
    borders = [place for place in borders if is_boundary(text, place)]
    found = []
    for start, stop in zip([0, *borders], [*borders, len(text)], strict=True):
        end = content_end(text, start, stop)
        if end > start:
            found.append(Part(content_start(text, start), end, closed=closed))
    return found


def divided(outline: Outline, part: Part, places: Sequence[int]) -> list[Part]:
    """Return the pieces of a part that begin at those of ``places``, in order, that lie in it."""
    inside = places[bisect_right(places, part.start) : bisect_left(places, part.end)]
    starts = [part.start, *inside]
    ends = [content_end(outline.text, *pair) for pair in zip(starts, inside, strict=False)]
    return [
        part._replace(start=start, end=end)
        for start, end in zip(starts, [*ends, part.end], strict=True)
    ]


def join_small(outline: Outline, measure: Measure, parts: Sequence[Part], least: int) -> list[Part]:
    """Return the parts, where one that is smaller than ``least`` has joined a neighbour if both fit
    into a chunk. A heading without text joins what it announces; nothing joins a higher heading
    from below.
    """
    joined: list[Part] = []
    small = False
    for part in parts:
        is_small = least > 0 and measure.size_of(part.start, part.end) < least
        if joined and _joins(outline, joined[-1], part, may=small or is_small, measure=measure):
            before = joined[-1]
            joined[-1] = before._replace(end=part.end, level=part.level)
            small = small and measure.size_of(before.start, part.end) < least
        else:
            joined.append(part)
            small = is_small
    return joined


def _joins(outline: Outline, before: Part, part: Part, *, may: bool, measure: Measure) -> bool:
    if part.closed or 0 < part.level < before.level:
        return False
    if before.end in outline.bound_ends:
        return True
    return may and measure.fits(before.start, part.end)
