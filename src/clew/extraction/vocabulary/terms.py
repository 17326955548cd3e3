"""Candidate terms of a collection: the names in it, and the phrases that come back.

A phrase that never occurs outside a longer candidate is none itself. The counts are sums over
units, so the order of documents does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clew.extraction.vocabulary.phrases import parts_of, phrases_in
from clew.records import KnowledgeUnit
from clew.text.names import Name, name_key

MOST_PHRASES = 2000
_MOST_COUNTED = 500_000


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
            if count >= max(2, least) and (key := name_key(surface)) and key not in taken
        ]
        phrases = sorted(_maximal(phrases, names), key=_rank)[:MOST_PHRASES]
        return sorted([*names, *phrases], key=_rank)

    def surfaces(self, key: str) -> list[str]:
        """The forms of a name, sorted."""
        return sorted({surface for surface, _ in self._names.get(key, ())})


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


def _maximal(phrases: Sequence[Candidate], names: Sequence[Candidate]) -> list[Candidate]:
    """Without those that occur only inside a longer candidate; of phrases with one key the
    commonest.
    """
    inside: dict[str, int] = {}
    for candidate in [*phrases, *names]:
        for part in parts_of(candidate.key):
            inside[part] = max(inside.get(part, 0), candidate.count)
    best: dict[str, Candidate] = {}
    for one in phrases:
        if one.count > max(inside.get(one.key, 0), best[one.key].count if one.key in best else 0):
            best[one.key] = one
    return list(best.values())
