"""Places that lie inside each other: the members of a value, the statements of a body."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from clew.chunking.trimming import content_end
from clew.text.graphemes import is_boundary


class NestedLevel:
    """Cuts at places of one depth; see :class:`clew.chunking.levels.Level`.

    ``starts`` are where pieces begin, in order: a piece ends where the next one begins. One that
    begins in a grapheme, such as between a bracket and its mark, is none.
    """

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self._text = text
        self._starts = starts

    def ends(self, start: int, stop: int) -> Sequence[int]:
        starts = self._starts
        inside = starts[bisect_right(starts, start) : bisect_left(starts, stop)]
        found = []
        before = start
        for place in inside:
            end = content_end(self._text, before, place)
            if end > before and is_boundary(self._text, place):
                found.append(end)
                before = place
        return [*found, stop]
