"""Split at every block, then merge up to the strongest border within reach."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import ClassVar

from clew.chunking.base import Span
from clew.chunking.levels import BlockLevel, InnerLevel
from clew.chunking.measures import Measure, measure_of
from clew.chunking.outline import Outline
from clew.chunking.packing import Packer
from clew.chunking.parts import whole
from clew.chunking.sizes import Bounds
from clew.records import BlockKind

_PAGE, _HEADING, _PARAGRAPH, _ITEM, _LOOSE = 20, 19, 10, 3, 1
_CLOSE_KINDS = frozenset({BlockKind.LIST_ITEM, BlockKind.TABLE_ROW})


@dataclass(frozen=True, kw_only=True)
class SplitThenMergeChunker(Bounds):
    """Merges blocks until a chunk has ``min_size``, and closes it at the strongest border up to
    ``max_size``: before a page, a heading (a higher one rather), a paragraph, a list item, in this
    order; of borders that are equally strong at the last.

    Only a block larger than a chunk is cut, between sentences or lines.
    """

    min_size: int = 600
    max_size: int = 1400

    name: ClassVar[str] = "split-then-merge"

    def cuts(self, outline: Outline) -> list[Span]:
        if not outline.starts:
            return []
        packer = Packer(
            outline,
            self.measure(outline.text),
            (BlockLevel(outline), InnerLevel(outline)),
            loose=outline.loose_ends,
        )
        spans = [span for piece in self._merged(outline) for span in packer.pack(*piece)]
        if self.overlap:
            text = whole(outline)
            spans = list(packer.overlapping(spans, text.start, text.end))
        return spans

    def _merged(self, outline: Outline) -> list[Span]:
        room = measure_of(
            outline.text,
            chunk_size=self.max_size - self.overlap,
            chunk_overlap=0,
            count=self.count,
        )
        strengths = outline.derive("border strengths", _strengths)
        pieces = []
        first = 0
        while first < len(outline.starts):
            last = self._last_block(outline, room, strengths, first)
            pieces.append(Span(outline.starts[first], outline.ends[last]))
            first = last + 1
        return pieces

    def _last_block(self, outline: Outline, room: Measure, strengths: list[int], first: int) -> int:
        start = outline.starts[first]
        limit = room.reach(start)
        most = max(first, bisect_right(outline.ends, limit) - 1)
        enough = start + min(self.min_size, self.max_size) * (limit - start) // self.max_size
        least = min(bisect_left(outline.ends, enough, first), most)
        strongest = max(strengths[least : most + 1])
        if not strongest:
            return _nearest_end(strengths, first, most)
        while strengths[most] < strongest:
            most -= 1
        return most


def _nearest_end(strengths: list[int], first: int, most: int) -> int:
    """Return the last block up to ``most`` that may end a chunk, else the first one behind it: a
    heading goes with its text even when that is larger than a chunk.
    """
    last = most
    while last >= first and not strengths[last]:
        last -= 1
    while last < first or not strengths[last]:
        last = most = most + 1
    return last


def _strengths(outline: Outline) -> list[int]:
    """Return how well a chunk may end behind each block."""
    found = []
    for number in range(len(outline.starts) - 1):
        kind = outline.kinds[number + 1]
        if outline.ends[number] in outline.bound_ends:
            found.append(0)
        elif BlockKind.PAGE_BREAK in (kind, outline.kinds[number]):
            found.append(_PAGE)
        elif kind is BlockKind.HEADING:
            found.append(_HEADING - outline.levels[number + 1])
        elif outline.ends[number] in outline.loose_ends:
            found.append(_ITEM if kind in _CLOSE_KINDS else _LOOSE)
        else:
            found.append(_PARAGRAPH)
    return [*found, _PAGE] if outline.starts else []
