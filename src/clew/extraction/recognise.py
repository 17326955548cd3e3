"""Who finds names: a recogniser by rule, which needs nothing but the text.

A capital letter is evidence where the word could as well have been written small: inside a
sentence. At its beginning it says nothing, so a single word there counts only when the same
document proves it (capitalised inside a sentence, part of a longer name, in the title), or when it
is no everyday word and never written small. What is left out: months, days, numbers, pronouns,
addresses, code, and whole sentences in capitals.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Protocol

from clew.extraction.candidates import MAX_NAME_CHARS, names_in
from clew.extraction.known import known_names, known_places
from clew.extraction.lexicon import common_words, is_english, is_everyday
from clew.extraction.lexicon.closed import MONTHS_AND_DAYS, NEVER_NAMES, OPENERS
from clew.extraction.lexicon.german import german_spans, is_german
from clew.extraction.spans import CANDIDATE, KATAKANA, address_spans, has_quotes, quoted_names
from clew.records import BlockKind, Document, KnowledgeUnit
from clew.text.names import Name

_MAX_SHOUTED_WORDS = 3
_SHORT_TEXT_CHARS = 5000
_CAPITAL_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_SMALL_WORD = re.compile(r"(?<![\w'’-])[^\W\d_A-Z][\w]*")
_OPENS = frozenset('|:•·(["“„«‹*_>#~`–—…')
_BLANKS = " \u00a0\t\r\n"
_DATED = re.compile(r"\b(?:on|in|last|next|since|until|till|by|every|from|of|and|to)\s$")
_CONTRACTED = re.compile(r"['’](?:m|re|ve|ll|d|t)$")
_INNER_CAPITAL = re.compile(r".+?(?:[A-Z]|\d)")
_LAST_LATIN = "\u024f"
_WORDS_IN_CAPITALS = frozenset({"us", "who", "it"})

Unproven = tuple[int, Name, str]
"""A single word that begins a sentence: number of its unit, the name, the word in lower case."""


class Recogniser(Protocol):
    """Finds names in the units of a document."""

    def names(self, document: Document, units: Sequence[KnowledgeUnit]) -> list[list[Name]]:
        """Return the names of each unit, in the order of ``units``.

        Spans lie inside their unit; a name may lie inside a longer one ("University of Oslo").
        """
        ...


class RuleRecogniser:
    """Finds names by the rules above."""

    def names(self, document: Document, units: Sequence[KnowledgeUnit]) -> list[list[Name]]:
        reading = _Reading(document, units)
        reading.read()
        return reading.found


class _Reading:
    """One pass over a document: what is sure, and what the rest of the document must prove."""

    def __init__(self, document: Document, units: Sequence[KnowledgeUnit]) -> None:
        self.document = document
        self.text = document.text
        self.units = units
        self.found: list[list[Name]] = [[] for _ in units]
        self.unproven: list[Unproven] = []
        self.proven: set[str] = set()
        self.addresses = address_spans(self.text)
        self.german = is_german(self.text)
        self.code = [
            (block.start, block.end) for block in document.blocks if block.kind is BlockKind.CODE
        ]

    def read(self) -> None:
        text = self.text
        quotes = has_quotes(text)
        for number, unit in enumerate(self.units):
            start, end = unit.start, unit.end
            if _is_shouted(text, start, end) or _inside(self.code, start, end):
                continue
            self._capitalised(number, start, end)
            if quotes:
                for name in quoted_names(self.text, start, end):
                    _replace_inside(self.found[number], name)
        self._judge_unproven()
        if not self.text.isascii():
            self._katakana()
        self._known()

    def _capitalised(self, number: int, begin: int, end: int) -> None:
        text = self.text
        found = self.found[number]
        spans = [match.span() for match in CANDIDATE.finditer(text, begin, end)]
        for start, stop in german_spans(text, spans) if self.german else spans:
            if stop - start > MAX_NAME_CHARS or _inside(self.addresses, start, stop):
                continue
            surface = text[start:stop]
            inside = start > begin + 1 and text[start - 1] == " " and text[start - 2].isalnum()
            initial = not inside and _is_initial(text, begin, start)
            if " " in surface or "\n" in surface or "\u00a0" in surface:
                self._several(found, start, surface, initial=initial)
                continue
            lower = surface.lower()
            if not _is_single_name(surface, lower):
                continue
            name = Name(start, stop, surface)
            if initial and not _INNER_CAPITAL.match(surface, 1):
                self.unproven.append((number, name, lower))
            else:
                found.append(name)
                self.proven.add(lower)

    def _several(self, found: list[Name], start: int, surface: str, *, initial: bool) -> None:
        dated = not initial and _is_dated(self.text, start, surface)
        for at, end, written, kind, words in names_in(surface, initial, dated):
            if len(words) > 1 or _is_single_name(written, words[0]):
                found.append(Name(start + at, start + end, written, kind))
                self.proven.update(words)

    def _judge_unproven(self) -> None:
        if not self.unproven:
            return
        titled = set(self.document.title.lower().split())
        english = is_english(self.text)
        small: set[str] | None = None
        for number, name, lower in self.unproven:
            if lower not in self.proven and lower not in titled:
                if not english or lower[0] > _LAST_LATIN or is_everyday(lower):
                    continue
                if small is None and (lower in self.text or len(self.text) > _SHORT_TEXT_CHARS):
                    small = set(_SMALL_WORD.findall(self.text))
                if small is not None and lower in small:
                    continue
            self.found[number].append(name)

    def _katakana(self) -> None:
        for number, unit in enumerate(self.units):
            for match in KATAKANA.finditer(self.text, unit.start, unit.end):
                surface = match[0].rstrip("・")
                self.found[number].append(
                    Name(match.start(), match.start() + len(surface), surface)
                )

    def _known(self) -> None:
        starts = [unit.start for unit in self.units]
        for start, end, surface, kind in known_places(self.text, known_names(self.document)):
            number = bisect_right(starts, start) - 1
            if number >= 0 and end <= self.units[number].end:
                _replace_inside(self.found[number], Name(start, end, surface, kind))


def _is_single_name(surface: str, lower: str) -> bool:
    """Whether a capitalised word alone may be a name, whatever stands before it."""
    if len(lower) < 2 or lower in NEVER_NAMES or lower.isdigit() or _CONTRACTED.search(lower):
        return False
    if surface.isupper():
        return lower in _WORDS_IN_CAPITALS or not (lower in OPENERS or lower in common_words())
    return lower not in OPENERS


def _is_dated(text: str, start: int, surface: str) -> bool:
    """Whether "on", "in", … stand before a span that begins with a month or a day."""
    first = surface.partition(" ")[0].rstrip(".").lower()
    return first in MONTHS_AND_DAYS and _DATED.search(text, max(0, start - 8), start) is not None


def _is_initial(text: str, begin: int, start: int) -> bool:
    """Whether nothing but opening marks stands between the beginning of a sentence and here."""
    before = text[max(begin, start - 3) : start].rstrip(_BLANKS)
    if not before:
        return start - 3 <= begin
    return before[-1] in _OPENS


def _is_shouted(text: str, start: int, end: int) -> bool:
    unit = text[start:end]
    return unit.isupper() and len(_CAPITAL_WORD.findall(unit)) > _MAX_SHOUTED_WORDS


def _inside(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether ``start:end`` overlaps one of the sorted ``spans``."""
    if not spans:
        return False
    at = bisect_right(spans, (end - 1, 1 << 60)) - 1
    return at >= 0 and spans[at][1] > start


def _replace_inside(found: list[Name], name: Name) -> None:
    """Add ``name`` and drop the names that lie inside it; its own place keeps what is known."""
    kept = []
    for other in found:
        if other.start == name.start and other.end == name.end:
            name = other
        elif other.start < name.start or other.end > name.end:
            kept.append(other)
    found[:] = [*kept, name]
