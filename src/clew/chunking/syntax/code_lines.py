"""Code read by its lines, in any language: indentation, blank lines and the words that define.

Nothing is parsed, so a line inside a long string may pass for code; in return every language works,
and code that no parser takes.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from clew.chunking.syntax.code import CodeOutline, Definition

_LINE = re.compile(r"[^\n\r]+")
_MODIFIERS = (
    r"(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|unsafe"
    r"|virtual|inline|override|sealed|partial|open|suspend|const|readonly|declare"
    r"|extern(?:\s+\"C\")?|pub(?:\([a-z ]++\))?)\s+)*+"
)
_DEFINES = re.compile(
    rf"{_MODIFIERS}(?:def|class|func|fn|fun|function\*?|interface|trait|struct|enum|impl|module"
    r"|namespace|type|record|object|protocol|extension|sub|procedure|mod|union|macro_rules!)\s+"
    r"(?:\([^()]*+\)\s*+)?(?P<name>[\w.$?!]++(?:::\w++)*+)"
)
_CALLABLE = re.compile(r"(?:[\w<>\[\],:*&~$?]++\s+)*+(?P<name>[\w$~.]++(?:::~?\w++)*+)\s*+\(")
_CONTROL = frozenset(
    "if for while switch else do try catch return with using lock elif foreach until unless when "
    "match case select synchronized defer go await yield".split()
)
_FIRST_WORD = re.compile(r"\w+")
_CLOSES = re.compile(
    r"[}\])]|(?:else|elif|elsif|except|finally|catch|rescue|ensure|end|done|fi|esac|then)\b"
)
_LEADS = re.compile(r"@|#(?!\s*(?:if|endif|else|define|include))|//|/\*|\*|--|\[\w|\"\"\"|'''")
_LONGEST_LINE = 400
_DEPTHS = 4


class _Line(NamedTuple):
    start: int
    column: int
    behind_blank: bool
    body: str


def read_lines(text: str, language: str = "") -> CodeOutline:
    """Return where code may be cut: at groups of unindented lines, before definitions, outer ones
    first, and at blank lines.
    """
    scan = _Scan(text)
    columns = sorted(scan.defined_at)[:_DEPTHS]
    return CodeOutline(
        starts=[scan.outer, *(scan.defined_at[column] for column in columns), scan.groups],
        definitions=scan.definitions,
        parser="lines",
        language=language,
    )


class _Scan:
    def __init__(self, text: str) -> None:
        self.outer: list[int] = []
        self.groups: list[int] = []
        self.defined_at: dict[int, list[int]] = {}
        self.definitions: list[Definition] = []
        self._open: list[tuple[int, str, int]] = []  # column, name, its place in definitions
        self._lead: _Line | None = None
        self._text = text
        before = 0
        for match in _LINE.finditer(text):
            whole = match[0]
            body = whole[:_LONGEST_LINE].lstrip()
            if body:
                gap = text.count("\n", before, match.start()) > 1 or (
                    "\r" in text[before : match.start()] and match.start() - before > 2
                )
                self._read(_line(match.start(), whole, body, gap=gap))
                before = match.end()
        while self._open:
            self._leave(len(text))

    def _read(self, line: _Line) -> None:
        if _LEADS.match(line.body) and not _CLOSES.match(line.body):
            self._begin_group(line)
            if self._lead is None or line.behind_blank or self._lead.column != line.column:
                self._lead = line
            return
        if name := _defined(line.body):
            while self._open and self._open[-1][0] >= line.column:
                self._leave(line.start)
            lead = self._lead if self._lead and not line.behind_blank else None
            start = lead.start if lead and lead.column == line.column else line.start
            self.defined_at.setdefault(line.column, []).append(start)
            if line.column == 0 and start not in self.outer[-1:]:
                self.outer.append(start)
            depth = len(self._open)
            path = ".".join([*(name for _, name, _ in self._open), name])
            self._open.append((line.column, name, len(self.definitions)))
            self.definitions.append(Definition(start, len(self._text), path, depth))
        if not (self._lead and not line.behind_blank):
            self._begin_group(line)
        self._lead = None

    def _begin_group(self, line: _Line) -> None:
        if not line.behind_blank or _CLOSES.match(line.body):
            return
        self.groups.append(line.start)
        if line.column == 0 and line.start not in self.outer[-1:]:
            self.outer.append(line.start)

    def _leave(self, end: int) -> None:
        _, _, place = self._open.pop()
        self.definitions[place] = self.definitions[place]._replace(end=end)


def _line(start: int, whole: str, body: str, *, gap: bool) -> _Line:
    lead = whole[: len(whole) - len(whole.lstrip())]
    return _Line(start, len(lead.expandtabs(4)), gap, body)


def _defined(body: str) -> str:
    """Return the name of what a line begins to define; ``""`` for any other line."""
    if found := _DEFINES.match(body):
        return found["name"]
    if "(" not in body or "{" not in body or body.rstrip()[-1] not in "{}":
        return ""
    word = _FIRST_WORD.match(body)
    if word is None or word[0] in _CONTROL:
        return ""
    found = _CALLABLE.match(body)
    return found["name"] if found else ""
