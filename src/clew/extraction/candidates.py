"""From a capitalised span to the names in it: openers off, titles off, parts of long names beside.

``The Norr Bridge`` → ``Norr Bridge`` at the beginning of a sentence; ``Dr. Jane Roe`` → ``Jane
Roe``, a person; ``May 5`` → nothing; ``University of Oslo`` → that, and ``Oslo``; ``Norr Governor
Jane Roe`` → ``Jane Roe``. The parts are what other documents may know the thing by: a span that no
other document has leads nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from clew.extraction.lexicon import is_common
from clew.extraction.lexicon.closed import (
    COUNTED,
    HEADS,
    HEADS_WITH_FOR,
    HONORIFICS,
    IMPERATIVES,
    MONTHS_AND_DAYS,
    OPENERS,
    ORGANISATIONS,
    PLACES,
    RANKS,
    ROYAL,
    SOFT_OPENERS,
)
from clew.extraction.lexicon.types import PERSON, type_of
from clew.extraction.spans import REGIONS
from clew.graph.given_names import is_given_name

MAX_NAME_CHARS = 200
MAX_NAME_WORDS = 12

_STRICT_OPENERS = (OPENERS | IMPERATIVES) - SOFT_OPENERS
_NEVER_FIRST = frozenset("and but cf if in or see some when".split())
"""Openers that begin no name inside a sentence either: "In Proceedings", "See Article"."""
_JOINTS = frozenset({"of", "for", "upon"})
_REGION = re.compile(REGIONS)
_PLAIN = re.compile(r"[^\W\d_a-z][\w-]+(?:\s[\w-]+)+")
_GENERATIONS = frozenset({"jr", "sr"})
_REMARKABLE = HONORIFICS | RANKS | ROYAL | COUNTED | MONTHS_AND_DAYS | _STRICT_OPENERS | _JOINTS
_SAY_TOO_LITTLE = (
    HEADS
    | ORGANISATIONS
    | PLACES
    | RANKS
    | ROYAL
    | HONORIFICS
    | COUNTED
    | MONTHS_AND_DAYS
    | OPENERS
    | _GENERATIONS
)
_MIN_PART_CHARS = 3
_POSSESSIVES = ("'s", "’s")


class Part(NamedTuple):
    """A name in a span, by offset into the span, with its words in lower case."""

    start: int
    end: int
    surface: str
    type: str
    words: tuple[str, ...]


@lru_cache(maxsize=1 << 14)
def names_in(
    surface: str,
    initial: bool = False,
    dated: bool = False,
) -> tuple[Part, ...]:
    """Return the names in a span of several words, the longest first.

    ``initial`` says that it begins a sentence, ``dated`` that a word like "on" or "in" precedes it.

    >>> [part.surface for part in names_in("The University of Oslo", initial=True)]
    ['University of Oslo', 'Oslo']
    """
    if len(surface) > MAX_NAME_CHARS:
        return ()
    if _PLAIN.fullmatch(surface):
        keys = surface.lower().split()
        if _REMARKABLE.isdisjoint(keys):
            return (Part(0, len(surface), surface, type_of(surface.split()), tuple(keys)),)
    span = _Span(surface)
    first = span.openers(_STRICT_OPENERS if initial else _NEVER_FIRST)
    dated = dated or first > 0
    first = span.skip_small(first + span.date(first, dated=dated))
    if first == span.length or span.is_reference(first):
        return ()
    kind, first = span.without_address(first)
    return tuple(span.names(first, span.length, kind))


class _Span:
    """The words of a span: as written, in lower case without final marks, and where they begin."""

    __slots__ = ("keys", "length", "starts", "surface", "words")

    def __init__(self, surface: str) -> None:
        self.surface = surface
        self.words = surface.split()
        self.keys = [word.rstrip(".,") for word in surface.lower().split()]
        self.length = len(self.words)
        self.starts = []
        at = 0
        for word in self.words:
            at = surface.index(word, at)
            self.starts.append(at)
            at += len(word)

    def openers(self, openers: frozenset[str]) -> int:
        """How many words at the beginning are there only because a sentence begins."""
        at = 0
        while at < self.length and self.words[at].replace("’", "'").lower() in openers:
            at += 1
        return at

    def date(self, first: int, *, dated: bool) -> int:
        """How many words from ``first`` are a date: "May 5", "4 July", "Friday" behind "on"."""
        keys = self.keys[first : first + 2]
        if MONTHS_AND_DAYS.isdisjoint(keys):
            return 0
        if len(keys) == 2 and (keys[0].isdigit() or keys[1][0].isdigit()):
            return 2
        return int(keys[0] in MONTHS_AND_DAYS and (dated or len(keys) == 1))

    def skip_small(self, first: int) -> int:
        while (
            first < self.length and self.words[first][0].islower() and self.words[first].islower()
        ):
            first += 1
        return first

    def is_reference(self, first: int) -> bool:
        """Whether this is "Section 4" or "Figure 2"."""
        return (
            self.length - first == 2 and self.words[-1][0].isdigit() and self.keys[first] in COUNTED
        )

    def without_address(self, first: int) -> tuple[str, int]:
        """Take "Dr" off a full name. Before a single word it stays: "Dr Roe"."""
        left = self.length - first
        if left > 1 and self.keys[first] in HONORIFICS:
            return PERSON, first + (left > 2)
        return "", first

    def names(self, first: int, last: int, kind: str = "") -> Iterator[Part]:
        """The name from ``first`` to ``last`` and the names inside it."""
        for place in range(first + 1, last - 1):
            if self.words[place] == "for" and self.keys[place - 1] not in HEADS_WITH_FOR:
                yield from self.names(first, place, kind)
                yield from self.names(self.skip_small(place + 1), last)
                return
        commas = sum(word[-1] == "," for word in self.words[first : last - 1])
        if commas > 1 or (commas and self._begins_with_region(first)):
            yield from self._between_joints(first, last)
            return
        tail = self._tail(first, last)
        person = self.part(tail, last) if tail else None
        if person and person.type == PERSON:
            yield person
        elif last - first <= MAX_NAME_WORDS:
            yield self.part(first, last, kind)
            if tail:
                yield from self._inner(tail, last)
        if self.words[first][0].isdigit():
            yield from self._inner(first + 1, last)
        yield from self._between_joints(first, last)

    def _begins_with_region(self, first: int) -> bool:
        """Whether this is a list of regions: "Norway, Sweden"."""
        end = self.surface.index(",", self.starts[first])
        return _REGION.fullmatch(self.surface, self.starts[first], end) is not None

    def _between_joints(self, first: int, last: int) -> Iterator[Part]:
        at = first
        for place in range(first, last - 1):
            word = self.words[place]
            if word in _JOINTS:
                yield from self._inner(at, place)
                at = place + 1
            elif word[-1] == "," or word.endswith(_POSSESSIVES):
                if self.keys[place + 1] not in _GENERATIONS:
                    yield from self._inner(at, place + 1)
                at = place + 1
        if at > first:
            yield from self._inner(at, last)

    def _tail(self, first: int, last: int) -> int:
        """Where a person's name begins behind an office, or behind a place: "Norr Governor Jane
        Roe", "Governor of Norr Jane Roe"; 0 when there is none.
        """
        keys = self.keys
        for at in range(first, last - 1):
            key = keys[at]
            if (key in RANKS or key in ROYAL) and self.words[at + 1][0].isupper():
                return at + 1
            if at > first + 1 and keys[at - 2] == "of" and is_given_name(key):
                return at
        return 0

    def _inner(self, first: int, last: int) -> Iterator[Part]:
        """A part as a name of its own, unless it says too little."""
        first = min(self.skip_small(first), last)
        count = last - first
        if count == 1 and (self.keys[first] in _SAY_TOO_LITTLE or is_common(self.keys[first])):
            return
        if count == 2 and self.words[first][0].isdigit() and self.keys[first + 1] in HEADS:
            return
        if count:
            part = self.part(first, last)
            if part.end - part.start >= _MIN_PART_CHARS:
                yield part

    def part(self, first: int, last: int, kind: str = "") -> Part:
        words = self.words[first:last]
        end = self.starts[last - 1] + len(words[-1])
        final = words[-1]
        if final.endswith(_POSSESSIVES):
            end -= 2
        elif final[-1] == "," or (len(final) == 2 and final[1] == "."):
            end -= 1
        start = self.starts[first]
        keys = tuple(self.keys[first:last])
        return Part(start, end, self.surface[start:end], kind or type_of(words), keys)
