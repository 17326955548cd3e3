"""Markdown (CommonMark with tables and front matter), read line by line for its block structure.

Only what decides where a block begins is parsed, so that a large document costs one step a line.
List items are blocks with their nesting depth; what is indented under an item belongs to it, save
fences, indented code and tables, which are blocks of their own. A rule (``---``) says nothing and
is a ``BLANK`` block; a form feed is a ``PAGE_BREAK``.
"""

from __future__ import annotations

import re

from clew.records import BlockKind
from clew.text.blocks.lines import PAGE_BREAK, Start, indent_of, is_blank
from clew.text.blocks.marks import (
    ATX_HEADING,
    DELIMITER_ROW,
    FENCE,
    HTML_OPENINGS,
    ITEM,
    RULE,
    SETEXT_UNDERLINE,
    cells,
)

_MAY_INTERRUPT = frozenset("#`~>-*+_<|:= \t\f0123456789")
_MAX_MARKERS_A_LINE = 16
_FRONT_MATTER_LINE = re.compile(r"#|[\w\"'.-]+[ \t]*[:=]")
_CODE_INDENT = 4


def markdown_starts(lines: list[str]) -> list[Start]:
    """Return (line number, kind, level) for each block of Markdown."""
    scan = _Scan(lines)
    scan.run()
    return scan.found


class _Scan:
    """One pass; a method named for a block takes the line it begins at, returns the one behind."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.found: list[Start] = []
        self.columns: list[int] = []  # where the open list items have their text

    def run(self) -> None:
        at = self._front_matter()
        while at < len(self.lines):
            line = self.lines[at]
            if not line or is_blank(line):
                at += 1
            elif line == PAGE_BREAK:
                self.found.append((at, BlockKind.PAGE_BREAK, 0))
                self.columns.clear()
                at += 1
            else:
                at = self._block(at, line)

    def _inside(self, at: int) -> bool:
        return indent_of(self.lines[at]) >= self._column()

    def _column(self) -> int:
        return self.columns[-1] if self.columns else 0

    def _front_matter(self) -> int:
        fence = self.lines[0].rstrip() if self.lines else ""
        if fence not in {"---", "+++"} or len(self.lines) < 2:
            return 0
        if not _FRONT_MATTER_LINE.match(self.lines[1]):
            return 0
        ends = {"---", "..."} if fence == "---" else {"+++"}
        for at in range(1, len(self.lines)):
            if self.lines[at].rstrip() in ends:
                self.found.append((0, BlockKind.FRONT_MATTER, 0))
                return at + 1
        return 0

    def _block(self, at: int, line: str) -> int:  # noqa: PLR0911 - one return for each kind
        indent = indent_of(line)
        while self.columns and indent < self.columns[-1]:
            self.columns.pop()
        outer = self._column()
        if indent - outer >= _CODE_INDENT:
            return self._indented_code(at, outer + _CODE_INDENT)
        body = line.lstrip(" \t")
        match body[0]:
            case "`" | "~" if fence := FENCE.match(body):
                self.found.append((at, BlockKind.CODE, 0))
                return self._fence(at, fence[1] or fence[2], outer)
            case "#" if not self.columns and (heading := ATX_HEADING.match(body)):
                self.found.append((at, BlockKind.HEADING, len(heading[1])))
                return at + 1
            case "-" | "*" | "_" if RULE.match(body):
                if not self.columns:
                    self.found.append((at, BlockKind.BLANK, 0))
                return at + 1
            case ">" if not self.columns:
                return self._quote(at, body)
            case "<" if not self.columns and (closing := _html_closing(body)):
                return self._html(at, closing)
        if not body[0].isalpha() and (item := ITEM.match(body)):
            return self._item(at, body, indent, item)
        if self._is_table_header(at):
            return self._table(at)
        return self._text(at)

    def _fence(self, at: int, fence: str, outer: int) -> int:
        closing = re.compile(rf" {{0,3}}{re.escape(fence)}{re.escape(fence[0])}*+[ \t]*+$")
        for end in range(at + 1, len(self.lines)):
            line = self.lines[end]
            if outer and not is_blank(line) and indent_of(line) < outer:
                return end
            if fence in line and closing.match(line[outer:] if outer else line):
                return end + 1
        return len(self.lines)

    def _indented_code(self, at: int, column: int) -> int:
        self.found.append((at, BlockKind.CODE, 0))
        for end in range(at + 1, len(self.lines)):
            line = self.lines[end]
            if not is_blank(line) and (line == PAGE_BREAK or indent_of(line) < column):
                return end
        return len(self.lines)

    def _quote(self, at: int, body: str) -> int:
        mark = body[: len(body) - len(body.lstrip("> "))]
        self.found.append((at, BlockKind.QUOTE, mark.count(">")))
        for end in range(at + 1, len(self.lines)):
            line = self.lines[end]
            if line.lstrip(" ").startswith(">"):
                continue
            if (
                is_blank(line)
                or not self.lines[end - 1].strip("> \t")
                or self._interrupts(end, lazy=True)
            ):
                return end
        return len(self.lines)

    def _html(self, at: int, closing: re.Pattern[str]) -> int:
        self.found.append((at, BlockKind.HTML, 0))
        for end in range(at, len(self.lines)):
            if self.lines[end] == PAGE_BREAK:
                return end
            if closing.search(self.lines[end]):
                return end + 1
        return len(self.lines)

    def _item(self, at: int, body: str, indent: int, item: re.Match[str]) -> int:
        self.found.append((at, BlockKind.LIST_ITEM, len(self.columns) + 1))
        place = 0
        for _ in range(_MAX_MARKERS_A_LINE):
            gap = len(item[3] or "")
            width = len(item[1]) + (gap if 0 < gap <= _CODE_INDENT else 1)
            indent += width
            place += width
            self.columns.append(indent)
            following = ITEM.match(body, place)
            if not following:
                break
            item = following
        if fence := FENCE.match(body, place):
            return self._fence(at, fence[1] or fence[2], self.columns[-1])
        if is_blank(body[place:]):
            if at + 1 < len(self.lines) and is_blank(self.lines[at + 1]):
                self.columns.pop()  # an empty item cannot go on behind a blank line
            return at + 1
        if ATX_HEADING.match(body, place):
            return at + 1
        return self._text_end(at)

    def _text(self, at: int) -> int:
        """A paragraph, or one more paragraph of the list item before."""
        last = self.found[-1][1] if self.found else None
        if not self.columns or last is not BlockKind.LIST_ITEM:
            self.found.append((at, BlockKind.PARAGRAPH, 0))
        end = self._text_end(at)
        if not self.columns and end < len(self.lines):
            underline = self.lines[end].lstrip(" ")
            if underline[:1] in {"=", "-"} and SETEXT_UNDERLINE.match(underline):
                level = 1 if underline[0] == "=" else 2
                self.found[-1] = (self.found[-1][0], BlockKind.HEADING, level)
                return end + 1
        return end

    def _text_end(self, at: int) -> int:
        """Return the line behind the paragraph text that begins at this line."""
        lines = self.lines
        for end in range(at + 1, len(lines)):
            line = lines[end]
            if not line:
                return end
            if line[0] not in _MAY_INTERRUPT:
                continue
            if end - 1 > at and self._is_table_header(end - 1) and self._inside(end - 1):
                return end - 1
            if self._interrupts(end):
                return end
        return len(lines)

    def _interrupts(self, at: int, *, lazy: bool = False) -> bool:  # noqa: PLR0911 - one per mark
        """Whether this line ends the paragraph that the line before belongs to; ``lazy`` when that
        paragraph lies in a quote or a table whose mark this line lacks.
        """
        line = self.lines[at]
        if is_blank(line) or line == PAGE_BREAK:
            return True
        indent = indent_of(line)
        column = self._column()
        if indent - column >= _CODE_INDENT:
            return False
        body = line.lstrip(" \t")
        mark = body[0]
        if mark in "-=" and not lazy and not self.columns and SETEXT_UNDERLINE.match(body):
            return True
        if mark in "-*_" and RULE.match(body):
            return True
        if item := ITEM.match(body):
            return lazy or indent < column or (bool(item[3]) and item[2] in {None, "1"})
        if mark in "`~":
            return bool(FENCE.match(body))
        return (not self.columns or indent < column) and _opens_outside_items(body)

    def _is_table_header(self, at: int) -> bool:
        if at + 1 >= len(self.lines) or "|" not in self.lines[at]:
            return False
        row = self.lines[at + 1]
        return bool(DELIMITER_ROW.match(row)) and cells(row) == cells(self.lines[at])

    def _table(self, at: int) -> int:
        self.found.append((at, BlockKind.TABLE_HEADER, 0))
        for end in range(at + 2, len(self.lines)):
            if self._interrupts(end, lazy=True):
                return end
            if indent_of(self.lines[end]) >= self._column() + _CODE_INDENT:
                return end
            self.found.append((end, BlockKind.TABLE_ROW, 0))
        return len(self.lines)


def _opens_outside_items(body: str) -> bool:
    match body[0]:
        case "#":
            return bool(ATX_HEADING.match(body))
        case ">":
            return True
        case "<":
            return _html_closing(body, interrupting=True) is not None
    return False


def _html_closing(body: str, *, interrupting: bool = False) -> re.Pattern[str] | None:
    for opening, closing, interrupts in HTML_OPENINGS:
        if (interrupts or not interrupting) and opening.match(body):
            return closing
    return None
