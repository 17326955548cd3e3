"""JSON as language models write it.

Read as meant: text around it, single quotes, Python's ``None`` and ``True``, trailing or missing
commas, quotes inside strings, line ends inside strings, bare keys, comments. A value that is cut
off keeps what is whole in it: an incomplete member of a list is dropped unless it only holds other
lists, everything before it stays. Of two members of one name, lists are joined, else the later
counts if it says anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/|\#[^\n]*)*", re.DOTALL)
_WORD = re.compile(r"[^\s,:\[\]{}\"']+")
_KEY = re.compile(r"[\w$-]+")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$")
_ESCAPE = re.compile(r"u(?P<hex>[0-9a-fA-F]{4})|(?P<char>.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_WORDS = {"true": True, "false": False, "null": None, "none": None, "nan": None, "undefined": None}
_QUOTES = {'"': '"', "'": "'", "“": "”", "”": "”", "„": "“"}
_VALUE = r"(?:[\"'“”„\[{\d-]|(?i:true|false|null|none)\b)"
_BEHIND_VALUE = re.compile(rf"\s*(?:[}}\]]|$|,\s*(?:[}}\]]|$|{_VALUE}|[A-Za-z_]\w*\s*:))")
_BEHIND_KEY = re.compile(r"\s*:")
_MAX_STARTS = 300
_MAX_DEPTH = 40


@dataclass(frozen=True, slots=True)
class Found:
    """A value in a text, and whether it was closed."""

    value: Any
    whole: bool


def find_json(text: str) -> Iterator[Found]:
    """Yield the objects and lists in ``text``, in order, outermost only.

    >>> [found.value for found in find_json("Sure: [{'a': None,}] and {\\"b\\": [1, 2")]
    [[{'a': None}], {'b': [1, 2]}]
    """
    at = 0
    for _ in range(_MAX_STARTS):
        start = _next_start(text, at)
        if start < 0:
            return
        reader = _Reader(text, start)
        try:
            value = reader.value(0)
        except _NoJsonError:
            at = start + 1
            continue
        yield Found(value, not reader.cut)
        at = max(reader.at, start + 1)


def _next_start(text: str, at: int) -> int:
    starts = [found for found in (text.find("{", at), text.find("[", at)) if found >= 0]
    return min(starts, default=-1)


class _NoJsonError(Exception):
    """What stands here was never meant as JSON."""


_CUT = object()
"""Stands for a value of which nothing can be kept."""


class _Reader:
    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.cut = False

    def value(self, depth: int) -> Any:
        """The value that begins here, as far as it goes; ``_CUT`` when the text ends inside it."""
        self._skip_blank()
        char = self._char()
        if not char:
            return self._cut_here()
        if depth > _MAX_DEPTH:
            raise _NoJsonError
        if char == "{":
            return self._object(depth)
        if char == "[":
            return self._list(depth)
        if char in _QUOTES:
            return self._string(_BEHIND_VALUE)
        return self._word()

    def _object(self, depth: int) -> Any:
        members: dict[str, Any] = {}
        self.at += 1
        while not self._closes("}"):
            if self._is_cut():
                return members
            key = self._key()
            if key is _CUT:
                return members
            value = self.value(depth + 1)
            if value is not _CUT:
                members[key] = _both(members[key], value) if key in members else value
            if self._is_cut():
                return members
        return members

    def _list(self, depth: int) -> Any:
        members: list[Any] = []
        self.at += 1
        while not self._closes("]"):
            if self._is_cut():
                return members
            value = self.value(depth + 1)
            if self._is_cut():
                return [*members, value] if _only_holds(value) else members
            members.append(value)
        return members

    def _closes(self, mark: str) -> bool:
        """Step over blanks and commas, and over ``mark`` if it comes next."""
        self._skip_blank()
        while self._char() == ",":
            self.at += 1
            self._skip_blank()
        char = self._char()
        if not char:
            self._cut_here()
            return False
        if char == mark:
            self.at += 1
            return True
        if char in "}]":
            raise _NoJsonError
        return False

    def _key(self) -> Any:
        if self._char() in _QUOTES:
            key = self._string(_BEHIND_KEY)
        elif bare := _KEY.match(self.text, self.at):
            self.at = bare.end()
            key = bare[0]
        else:
            raise _NoJsonError
        self._skip_blank()
        if not self._char():
            return self._cut_here()
        if self._char() != ":":
            raise _NoJsonError
        self.at += 1
        return key

    def _string(self, behind: re.Pattern[str]) -> Any:
        """A string ends at a quote behind which the value or key can end; others belong to it."""
        closing = _QUOTES[self.text[self.at]]
        parts: list[str] = []
        begin = at = self.at + 1
        while at < len(self.text):
            char = self.text[at]
            if char == "\\" and at + 1 < len(self.text):
                escape = _ESCAPE.match(self.text, at + 1)
                assert escape is not None
                parts += [self.text[begin:at], _unescaped(escape)]
                begin = at = escape.end()
            elif char == closing and behind.match(self.text, at + 1):
                self.at = at + 1
                return _joined([*parts, self.text[begin:at]])
            else:
                at += 1
        self.at = at
        return self._cut_here()

    def _word(self) -> Any:
        match = _WORD.match(self.text, self.at)
        if not match:
            raise _NoJsonError
        word = match[0]
        if match.end() == len(self.text) and word.lower() not in _WORDS:
            return self._cut_here()
        self.at = match.end()
        if word.lower() in _WORDS:
            return _WORDS[word.lower()]
        if _NUMBER.match(word):
            return float(word) if set(word) & set(".eE") else int(word)
        raise _NoJsonError

    def _skip_blank(self) -> None:
        blank = _BLANK.match(self.text, self.at)
        assert blank is not None
        self.at = blank.end()

    def _char(self) -> str:
        return self.text[self.at : self.at + 1]

    def _is_cut(self) -> bool:
        return self.cut

    def _cut_here(self) -> Any:
        self.cut = True
        return _CUT


def _both(before: Any, value: Any) -> Any:
    """What an object says under a name that it has already."""
    if isinstance(before, list) and isinstance(value, list):
        return [*before, *value]
    return before if value is None or value == "" else value


def _only_holds(value: Any) -> bool:
    """Whether ``value`` is an object of lists and numbers, such as a passage and its statements."""
    if not isinstance(value, dict):
        return False
    return any(isinstance(inner, list) and inner for inner in value.values()) and not any(
        isinstance(inner, str) for inner in value.values()
    )


def _unescaped(escape: re.Match[str]) -> str:
    if escape["hex"]:
        return chr(int(escape["hex"], 16))
    return _ESCAPES.get(escape["char"], escape["char"])


def _joined(parts: list[str]) -> str:
    """Join, and make pairs of surrogates into the characters that they stand for."""
    return "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
