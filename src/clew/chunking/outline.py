"""A document analysed once: the block offsets that every strategy cuts by.

Everything here is linear in the text and computed when first asked for; a strategy never scans the
text again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from clew.chunking.trimming import content_start
from clew.records import Block, BlockKind, Document, Page
from clew.text.blocks import partition
from clew.text.graphemes import is_boundary
from clew.text.headings import heading_text
from clew.text.sentence_places import MARK
from clew.text.sentences import sentence_spans

LINEWISE = frozenset(
    {
        BlockKind.CODE,
        BlockKind.HTML,
        BlockKind.FRONT_MATTER,
        BlockKind.TABLE_HEADER,
        BlockKind.TABLE_ROW,
    }
)
"""Blocks whose parts are lines and not sentences."""

_ANNOUNCING = frozenset({BlockKind.HEADING, BlockKind.TABLE_HEADER})
_LED_TO = frozenset(
    {BlockKind.LIST_ITEM, BlockKind.CODE, BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW}
)

T = TypeVar("T")

_SYNTAX = {"text/markdown": "markdown", "text/x-rst": "rst"}


class Section(NamedTuple):
    """A heading with the text behind it, up to the next heading: blocks ``first`` to ``stop``.

    What stands before the first heading is a section of level 0.
    """

    first: int
    stop: int
    level: int


class Outline:
    """The blocks of a text that hold more than white space, trimmed, as parallel lists.

    ``name`` is that of the file, ``title`` makes of the text of a heading what it says.
    """

    def __init__(
        self,
        text: str,
        blocks: Sequence[Block],
        *,
        media_type: str = "text/plain",
        name: str = "",
        pages: Sequence[Page] = (),
        title: Callable[[str], str] = heading_text,
    ) -> None:
        self.text = text
        self.media_type = media_type
        self.name = name
        self.pages = pages
        self._title = title
        self._derived: dict[Hashable, Any] = {}
        self._sentences: dict[int, list[tuple[int, int]]] = {}
        self._sentence_ends: dict[int, list[int]] = {}
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.kinds: list[BlockKind] = []
        self.levels: list[int] = []
        starts, ends, kinds, levels = self.starts, self.ends, self.kinds, self.levels
        for block in blocks:
            start = block.start
            body = text[start : block.end].rstrip()
            if body:
                starts.append(content_start(text, start) if body[0].isspace() else start)
                ends.append(start + len(body))
                kinds.append(block.kind)
                levels.append(block.level)

    @classmethod
    def of(cls, document: Document) -> Outline:
        blocks = document.blocks or partition(
            document.text, _SYNTAX.get(document.media_type, "plain")
        )
        return cls(
            document.text,
            blocks,
            media_type=document.media_type,
            name=document.source or document.doc_id,
            pages=document.pages,
        )

    def derive(self, key: Hashable, make: Callable[[Outline], T]) -> T:
        """Return what ``make`` finds in this outline, made once for each ``key``."""
        if key not in self._derived:
            self._derived[key] = make(self)
        found: T = self._derived[key]
        return found

    def read_as(
        self,
        syntax: str,
        blocks_of: Callable[[str], Sequence[Block]],
        title: Callable[[str], str] = heading_text,
    ) -> Outline:
        """Return the outline of the same text read in another syntax."""

        def read(outline: Outline) -> Outline:
            return Outline(
                outline.text,
                blocks_of(outline.text),
                media_type=outline.media_type,
                name=outline.name,
                pages=outline.pages,
                title=title,
            )

        return self.derive(("syntax", syntax), read)

    def block_at(self, offset: int) -> int:
        """Return the number of the block that holds ``offset`` or is the last before it."""
        return max(0, bisect_right(self.starts, offset) - 1)

    def sentences(self, number: int) -> Sequence[tuple[int, int]]:
        """Return start and end of each sentence of a block; found once, and only when asked for."""
        found = self._sentences.get(number)
        if found is None:
            start, end = self.starts[number], self.ends[number]
            several = MARK.search(self.text, start, end - 1)
            found = sentence_spans(self.text, start, end) if several else [(start, end)]
            self._sentences[number] = found
        return found

    def sentence_ends(self, start: int, stop: int) -> Sequence[int]:
        """Return where ``text[start:stop]``, of one block, may be cut between sentences, and its
        end.
        """
        number = self.block_at(start)
        if self.starts and start == self.starts[number] and stop == self.ends[number]:
            return self.inner_ends(number)
        return self._cuts(sentence_spans(self.text, start, stop), stop)

    def inner_ends(self, number: int) -> Sequence[int]:
        """Return :meth:`sentence_ends` of a whole block; found once, and only when asked for."""
        found = self._sentence_ends.get(number)
        if found is None:
            found = self._cuts(self.sentences(number), self.ends[number])
            self._sentence_ends[number] = found
        return found

    def _cuts(self, sentences: Sequence[tuple[int, int]], stop: int) -> list[int]:
        text = self.text
        ends = [
            end
            for _, end in sentences
            if end < stop and (text[end].isspace() or _may_cut(text, end))
        ]
        ends.append(stop)
        return ends

    @cached_property
    def sections(self) -> list[Section]:
        firsts = self._headings if self._headings[:1] == [0] else [0, *self._headings]
        stops = [*firsts[1:], len(self.starts)]
        return [
            Section(first, stop, self.levels[first] if self._is_heading(first) else 0)
            for first, stop in zip(firsts, stops, strict=True)
            if first < stop
        ]

    @cached_property
    def section_starts(self) -> list[int]:
        return [self.starts[section.first] for section in self.sections]

    @cached_property
    def bound_ends(self) -> frozenset[int]:
        """Ends of blocks that must not end a chunk: a heading with a body, a header with rows."""
        return frozenset(
            self.ends[number]
            for number, kind in enumerate(self.kinds[:-1])
            if kind in _ANNOUNCING and self._announces(number, number + 1)
        )

    @cached_property
    def loose_ends(self) -> frozenset[int]:
        """Ends of blocks behind which the same list or table goes on, or what they lead in to."""
        return frozenset(
            self.ends[number]
            for number, following in enumerate(self.kinds[1:])
            if following in _LED_TO and self._leads_on(number, number + 1)
        )

    def section_at(self, start: int, end: int) -> int:
        """Return the number of the section in force for a span, as :meth:`heading_path` reads it;
        -1 where there is none.
        """
        return bisect_right(self._section_firsts, self._governing(start, end)) - 1

    def heading_path(self, start: int, end: int) -> tuple[str, ...]:
        """Return the headings in force at ``start``, those included that the span begins with."""
        at = bisect_right(self._headings, self._governing(start, end)) - 1
        return self._paths[at] if at >= 0 else ()

    def table_header(self, start: int) -> str:
        """Return the header of the table in whose rows ``start`` lies; ``""`` when in none."""
        number = self.block_at(start)
        if not self.starts or self.kinds[number] is not BlockKind.TABLE_ROW:
            return ""
        header = self._header_of[number]
        return self.text[self.starts[header] : self.ends[header]] if header >= 0 else ""

    def _governing(self, start: int, end: int) -> int:
        """Return the block that says where a span belongs: the last of the headings it opens with,
        else the block that it begins in.
        """
        number = self.block_at(start)
        while (
            number + 1 < len(self.starts)
            and self._is_heading(number)
            and self._is_heading(number + 1)
            and self.starts[number + 1] < end
        ):
            number += 1
        return number

    @cached_property
    def _section_firsts(self) -> list[int]:
        return [section.first for section in self.sections]

    @cached_property
    def _headings(self) -> list[int]:
        return [number for number, kind in enumerate(self.kinds) if kind is BlockKind.HEADING]

    @cached_property
    def _paths(self) -> list[tuple[str, ...]]:
        open_: list[tuple[int, str]] = []
        paths = []
        for number in self._headings:
            while open_ and open_[-1][0] >= self.levels[number]:
                open_.pop()
            title = self._title(self.text[self.starts[number] : self.ends[number]])
            open_.append((self.levels[number], title))
            paths.append(tuple(title for _, title in open_ if title))
        return paths

    @cached_property
    def _header_of(self) -> list[int]:
        header = -1
        headers = []
        for number, kind in enumerate(self.kinds):
            if kind is BlockKind.TABLE_HEADER:
                header = number
            elif kind is not BlockKind.TABLE_ROW:
                header = -1
            headers.append(header)
        return headers

    def _is_heading(self, number: int) -> bool:
        return self.kinds[number] is BlockKind.HEADING

    def _announces(self, number: int, following: int) -> bool:
        if self.kinds[number] is BlockKind.HEADING:
            return not self._is_heading(following) or self.levels[following] > self.levels[number]
        is_header = self.kinds[number] is BlockKind.TABLE_HEADER
        return is_header and self.kinds[following] is BlockKind.TABLE_ROW

    def _leads_on(self, number: int, following: int) -> bool:
        kind = self.kinds[following]
        if kind is BlockKind.TABLE_ROW:
            return True
        if kind is BlockKind.LIST_ITEM and self.kinds[number] is BlockKind.LIST_ITEM:
            return True
        return self.text[self.ends[number] - 1] in ":："


def _may_cut(text: str, at: int) -> bool:
    """Whether no mark that belongs to the stop before ``at`` follows it; most often plainly so."""
    return text[at].isalnum() or is_boundary(text, at)
