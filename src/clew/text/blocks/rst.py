"""reStructuredText, read line by line for its block structure.

Headings are ranked by the order in which their adornments are first used, as docutils does.
Explicit markup that carries prose (``.. note::``) is a paragraph, its body too; markup that carries
none (targets, comments, ``.. toctree::``) is ``HTML``, raw markup; literal blocks and code
directives are ``CODE``.
"""

from __future__ import annotations

import re

from clew.records import BlockKind
from clew.text.blocks.lines import PAGE_BREAK, Start, indent_of, is_blank
from clew.text.blocks.rst_tables import grid_table, simple_table

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*[ \t]*$")
_SHORTEST_SURE_ADORNMENT = 4
_BULLET = re.compile(r"([-*+•‣⁃])(?:[ \t]+|$)")
_NUMBER = re.compile(r"\(?(?:\d{1,4}|#|[a-zA-Z]|[ivxlcdmIVXLCDM]{2,6})[.)](?:[ \t]+|$)")
_FIELD = re.compile(r":[^\s:][^:]*:(?:[ \t]+|$)")
_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|]+\|[ \t]+)?([\w:+.-]+?)[ \t]?::(?:\s|$)")
_FOOTNOTE = re.compile(r"\.\.[ \t]+\[[^\]]+\](?:\s|$)")
_EXPLICIT = re.compile(r"\.\.(?:[ \t]|$)")
_CODE_DIRECTIVES = frozenset(
    "code code-block sourcecode math parsed-literal doctest testcode testoutput testsetup "
    "prompt ipython console literalinclude productionlist graphviz raw".split()
)
_DEEPEST_LEVEL = 6
_SILENT_DIRECTIVES = frozenset(
    "image include toctree contents index module currentmodule highlight meta default-role role "
    "autosummary automodule autoclass autofunction automethod unicode date".split()
)


def rst_starts(lines: list[str]) -> list[Start]:
    """Return (line number, kind, level) for each block of reStructuredText."""
    scan = _Scan(lines)
    scan.run()
    return scan.found


class _Scan:
    """One pass; a method named for a block takes the line it begins at, returns the one behind."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.found: list[Start] = []
        self.open: list[tuple[int, bool]] = []  # column of each open body, whether of a list item
        self.styles: list[str] = []  # heading adornments by rank
        self.tableless_before = 0  # no simple table begins before this line

    def run(self) -> None:
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            if is_blank(line):
                at += 1
            elif line == PAGE_BREAK:
                self.found.append((at, BlockKind.PAGE_BREAK, 0))
                self.open.clear()
                at += 1
            else:
                at = self._block(at)

    def _block(self, at: int) -> int:
        indent = indent_of(self.lines[at])
        while self.open and indent < self.open[-1][0]:
            self.open.pop()
        body = self.lines[at].lstrip(" \t")
        if body.startswith("..") and _EXPLICIT.match(body):
            return self._explicit(at, indent, body)
        if body.startswith(">>> "):
            self.found.append((at, BlockKind.CODE, 0))
            return self._to_blank(at + 1)
        if body[0] in "=+" and (end := self._table(at, body[0])):
            return end
        if not indent and (end := self._heading(at)):
            return end
        if marker := self._marker(at, body):
            level = 1 + sum(is_item for _, is_item in self.open)
            self.found.append((at, BlockKind.LIST_ITEM, level))
            self.open.append((indent + marker, True))
            return self._item_text(at, indent)
        return self._text(at, indent)

    def _table(self, at: int, mark: str) -> int:
        if mark == "+":
            rows, end = grid_table(self.lines, at)
        elif at >= self.tableless_before:
            rows, end = simple_table(self.lines, at)
            self.tableless_before = 0 if rows else end
        else:
            return 0
        self.found.extend(rows)
        return end if rows else 0

    def _heading(self, at: int) -> int:
        """A title under its adornment, or between two; 0 when there is none. A lone adornment is a
        transition, which says nothing.
        """
        first, second, third = (self._line(at + step).rstrip() for step in range(3))
        if _ADORNMENT.match(first):
            if third[:1] == first[0] and _ADORNMENT.match(third) and _adorns(first, second):
                return self._ranked(at, first[0] * 2, at + 3)
            if not second and len(first) >= _SHORTEST_SURE_ADORNMENT:
                self.found.append((at, BlockKind.BLANK, 0))
                return at + 1
        if _ADORNMENT.match(second) and _adorns(second, first):
            return self._ranked(at, second[0], at + 2)
        return 0

    def _ranked(self, at: int, style: str, end: int) -> int:
        if style not in self.styles:
            self.styles.append(style)
        level = min(self.styles.index(style) + 1, _DEEPEST_LEVEL)
        self.found.append((at, BlockKind.HEADING, level))
        return end

    def _explicit(self, at: int, indent: int, body: str) -> int:
        directive = _DIRECTIVE.match(body)
        if directive and directive[1] in _CODE_DIRECTIVES:
            self.found.append((at, BlockKind.CODE, 0))
            return self._indented(at, indent)
        speaks = directive[1] not in _SILENT_DIRECTIVES if directive else _FOOTNOTE.match(body)
        if speaks:
            self.found.append((at, BlockKind.PARAGRAPH, 0))
            self.open.append((indent + 1, False))
            return self._literal(at, self._to_blank(at + 1), indent)
        self.found.append((at, BlockKind.HTML, 0))
        return self._indented(at, indent)

    def _marker(self, at: int, body: str) -> int:
        """Return the width of the list marker that this line begins with, or 0."""
        if marker := _BULLET.match(body):
            return marker.end()
        if _FIELD.match(body):
            return 1
        if marker := _NUMBER.match(body):
            below = self._line(at + 1)
            if is_blank(below) or below[0] in " \t" or _NUMBER.match(below.lstrip()):
                return marker.end()
        return 0

    def _item_text(self, at: int, indent: int) -> int:
        for end in range(at + 1, len(self.lines)):
            line = self.lines[end]
            if is_blank(line) or line == PAGE_BREAK:
                return self._literal(at, end, indent)
            if indent_of(line) <= indent:
                return end
        return len(self.lines)

    def _text(self, at: int, indent: int) -> int:
        """A paragraph, or one more paragraph of the list item before."""
        in_item = bool(self.open) and self.open[-1][1]
        if not (in_item and self.found[-1][1] is BlockKind.LIST_ITEM):
            quoted = indent > 0 and not self.open
            kind = BlockKind.QUOTE if quoted else BlockKind.PARAGRAPH
            self.found.append((at, kind, int(quoted)))
        if in_item:
            return self._item_text(at, self.open[-1][0] - 1)
        end = self._to_blank(at + 1)
        if end > at + 1 and indent_of(self.lines[at + 1]) > indent:
            self.open.append((indent + 1, False))  # a term and its definition
        return self._literal(at, end, indent)

    def _literal(self, at: int, end: int, indent: int) -> int:
        """Take the literal block that the text in lines ``at`` to ``end`` announces by ``::``."""
        if not self.lines[end - 1].rstrip().endswith("::") or _DIRECTIVE.match(
            self.lines[at].lstrip()
        ):
            return end
        start = end
        while start < len(self.lines) and is_blank(self.lines[start]):
            start += 1
        if start == end or indent_of(self._line(start)) <= indent:
            return end
        self.found.append((start, BlockKind.CODE, 0))
        return self._indented(start, indent)

    def _to_blank(self, at: int) -> int:
        while at < len(self.lines) and not is_blank(self.lines[at]):
            if self.lines[at] == PAGE_BREAK:
                break
            at += 1
        return at

    def _indented(self, at: int, indent: int) -> int:
        """Return the line behind what is indented deeper than ``indent`` after line ``at``."""
        end = at + 1
        while end < len(self.lines):
            line = self.lines[end]
            if not is_blank(line) and (line == PAGE_BREAK or indent_of(line) <= indent):
                break
            end += 1
        return end

    def _line(self, at: int) -> str:
        return self.lines[at] if at < len(self.lines) else ""


def _adorns(line: str, title: str) -> bool:
    return bool(title) and len(line) >= min(len(title), _SHORTEST_SURE_ADORNMENT)
