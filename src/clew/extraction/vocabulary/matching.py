"""All terms of a vocabulary found in a text at once, by one automaton (Aho and Corasick, 1975).

Time does not grow with the vocabulary. Of terms that overlap the one that begins first counts, then
the longest. A term is found as a whole word where the script has words, so a possessive may follow;
phrases in any case, names as they are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import ahocorasick

from clew.extraction.places import is_whole
from clew.text.names import Name


class TermMatcher:
    """``phrases`` and ``names`` lead from surfaces to types."""

    def __init__(self, phrases: Mapping[str, str], names: Mapping[str, str]) -> None:
        self._types = dict(phrases)
        self._names = dict(names)
        self._automaton = _automaton({surface.lower() for surface in (*phrases, *names)})

    def find(self, text: str) -> list[Name]:
        """Return the terms in ``text`` in order, none overlapping another."""
        if self._automaton is None:
            return []
        lowered = text.lower()
        if len(lowered) != len(text):  # a letter that grows: case is kept then
            lowered = text
        found = []
        last = 0
        for start, end in sorted(self._places(lowered), key=lambda place: (place[0], -place[1])):
            if start >= last and _stands_alone(text, start, end):
                term = self._term(text[start:end])
                if term is not None:
                    found.append(Name(start, end, *term))
                    last = end
        return found

    def _places(self, text: str) -> Iterator[tuple[int, int]]:
        for end, length in self._automaton.iter(text):
            yield end + 1 - length, end + 1

    def _term(self, surface: str) -> tuple[str, str] | None:
        kind = self._names.get(surface)
        if kind is None:
            kind = self._types.get(surface)
        if kind is None:
            kind = self._types.get(surface.lower())
        return None if kind is None else (surface, kind)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether it is no part of a longer word: ``.NET`` is none in ``ASP.NET``."""
    if text[start] == "." and start and text[start - 1].isalnum():
        return False
    if text[end - 1] in "+#" and end < len(text) and (text[end].isalnum() or text[end] in "+#"):
        return False
    return is_whole(text, start, end)


def _automaton(words: Iterable[str]) -> Any:
    automaton = ahocorasick.Automaton(ahocorasick.STORE_LENGTH)
    for word in words:
        automaton.add_word(word)
    if not len(automaton):
        return None
    automaton.make_automaton()
    return automaton
