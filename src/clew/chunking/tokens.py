"""Tokens without a tokenizer: about what a byte-pair vocabulary makes of a text, in any script.

A run of letters or digits is a token for every :data:`LONGEST` characters begun, each mark and each
character of a script without spaces is one. On English prose that is within a few per cent of what
large vocabularies give; whoever needs their exact count passes it as ``count``.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

import regex

from clew.chunking.plain_tokens import plain_token_starts
from clew.chunking.trimming import content_start

LONGEST = 8
_LEAST_BY_ARRAYS = 500
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_MARKS = r"[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}]"
_ASCII = re.compile(rf"[A-Za-z0-9_]{{1,{LONGEST}}}+|[^\sA-Za-z0-9_]")
_PLAIN = re.compile(rf"\w{{1,{LONGEST}}}+|[^\w\s]")
_PLAIN_CHARACTERS = (
    "\x00-\u02ff\u0370-\u0482\u048a-\u058f\u05d0-\u05ea\u060c\u061b\u061f-\u064a\u0660-\u066f"
    "\u0671-\u06d3\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u22ff\u2500-\u257f"
    "\uac00-\ud7a3"
)
"""Letters, digits and marks that are a character each where none of the others stands beside."""

_NOT_PLAIN = re.compile(f"[^{_PLAIN_CHARACTERS}]")
_BLANK = re.compile(f"\n|(?<=[{_PLAIN_CHARACTERS}]) ")
_NEAR = 40
"""Of odd characters so near to each other the words between are read with them."""

_ANY: re.Pattern[str] = regex.compile(
    rf"(?=[{_UNSPACED}])\X"
    rf"|(?:(?=[[\p{{L}}\p{{N}}_]--[{_UNSPACED}]])\X){{1,{LONGEST}}}+"
    rf"|[\U0001f1e6-\U0001f1ff]{{1,2}}+{_MARKS}*+"
    r"|(?!\s)\X",
    regex.V1,
)
"""A token is whole clusters (Unicode Annex 29), so that a window of one parts none."""


def count_tokens(text: str) -> int:
    """Return about how many tokens a language model reads in ``text``.

    >>> count_tokens("Norr Bridge, 1902"), count_tokens("食べ物")
    (4, 3)
    """
    if text.isascii():
        return len(_ASCII.findall(text))
    return sum(len(pattern.findall(text, *part)) for pattern, part in _stretches(text))


class TokenMeasure:
    """Sizes in tokens of :func:`count_tokens` by one scan of the text; see
    :class:`clew.chunking.measures.Measure`.

    A stretch that begins inside a token counts one more than those that begin in it, which is never
    less than its count. ``most_chars`` and ``most_shared_chars`` are limits beside those in tokens.
    """

    def __init__(
        self,
        text: str,
        chunk_size: int,
        chunk_overlap: int,
        *,
        most_chars: int | None = None,
        most_shared_chars: int | None = None,
    ) -> None:
        self._text = text
        self._length = len(text)
        self._size = chunk_size
        self._overlap = chunk_overlap
        self._most_chars = len(text) if most_chars is None else most_chars
        self._most_shared_chars = len(text) if most_shared_chars is None else most_shared_chars
        self._starts = _token_starts(text)
        self._starts.append(len(text))

    def size_of(self, start: int, end: int) -> int:
        if end <= start:
            return 0
        last = bisect_left(self._starts, end, 0, len(self._starts) - 1)
        return last - self._first(start)

    def fits(self, start: int, end: int) -> bool:
        chars = end - content_start(self._text, start)
        return self.size_of(start, end) <= self._size and chars <= self._most_chars

    def reach(self, start: int) -> int:
        behind = min(self._first(start) + self._size, len(self._starts) - 1)
        content = content_start(self._text, start)
        return min(self._starts[behind], content + self._most_chars, self._length)

    def back(self, end: int) -> int:
        if not self._overlap:
            return end
        behind = bisect_left(self._starts, end)
        first = bisect_left(self._starts, end - self._most_shared_chars)
        return min(end, self._starts[max(first, behind - self._overlap)])

    def _first(self, start: int) -> int:
        """Return the number of the token that ``start`` lies in, else of the next one."""
        first = bisect_left(self._starts, start)
        is_between = first == len(self._starts) or self._starts[first] == start
        return first if is_between or self._text[start].isspace() else max(0, first - 1)


def _token_starts(text: str) -> list[int]:
    starts: list[int] = []
    for pattern, (start, end) in _stretches(text):
        if pattern is not _ANY and end - start >= _LEAST_BY_ARRAYS:
            starts += plain_token_starts(text[start:end], LONGEST, start)
        else:
            starts += [token.start() for token in pattern.finditer(text, start, end)]
    return starts


def _stretches(text: str) -> Iterator[tuple[re.Pattern[str], tuple[int, int]]]:
    """Yield the stretches of a text, whole words, each with the fastest pattern that serves it."""
    if text.isascii():
        yield _ASCII, (0, len(text))
        return
    at = 0
    while odd := _NOT_PLAIN.search(text, at):
        place = odd.start()
        start = max(at, text.rfind(" ", at, place) + 1, text.rfind("\n", at, place) + 1)
        end = _word_end(text, place)
        while odd := _NOT_PLAIN.search(text, end, end + _NEAR):
            end = _word_end(text, odd.start())
        yield _PLAIN, (at, start)
        yield _ANY, (start, end)
        at = end
    yield _PLAIN, (at, len(text))


def _word_end(text: str, at: int) -> int:
    blank = _BLANK.search(text, at + 1)
    return blank.start() if blank else len(text)
