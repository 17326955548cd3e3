"""Greedy packing: as many whole pieces as fit, from the strongest level that serves.

At each level the chunk takes the last piece that fits. That is good enough when the chunk is then
at least a quarter full (a tenth, among whole blocks), or when the next piece fits into a chunk of
its own; otherwise the next piece is divided at the level below, down to words and, in a word
longer than a chunk, to graphemes. So a paragraph is only broken when it must be, and a short
lead-in is not left alone before it. What is left of a block that was broken ends its chunk, unless
that is less than a tenth of one: the end of one paragraph with the beginning of another is about
neither.

All searches are binary, each piece is divided at most once, so time is linear in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

import regex

from clew.chunking.base import Span
from clew.chunking.levels import BlockLevel, Level
from clew.chunking.measures import Measure
from clew.chunking.outline import LINEWISE, Outline
from clew.chunking.trimming import content_end, content_start
from clew.records import BlockKind
from clew.text.graphemes import Graphemes, is_boundary

_ENOUGH, _ENOUGH_BLOCKS = 1 / 4, 1 / 10
_BLANK = re.compile(r"\s")
_SOFT_BREAK = regex.compile(r"(?r)[、，；：,;:)\]}»”’…/\-–—]")


class Packer:
    """Packs the pieces of ``levels``, strongest first, into chunks of the size of ``measure``.

    ``loose`` are ends after which a cut is worse than at another end in the second half of the
    chunk; ``word_overlap`` lets the overlap begin at a word where no sentence begins. ``least`` is
    what the last chunk should hold: the one before it leaves as much.
    """

    def __init__(
        self,
        outline: Outline,
        measure: Measure,
        levels: Sequence[Level],
        *,
        loose: frozenset[int] = frozenset(),
        word_overlap: bool = True,
        least: int = 0,
    ) -> None:
        self._outline = outline
        self._text = outline.text
        self._graphemes = Graphemes(outline.text)
        self._measure = measure
        self._levels = levels
        self._loose = loose
        self._word_overlap = word_overlap
        self._least = least
        self._has_blocks = any(isinstance(level, BlockLevel) for level in levels)
        self._weakest = len(levels) + 2  # words, graphemes, and what cuts a grapheme
        self._divided: dict[tuple[int, int, int], Sequence[int]] = {}

    def pack(self, start: int, stop: int) -> Iterator[Span]:
        """Yield the chunks of ``text[start:stop]``, which begins and ends with content."""
        at = cut = start
        while True:
            at, end = self._next(at, cut, start, self._rest_of_block(start, cut, stop))
            if not (self._text[at].isspace() and self._text[at:end].isspace()):
                yield Span(at, end)
            if end >= stop:
                return
            cut = content_start(self._text, end)
            at = self._overlap_start(at, cut, start, stop)

    def overlapping(self, spans: Sequence[Span], start: int, stop: int) -> Iterator[Span]:
        """Yield the spans, cut anyhow between ``start`` and ``stop``, with the overlap that they
        lack and have room for.
        """
        before = None
        for span in spans:
            at = span.start
            if before is not None and before.end <= at:
                at = self._overlap_start(before.start, at, start, stop)
                at = at if self._measure.fits(at, span.end) else span.start
            before = Span(at, span.end)
            yield before

    def _rest_of_block(self, start: int, cut: int, stop: int) -> int:
        """Return the end of the block that was broken at ``cut``, else ``stop``."""
        number = self._outline.block_at(cut)
        end = self._outline.ends[number]
        is_broken = self._has_blocks and start < cut and self._outline.starts[number] < cut
        if not is_broken or end >= stop or end in self._outline.bound_ends:
            return stop
        reach = self._measure.reach(cut)
        return end if end - cut >= _ENOUGH_BLOCKS * (reach - cut) else stop

    def _next(self, at: int, cut: int, start: int, stop: int) -> tuple[int, int]:
        """Return the chunk whose new content begins at ``cut``; the overlap from ``at`` to there is
        given up where it makes the cut at the end a weaker one.
        """
        end, depth = self._end(at, cut, start, stop)
        if at < cut and (depth > 0 or end <= cut):
            fresh_end, fresh_depth = self._end(cut, cut, start, stop)
            if fresh_depth < depth or end <= cut:
                return cut, fresh_end
        return at, end

    def _end(self, at: int, cut: int, start: int, stop: int) -> tuple[int, int]:
        """Return where a chunk from ``at`` ends, and the level of that cut."""
        reach = self._measure.reach(at)
        limit = self._leave_least(at, cut, reach, stop)
        end, depth = self._fitting_end(at, limit, cut, start, stop)
        if limit < reach and depth == self._weakest:
            return self._fitting_end(at, reach, cut, start, stop)
        return end, depth

    def _fitting_end(self, at: int, limit: int, cut: int, start: int, stop: int) -> tuple[int, int]:
        while True:
            end, depth = self._end_within(limit, cut, start, stop)
            if end <= at + 1 or self._measure.fits(at, end):
                return end, depth
            limit = end - 1

    def _leave_least(self, at: int, cut: int, limit: int, stop: int) -> int:
        """Return ``limit``, less what the last chunk of the part needs to hold ``least``."""
        if not self._least or not limit < stop < limit + (limit - cut):
            return limit
        lacking = self._least - self._measure.size_of(limit, stop)
        if lacking <= 0:
            return limit
        size = max(1, self._measure.size_of(at, limit))
        return max(limit - lacking * (limit - at) // size, (cut + limit) // 2, cut + 1)

    def _end_within(self, limit: int, cut: int, start: int, stop: int) -> tuple[int, int]:
        """Return the best end up to ``limit`` and its level."""
        if stop <= limit:
            return stop, 0
        whole, best = (0, 0), (0, 0)
        for depth in range(len(self._levels)):
            ends = self._ends(depth, start, stop)
            last = bisect_right(ends, limit) - 1
            chosen = self._settle(ends, last, cut, limit)
            if chosen >= 0 and ends[chosen] > cut:
                best = ends[chosen], depth
                if self._is_good(best[0], ends[last + 1], cut, limit):
                    return best
            if last >= 0:
                start = content_start(self._text, ends[last])
                whole = max(whole, (ends[last], depth))
            stop = ends[last + 1]
        if start >= limit and whole[0] > cut:
            return whole
        end = self._word_end(max(cut, start), cut, limit)
        if end > cut:
            return end, len(self._levels)
        return best if best[0] else self._grapheme_end(cut, limit)

    def _settle(self, ends: Sequence[int], last: int, cut: int, limit: int) -> int:
        """Return the best of the ends up to ``last``; -1 when there is none."""
        bound = self._outline.bound_ends
        while last >= 0 and ends[last] in bound:
            last -= 1
        if last >= 0 and ends[last] in self._loose:
            half = (cut + limit) // 2
            other = last
            while other >= 0 and ends[other] > half:
                if ends[other] not in self._loose and ends[other] not in bound:
                    return other
                other -= 1
        return last

    def _is_good(self, end: int, next_end: int, cut: int, limit: int) -> bool:
        """Whether the chunk is full enough, or the next piece fits into a chunk of its own."""
        enough = _ENOUGH_BLOCKS if self._has_blocks else _ENOUGH
        if end - cut >= enough * (limit - cut):
            return True
        return self._measure.reach(content_start(self._text, end)) >= next_end

    def _word_end(self, low: int, cut: int, limit: int) -> int:
        """Return the last end of a word after ``low`` up to ``limit``; ``cut`` where a word that is
        larger than a chunk had better be cut.
        """
        text = self._text
        if text[limit].isspace() or text[limit - 1].isspace():
            end = self._whole_end(cut, limit)
            if end > cut:
                return end
        parts = text[low:limit].rsplit(None, 1)
        if len(parts) > 1:
            end = self._whole_end(cut, low + len(parts[0]))
            word = limit - len(parts[1])
            reach = self._measure.reach(word)
            word_fits = reach == len(text) or _BLANK.search(text, limit, reach + 1) is not None
            if word_fits or 4 * (end - cut) >= limit - cut:
                return end
        return cut

    def _grapheme_end(self, cut: int, limit: int) -> tuple[int, int]:
        """Return the last cut before ``limit`` that parts no grapheme, behind punctuation if near,
        and its level.

        A grapheme larger than a chunk is cut: the size is kept. A character larger than a chunk
        stays whole.
        """
        soft = _SOFT_BREAK.search(self._text, limit - (limit - cut) // 4, limit)
        for place in (soft.end() if soft else cut, limit):
            end = self._whole_end(cut, place)
            if end > cut:
                return end, self._weakest - 1
        return max(content_end(self._text, cut, limit), cut + 1), self._weakest

    def _whole_end(self, cut: int, place: int) -> int:
        """Return the last end of content from ``cut`` up to ``place`` that parts no grapheme."""
        return content_end(self._text, cut, self._graphemes.floor(place, lowest=cut))

    def _overlap_start(self, previous: int, cut: int, start: int, stop: int) -> int:
        """Return where the chunk begins whose new content begins at ``cut``.

        That is the first sentence (else word) near enough before ``cut`` and in the same section.
        Code that ends before ``cut`` is not begun in its middle.
        """
        sections = self._outline.section_starts
        section = sections[max(0, bisect_right(sections, cut) - 1)]
        low = max(self._measure.back(cut), previous + 1, section)
        if low >= cut:
            return cut
        nearest = cut
        for depth in range(len(self._levels)):
            ends = self._ends(depth, start, stop)
            last = bisect_right(ends, low) - 1
            if last >= 0:
                start = content_start(self._text, ends[last])
            if start >= low:
                return min(start, nearest)
            stop = ends[last + 1]
            nearest = min(nearest, content_start(self._text, stop))
            if stop < cut and self._kind_at(start) in LINEWISE:
                return nearest
        return self._overlap_word(low, cut) if nearest == cut else nearest

    def _overlap_word(self, low: int, cut: int) -> int:
        if not self._word_overlap or self._kind_at(low) in LINEWISE:
            return cut
        blank = _BLANK.search(self._text, low - 1, cut)
        word = content_start(self._text, blank.start()) if blank else cut
        return word if low <= word < cut and is_boundary(self._text, word) else cut

    def _kind_at(self, offset: int) -> BlockKind:
        return self._outline.kinds[self._outline.block_at(offset)]

    def _ends(self, depth: int, start: int, stop: int) -> Sequence[int]:
        key = (depth, start, stop)
        if key not in self._divided:
            self._divided[key] = self._levels[depth].ends(start, stop)
        return self._divided[key]
