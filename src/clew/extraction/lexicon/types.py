"""What kind of thing a name names, where its own words tell; ``""`` where they do not."""

from __future__ import annotations

from collections.abc import Sequence

from clew.extraction.lexicon import female_names, male_names
from clew.extraction.lexicon.closed import ORGANISATIONS, PLACES, SUFFIXES

PERSON = "PERSON"
ORG = "ORG"
PLACE = "PLACE"
WORK = "WORK"

_HEADS_WITH_OF = ORGANISATIONS | {"bridge", "battle"}
_MAX_PERSON_WORDS = 5
_PARTICLES = frozenset("de la von van der den du da di del della bin ibn al y the".split())


def type_of(words: Sequence[str]) -> str:
    """Return the type of the name written as ``words``.

    >>> type_of(["University", "of", "Oslo"]), type_of(["Lake", "Norr"]), type_of(["Jane", "Roe"])
    ('ORG', 'PLACE', 'PERSON')
    """
    last = words[-1].rstrip(".,").lower()
    first = words[0].lower()
    if len(words) == 1:
        return ""
    if last in ORGANISATIONS or (first in _HEADS_WITH_OF and words[1] == "of"):
        return ORG
    if last in PLACES or (first in PLACES and words[1] != "of"):
        return PLACE
    return PERSON if _is_person(words) else ""


def gender_of(given: str) -> str:
    """``m``, ``f``, or ``""`` for a given name in lower case."""
    if given in male_names():
        return "m"
    return "f" if given in female_names() else ""


def is_given_name(word: str) -> bool:
    return word in male_names() or word in female_names()


def _is_person(words: Sequence[str]) -> bool:
    if len(words) > _MAX_PERSON_WORDS or any(map(_is_no_name_word, words)):
        return False
    first = words[0]
    if is_given_name(first.lower()) or words[-1].rstrip(".,").lower() in {"jr", "sr"}:
        return True
    return (
        len(first) <= len("J.R.R.")
        and first.endswith(".")
        and first[:-1].count(".") < 3
        and (first[0].isupper() and (len(first) == 2 or "." in first[:-1]))
    )


def _is_no_name_word(word: str) -> bool:
    return word[0].isdigit() or (word[0].islower() and word not in _PARTICLES)


def is_suffix(word: str) -> bool:
    return word.rstrip(".,").lower() in SUFFIXES
