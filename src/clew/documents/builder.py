"""A text put together block by block, so that its blocks are a contiguous partition of it.

Formats without a text of their own (Word, slides, web pages) are written into a
:class:`TextBuilder`. Rows of a table and items of a list follow each other on the next line; all
else stands apart by a blank line. Those line ends belong to the block before them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from clew.documents.tables import render_row, without_empty
from clew.records import Block, BlockKind, Page

_TABLE = (BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW)
_INDENT = "  "


@dataclass(slots=True)
class TextBuilder:
    """Append blocks in reading order, then take ``text``, ``blocks()`` and ``pages()``."""

    _pieces: list[str] = field(default_factory=list)
    _starts: list[tuple[BlockKind, int, int]] = field(default_factory=list)
    _page_starts: list[tuple[int, int]] = field(default_factory=list)
    _length: int = 0
    _pending_page: int | None = None

    def add(
        self,
        kind: BlockKind,
        text: str,
        level: int = 0,
        *,
        tight: bool = False,
        page_marks: Iterable[tuple[int, int]] = (),
    ) -> None:
        """Append a block; nothing is added for a text without a visible character.

        ``tight`` keeps it on the line after the block before it. ``page_marks`` are pairs of an
        offset into ``text`` and the number of the page that begins there.
        """
        cleaned = text.replace("\x00", "").rstrip()
        lead = len(cleaned) - len(cleaned.lstrip("\r\n\f\ufeff"))
        cleaned = cleaned[lead:]
        if not cleaned:
            return
        if self._starts:
            self._append("\n" if tight or self._follows_tightly(kind) else "\n\n")
        start = self._length
        if self._pending_page is not None:
            self._page_starts.append((start, self._pending_page))
            self._pending_page = None
        self._page_starts += [(start + max(0, at - lead), page) for at, page in page_marks]
        self._starts.append((kind, start, level))
        self._append(cleaned)

    def add_item(self, text: str, level: int, marker: str = "-") -> None:
        """Append a list item at nesting depth ``level`` (from 1)."""
        indent = _INDENT * (level - 1)
        hanging = "\n" + indent + " " * (len(marker) + 1)
        body = hanging.join(line for line in text.strip().splitlines() if line.strip())
        if body:
            self.add(BlockKind.LIST_ITEM, f"{indent}{marker} {body}", level)

    def add_table(self, rows: Iterable[Sequence[str]], *, headers: int = 1) -> None:
        """Append a table, one line a row; the first ``headers`` rows are header rows."""
        filled = without_empty(rows)
        for number, row in enumerate(filled):
            kind = BlockKind.TABLE_HEADER if number < headers else BlockKind.TABLE_ROW
            self.add(kind, render_row(row), tight=number > 0)

    def add_blocks(self, text: str, blocks: Iterable[Block]) -> None:
        """Append a text that is already partitioned, such as a Markdown cell."""
        gap = 0
        for block in blocks:
            piece = text[block.start : block.end]
            self.add(block.kind, piece, block.level, tight=gap == 1)
            gap = piece[len(piece.rstrip()) :].count("\n")

    def begin_page(self, number: int) -> None:
        """Let the next block begin page ``number``; a page without a block is left out."""
        self._pending_page = number

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    @property
    def last_kind(self) -> BlockKind | None:
        return self._starts[-1][0] if self._starts else None

    def blocks(self) -> tuple[Block, ...]:
        ends = self._ends([start for _, start, _ in self._starts])
        return tuple(
            Block(kind=kind, start=start, end=end, level=level)
            for (kind, start, level), end in zip(self._starts, ends, strict=True)
        )

    def pages(self) -> tuple[Page, ...]:
        ends = self._ends([start for start, _ in self._page_starts])
        return tuple(
            Page(number=number, start=start, end=end)
            for (start, number), end in zip(self._page_starts, ends, strict=True)
        )

    def _ends(self, starts: list[int]) -> list[int]:
        return [*starts[1:], self._length] if starts else []

    def _append(self, piece: str) -> None:
        self._pieces.append(piece)
        self._length += len(piece)

    def _follows_tightly(self, kind: BlockKind) -> bool:
        last = self._starts[-1][0]
        if kind is BlockKind.LIST_ITEM:
            return last is BlockKind.LIST_ITEM
        return kind is BlockKind.TABLE_ROW and last in _TABLE
