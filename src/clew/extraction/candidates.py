"""From a capitalised span to the names in it: openers off, titles off, parts of long names beside.

``The Norr Bridge`` → ``Norr Bridge`` at the beginning of a sentence; ``Dr. Jane Roe`` → ``Jane
Roe``, a person; ``May 5`` → nothing; ``University of Oslo`` → that, and ``Oslo``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.extraction.lexicon import is_common
from clew.extraction.lexicon.closed import (
    COUNTED,
    HONORIFICS,
    MONTHS_AND_DAYS,
    OPENERS,
    RANKS,
    ROYAL,
    SOFT_OPENERS,
)
from clew.extraction.lexicon.types import PERSON, is_given_name, type_of
from clew.text.names import Name

MAX_NAME_CHARS = 200
MAX_NAME_WORDS = 12

_STRICT_OPENERS = OPENERS - SOFT_OPENERS
_JOINT = re.compile(r"\s(?:of|for)(?:\sthe)?\s|['’]s\s")
_MIN_PART_CHARS = 3


def names_in(text: str, start: int, end: int, *, initial: bool, dated: bool) -> Iterator[Name]:
    """Yield the names in the span of several words ``text[start:end]``, the longest first.

    ``initial`` says that it begins a sentence, ``dated`` that a word like "on" or "in" precedes it.
    """
    words = text[start:end].split()
    first = 0
    if initial:
        first = _openers(words)
        dated = dated or first > 0
    first += _date(words[first:], dated=dated)
    while first < len(words) and words[first].islower():
        first += 1
    if first:
        words = words[first:]
        start = _start_of_last(text, start, end, len(words))
    if not words or _is_reference(words):
        return
    kind = ""
    address = words[0].rstrip(".").lower()
    if len(words) > 1 and address in HONORIFICS:
        kind = PERSON
        if len(words) > 2:
            words = words[1:]
            start = _start_of_last(text, start, end, len(words))
    elif len(words) > 2 and address in RANKS and _is_given(words[1]):
        kind = PERSON
        words = words[1:]
        start = _start_of_last(text, start, end, len(words))
    if len(words[-1]) == 2 and words[-1].endswith("."):
        end -= 1
    if end - start > MAX_NAME_CHARS or len(words) > MAX_NAME_WORDS:
        return
    yield Name(start, end, text[start:end], kind or type_of(words))
    yield from _parts(text, start, end, words)


def _openers(words: list[str]) -> int:
    """How many words at the beginning are there only because a sentence begins."""
    at = 0
    while at < len(words) and words[at].replace("’", "'").lower() in _STRICT_OPENERS:
        at += 1
    return at


def _date(words: list[str], *, dated: bool) -> int:
    """How many words at the beginning are a date: "May 5", "Friday" behind "on"."""
    if not words or words[0].rstrip(".").lower() not in MONTHS_AND_DAYS:
        return 0
    if len(words) > 1 and words[1][0].isdigit():
        return 2
    return 1 if dated or len(words) == 1 else 0


def _is_reference(words: list[str]) -> bool:
    """ "Section 4", "Figure 2"."""
    return len(words) == 2 and words[1][0].isdigit() and words[0].rstrip(".").lower() in COUNTED


def _is_given(word: str) -> bool:
    return is_given_name(word.lower()) or (len(word) == 2 and word[1] == ".")


def _start_of_last(text: str, start: int, end: int, count: int) -> int:
    """Where the last ``count`` words of ``text[start:end]`` begin."""
    if count == 0:
        return end
    return end - len(text[start:end].split(None, len(text[start:end].split()) - count)[-1])


def _parts(text: str, start: int, end: int, words: list[str]) -> Iterator[Name]:
    """Names inside a long name, which other documents may know alone."""
    if words[0].lower() in ROYAL and len(words) > 1 and words[1][0].isupper():
        inner = _start_of_last(text, start, end, len(words) - 1)
        yield Name(inner, end, text[inner:end], type_of(words[1:]))
    at = start
    for joint in _JOINT.finditer(text, start, end):
        yield from _part(text, at, joint.start())
        at = joint.end()
    if at > start:
        yield from _part(text, at, end)


def _part(text: str, start: int, end: int) -> Iterator[Name]:
    words = text[start:end].split()
    if end - start >= _MIN_PART_CHARS and (len(words) > 1 or not is_common(words[0])):
        yield Name(start, end, text[start:end], type_of(words))
