"""Which parts of a document's blocks are statements, and what each needs to be understood.

The blocks decide, not the chunks: a sentence of a paragraph or quote; a list item with its lead-in;
a table row with its header; a code block with the line before it. Headings and front matter say
what something is *about* and are no statements, except a heading that stands alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from clew.records import Block, BlockKind, Document
from clew.text.sentences import sentence_spans

MAX_CONTEXT_CHARS = 200
MAX_HEADER_CHARS = 500
MAX_PREVIOUS_CHARS = 150
LONG_ITEM_CHARS = 300
MAX_PARENTS = 2

_SAYS = re.compile(r"[^\W_]|[\u2600-\u2bff\U0001f000-\U0001faff]")
"""A letter, a digit or a picture."""
_ITEM_MARK = re.compile(
    r"[ \t]*(?:(?:[-*+•‣▪◦·–—]|\(?\d{1,9}[.)]|\(?[a-zA-Z]\))[ \t]+)+(?:\[[ xX]\][ \t]+)?"
)
_QUOTE_MARK = re.compile(r"(?:>[ \t]*)+")
_ADORNMENT = r"([!-/:-@\[-`{-~])\1*"
_HEADING_MARK = re.compile(rf"\s*(?:#{{1,6}}[ \t]+|{_ADORNMENT}[ \t]*[\r\n]+)")
_HEADING_END = re.compile(rf"[ \t]*(?:[\r\n]+[ \t]*{_ADORNMENT}|[ \t]#+)[ \t]*$")
_DELIMITER = re.compile(r"[\s|:+=-]*$")
_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})[^\n]*(?:\n|$)")
_TAG = re.compile(r"<[^>]*>")
_NO_TEXT_HTML = re.compile(r"\s*<(?:!--|!|\?|script|style)", re.IGNORECASE)
_LEANS_ON_PREVIOUS = re.compile(
    r"[\"'“‘(]?(?:(?:He|She|It|They|His|Her|Its|Their|This|That|These|Those|Such|Both)\b"
    r"|The (?:latter|former|company|firm|group|agency|organi[sz]ation|film|movie|book|novel|story|"
    r"album|song|single|band|team|club|series|show|episode|game|city|town|village|region|country|"
    r"river|island|building|bridge|station|ship|school|university|museum|magazine|newspaper|"
    r"species|family|couple|battle|event|award|project|product|method|system|model|paper|study)\b)"
)


class Piece(NamedTuple):
    """A future unit: trimmed, in order, never overlapping another."""

    start: int
    end: int
    context: str = ""


def pieces_of(document: Document) -> Iterator[Piece]:
    """Yield the pieces of ``document`` in the order of its text, each once."""
    text = document.text
    blocks: Sequence[Block] = document.blocks or (
        Block(kind=BlockKind.PARAGRAPH, start=0, end=len(text)),
    )
    reader = _Reader(text)
    for at, block in enumerate(blocks):
        if block.kind in _SILENT:
            continue
        following = _next_kind(blocks, at) if block.kind in _LOOKS_AHEAD else None
        for piece in _READERS[block.kind](reader, block, following):
            if _SAYS.search(text, piece.start, piece.end):
                yield piece
        reader.previous = block


_SILENT = {BlockKind.FRONT_MATTER, BlockKind.BLANK, BlockKind.PAGE_BREAK}
_LOOKS_AHEAD = {BlockKind.HEADING, BlockKind.TABLE_HEADER}


def _next_kind(blocks: Sequence[Block], at: int) -> Block | None:
    for behind in range(at + 1, len(blocks)):
        if blocks[behind].kind not in _SILENT:
            return blocks[behind]
    return None


class _Reader:
    """Walks the blocks and remembers what later ones lean on."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.previous: Block | None = None
        self.header = ""
        self.lead_in = ""
        self.items: list[tuple[int, str]] = []

    def paragraph(self, block: Block, _: Block | None) -> Iterator[Piece]:
        text = self.text
        previous = ""
        for start, end in sentence_spans(text, block.start, block.end):
            context = ""
            if previous and _LEANS_ON_PREVIOUS.match(text, start, end):
                context = previous
            yield Piece(start, end, context)
            previous = text[start:end] if end - start <= MAX_PREVIOUS_CHARS else ""

    def quote(self, block: Block, _: Block | None) -> Iterator[Piece]:
        for start, end in sentence_spans(self.text, block.start, block.end):
            mark = _QUOTE_MARK.match(self.text, start, end)
            yield Piece(*trimmed(self.text, mark.end() if mark else start, end))

    def html(self, block: Block, _: Block | None) -> Iterator[Piece]:
        if _NO_TEXT_HTML.match(self.text, block.start, block.end):
            return
        for start, end in sentence_spans(self.text, block.start, block.end):
            if _SAYS.search(_TAG.sub("", self.text[start:end])):
                yield Piece(start, end)

    def heading(self, block: Block, following: Block | None) -> Iterator[Piece]:
        bodiless = following is None or (
            following.kind is BlockKind.HEADING and following.level <= block.level
        )
        if bodiless:
            mark = _HEADING_MARK.match(self.text, block.start, block.end)
            start, end = trimmed(self.text, mark.end() if mark else block.start, block.end)
            ending = _HEADING_END.search(self.text, start, end)
            yield Piece(*trimmed(self.text, start, ending.start() if ending else end))

    def item(self, block: Block, _: Block | None) -> Iterator[Piece]:
        if self.previous is None or self.previous.kind is not BlockKind.LIST_ITEM:
            self.lead_in = self._last_line(BlockKind.PARAGRAPH)
            self.items.clear()
        while self.items and self.items[-1][0] >= block.level:
            self.items.pop()
        mark = _ITEM_MARK.match(self.text, block.start, block.end)
        start, end = trimmed(self.text, mark.end() if mark else block.start, block.end)
        parents = [line for _, line in self.items[-MAX_PARENTS:]]
        context = "\n".join(part for part in (self.lead_in, *parents) if part)
        if end - start > LONG_ITEM_CHARS:
            for sentence in sentence_spans(self.text, start, end):
                yield Piece(*sentence, context)
        else:
            yield Piece(start, end, context)
        line = self.text[start:end].partition("\n")[0]
        self.items.append((block.level, line if len(line) <= MAX_PREVIOUS_CHARS else ""))

    def table_header(self, block: Block, following: Block | None) -> Iterator[Piece]:
        if self.previous is None or self.previous.kind is not BlockKind.TABLE_HEADER:
            self.header = ""
        start, end = trimmed(self.text, block.start, block.end)
        lines = self.text[start:end].splitlines()
        named = "\n".join(line.strip() for line in lines if not _DELIMITER.match(line))
        self.header = f"{self.header}\n{named}".strip()[:MAX_HEADER_CHARS]
        rows = {BlockKind.TABLE_ROW, BlockKind.TABLE_HEADER}
        if following is None or following.kind not in rows:
            yield Piece(start, end)

    def table_row(self, block: Block, _: Block | None) -> Iterator[Piece]:
        tables = {BlockKind.TABLE_ROW, BlockKind.TABLE_HEADER}
        if self.previous is None or self.previous.kind not in tables:
            self.header = ""
        start, end = trimmed(self.text, block.start, block.end)
        if not _DELIMITER.match(self.text, start, end):
            yield Piece(start, end, self.header)

    def code(self, block: Block, _: Block | None) -> Iterator[Piece]:
        start, end = block.start, block.end
        fence = _FENCE.match(self.text, start, end)
        if fence:
            start, end = fence.end(), trimmed(self.text, start, end)[1]
            last_line = self.text.rfind("\n", start, end) + 1
            if self.text[max(start, last_line) : end].strip().startswith(fence[1]):
                end = max(start, last_line)
        context = self._last_line(BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.LIST_ITEM)
        yield Piece(*trimmed(self.text, start, end), context)

    def _last_line(self, *kinds: BlockKind) -> str:
        """The last sentence of the block before, if it is of one of ``kinds`` and short."""
        block = self.previous
        if block is None or block.kind not in kinds:
            return ""
        start, end = trimmed(
            self.text, max(block.start, block.end - 4 * MAX_CONTEXT_CHARS), block.end
        )
        spans = sentence_spans(self.text, start, end)
        line = self.text[spans[-1][0] : spans[-1][1]] if spans else ""
        return line.lstrip("#> \t") if len(line) <= MAX_CONTEXT_CHARS else ""


_READERS: dict[BlockKind, Callable[[_Reader, Block, Block | None], Iterator[Piece]]] = {
    BlockKind.PARAGRAPH: _Reader.paragraph,
    BlockKind.QUOTE: _Reader.quote,
    BlockKind.HTML: _Reader.html,
    BlockKind.HEADING: _Reader.heading,
    BlockKind.LIST_ITEM: _Reader.item,
    BlockKind.TABLE_HEADER: _Reader.table_header,
    BlockKind.TABLE_ROW: _Reader.table_row,
    BlockKind.CODE: _Reader.code,
}


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Move both ends inwards past white space."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, max(start, start + len(piece.strip()))
