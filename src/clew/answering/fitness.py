"""Whether a span can be what a step leads to: by kind, by the sort of place, by its form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clew.answering.candidates import Candidate, Form
from clew.answering.lexicon.people import RANKS
from clew.answering.lexicon.places import countries, demonyms, regions
from clew.answering.lexicon.things import PLACE_WORDS, SCHOOL_WORDS
from clew.answering.plans import Step
from clew.retrieval.question.records import AnswerType
from clew.retrieval.question.tokens import fold


def is_rank_alone(candidate: Candidate) -> bool:
    """ "Duke of Brabant" behind the name of the duke."""
    tokens = candidate.sentence.tokens
    first = candidate.first
    if tokens[first].lower not in RANKS or first < 2 or candidate.last - first < 3:
        return False
    before = tokens[first - 1]
    return tokens[first + 1].lower == "of" and (before.text == "," or before.is_number)


def ends_with_region(candidate: Candidate) -> bool:
    return fold(candidate.text).rpartition(", ")[2] in regions()


def kind_strength(kinds: Mapping[AnswerType, float], wanted: Sequence[AnswerType]) -> float:
    if not wanted:
        named = max((v for k, v in kinds.items() if k not in _VALUES), default=0.3)
        return 0.5 + 0.3 * named if kinds else 0.5
    best = max((kinds.get(kind, 0.0) for kind in wanted), default=0.0)
    if best:
        return 0.4 + 0.6 * best
    if not kinds and not set(wanted) & _VALUES:
        return 0.35
    other = max(kinds.values(), default=0.0)
    return 0.25 if other < 0.55 and not set(wanted) & _VALUES and not set(kinds) & _VALUES else 0.0


_VALUES = frozenset({AnswerType.DATE, AnswerType.NUMBER})
_COMPLEMENTS = _VALUES | {AnswerType.PLACE}


SETTLEMENTS = frozenset({"city", "town", "village"})


_DIVISIONS = frozenset("county district province municipality parish township borough".split())
"""Parts of a state that are nearly always called what they are: "Hiran County"."""


def _is_other_sort(key: str, noun: str) -> bool:
    """ "Red Lion Square" is no city: its last word says what it is."""
    words = key.split()
    kept = SETTLEMENTS | {noun}
    return len(words) > 1 and words[-1] in (PLACE_WORDS | SCHOOL_WORDS) - kept


def noun_fit(candidate: Candidate, step: Step) -> float:
    """Whether a place is of the sort asked for: a country, a state."""
    words = candidate.key
    is_demonym = words in demonyms()
    if step.noun in {"country", "nation"} or step.relation == "nationality":
        if words in countries() or is_demonym:
            return 1.0
        return 0.35
    if is_demonym and step.kinds and AnswerType.PLACE in step.kinds:
        return 0.6 if step.relation == "origin" else 0.0
    if step.relation == "education":
        return 1.0 if set(words.split()) & SCHOOL_WORDS else 0.5
    return _settlement_fit(words, step)


def _settlement_fit(words: str, step: Step) -> float:
    if step.noun in _DIVISIONS and step.noun not in words.split():
        return 0.2 if words in regions() | countries() else 0.5
    if step.noun == "state":
        return 1.0 if words in regions() else 0.6
    if step.noun in SETTLEMENTS:
        return 0.4 if words in regions() | countries() or _is_other_sort(words, step.noun) else 1.0
    return 1.0


def sort_of_place(candidate: Candidate, noun: str) -> tuple[float, float]:
    """(agrees, disagrees) of a place with the sort asked for: country, state, city …"""
    key = candidate.key
    if noun in {"country", "nation", "nationality"}:
        known = key in countries() or key in demonyms()
        return float(known), float(not known)
    if noun in {"state", "province"}:
        is_pair = candidate.form == Form.PAIR
        return float(key in regions()), float(is_pair or key in countries() or key in demonyms())
    if noun in SETTLEMENTS | {"place", "birthplace"}:
        broad = key in regions() or key in countries() or key in demonyms()
        broad = broad or (noun in SETTLEMENTS and _is_other_sort(key, noun))
        return float(not broad and candidate.form in {Form.NAME, Form.PAIR}), float(broad)
    return float(noun in key.split()), 0.0
