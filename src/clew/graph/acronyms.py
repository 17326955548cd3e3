"""Short forms that a text itself explains: "World Health Organization (WHO)".

After Schwartz and Hearst, "A simple algorithm for identifying abbreviation definitions in
biomedical text" (PSB 2003), held stricter: each letter begins a word of the long form, small words
may be passed over, and the long form begins with the first letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_IN_BRACKETS = re.compile(
    r"\((?:the )?[\"“'‘]?(?P<short>[^\W\d_][\w&./-]{1,9})[\"”'’]?(?:[;,][^()\n]{0,40})?\)"
)
_LONG_IN_BRACKETS = re.compile(r"\((?<=[A-Z0-9s] \()[\"“]?(?P<long>[^()\n]{5,90}?)[\"”]?\)")
_SHORT_BEFORE = re.compile(r"\b[A-Z][A-Z0-9&]{1,9}s?(?= $)")
_WORD = re.compile(r"[^\W_]+(?:['’]\w+)?")
_BETWEEN = re.compile(r"[\s&/,‐‑-]*")
_PASSED_OVER = frozenset(
    "of the and for in on to a an de la du des der und & et y e with by".split()
)
_WINDOW_CHARS = 120


class ShortForm(NamedTuple):
    """Spans of a long form and of the short form that the text gives it."""

    long_start: int
    long_end: int
    short_start: int
    short_end: int


def short_forms(text: str, start: int = 0, end: int | None = None) -> Iterator[ShortForm]:
    """Yield the short forms that ``text[start:end]`` explains, in order.

    >>> text = "the Orm Works Union (OWU) and retrieval augmented generation (RAG)"
    >>> [(text[a:b], text[c:d]) for a, b, c, d in short_forms(text)]
    [('Orm Works Union', 'OWU'), ('retrieval augmented generation', 'RAG')]
    """
    stop = len(text) if end is None else end
    if text.find("(", start, stop) < 0:
        return
    for match in _IN_BRACKETS.finditer(text, start, stop):
        long = _long_form(text, max(start, match.start() - _WINDOW_CHARS), match)
        if long:
            yield ShortForm(*long, *match.span("short"))
    for match in _LONG_IN_BRACKETS.finditer(text, start, stop):
        short = _SHORT_BEFORE.search(text, max(start, match.start() - 12), match.start())
        if short and _beginning(text, *match.span("long"), _letters(short[0])) == match.start(
            "long"
        ):
            yield ShortForm(*match.span("long"), *short.span())


def _long_form(text: str, start: int, match: re.Match[str]) -> tuple[int, int] | None:
    letters = _letters(match["short"])
    end = start + len(text[start : match.start()].rstrip())
    begins = _beginning(text, start, end, letters)
    return None if begins is None else (begins, end)


def _letters(short: str) -> str:
    """The letters of a short form: capitals and digits; at least two, and two capitals at that."""
    body = short[:-1] if short.endswith("s") and short[:-1].isupper() else short
    letters = "".join(char for char in body if char.isupper() or char.isdigit())
    return letters if sum(map(str.isupper, letters)) >= 2 else ""


def _beginning(text: str, start: int, end: int, letters: str) -> int | None:
    """Where the last words of ``text[start:end]`` begin that spell ``letters``."""
    if not letters:
        return None
    left = len(letters)
    behind = end
    for word in reversed(list(_WORD.finditer(text, start, end))):
        if not _BETWEEN.fullmatch(text, word.end(), behind):
            return None
        behind = word.start()
        if word[0][0].casefold() == letters[left - 1].casefold():
            left -= 1
            if left == 0:
                return word.start()
        elif word[0].lower() not in _PASSED_OVER:
            return None
    return None
