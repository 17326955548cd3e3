"""Candidate terms of a collection: the names in it, and the phrases that come back.

A phrase is one to three words between stop words, without a mark inside: *tidal gauge*, *spring
tide table*. One word alone counts only when it is no everyday word. A phrase that never occurs
outside a longer candidate is none itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from clew.extraction.lexicon import is_common
from clew.records import KnowledgeUnit
from clew.text.names import Name, name_key
from clew.text.words import STOP_WORDS

MOST_WORDS = 3
MOST_PHRASES = 2000
_MOST_COUNTED = 500_000
_MIN_WORD_CHARS = 3
_MIN_SINGLE_CHARS = 5
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A term as it is written most often, and in how many units. ``is_name`` tells names from
    phrases; ``type`` is what the rules made of a name.
    """

    key: str
    surface: str
    count: int
    is_name: bool
    type: str = ""


class TermCounts:
    """Counts names and phrases while documents come in."""

    def __init__(self) -> None:
        self._phrases: Counter[str] = Counter()
        self._names: dict[str, Counter[tuple[str, str]]] = {}

    def add(self, units: Iterable[KnowledgeUnit], names: Iterable[Iterable[Name]]) -> None:
        for unit, found in zip(units, names, strict=True):
            for key, name in {name_key(name.surface): name for name in found}.items():
                self._names.setdefault(key, Counter())[name.surface, name.type] += 1
            self._phrases.update({surface for _, _, surface in phrases_in(unit.text)})
            if len(self._phrases) > _MOST_COUNTED:  # forget the rarest, as lossy counting does
                self._phrases = Counter({term: n for term, n in self._phrases.items() if n > 1})

    def candidates(self, *, least: int) -> list[Candidate]:
        """Those that occur in ``least`` units or more (phrases: in two or more), the commonest
        first.
        """
        names = [_named(key, forms) for key, forms in self._names.items() if forms.total() >= least]
        taken = self._names.keys()
        phrases = [
            Candidate(key, surface, count, is_name=False)
            for surface, count in sorted(self._phrases.items())
            if count >= max(2, least) and (key := name_key(surface)) not in taken
        ]
        phrases = sorted(_maximal(phrases, names), key=_rank)[:MOST_PHRASES]
        return sorted([*names, *phrases], key=_rank)


def _named(key: str, forms: Counter[tuple[str, str]]) -> Candidate:
    surfaces: Counter[str] = Counter()
    types: Counter[str] = Counter()
    for (surface, kind), count in forms.items():
        surfaces[surface] += count
        types[kind] += count if kind else 0
    return Candidate(key, _commonest(surfaces), forms.total(), is_name=True, type=_commonest(types))


def _commonest(counts: Counter[str]) -> str:
    return min(counts, key=lambda value: (-counts[value], value))


def _rank(candidate: Candidate) -> tuple[int, str]:
    return -candidate.count, candidate.key


def phrases_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, surface) of each phrase in lower case, offsets into ``text``."""
    for run in _runs(text):
        for first in range(len(run)):
            for last in range(first, min(first + MOST_WORDS, len(run))):
                start, end = run[first][0], run[last][1]
                surface = text[start:end]
                if first < last or _stands_alone(surface):
                    yield start, end, surface


def _runs(text: str) -> Iterator[Sequence[tuple[int, int]]]:
    """Words in lower case in a row, with nothing but one blank between them."""
    run: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        word = match[0]
        inside = word.islower() and len(word) >= _MIN_WORD_CHARS and word not in STOP_WORDS
        if run and (not inside or text[run[-1][1] : match.start()] != " "):
            yield run
            run = []
        if inside:
            run.append(match.span())
    if run:
        yield run


def _stands_alone(word: str) -> bool:
    return len(word) >= _MIN_SINGLE_CHARS and not is_common(word)


def _maximal(phrases: Sequence[Candidate], names: Sequence[Candidate]) -> list[Candidate]:
    """Without those that occur only inside a longer candidate."""
    inside: dict[str, int] = {}
    for candidate in [*phrases, *names]:
        words = candidate.key.split()
        for size in range(1, min(len(words), MOST_WORDS + 1)):
            for at in range(len(words) - size + 1):
                part = " ".join(words[at : at + size])
                if part != candidate.key:
                    inside[part] = max(inside.get(part, 0), candidate.count)
    return [one for one in phrases if one.count > inside.get(one.key, 0)]
