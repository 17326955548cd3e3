"""What kind of thing a name names, where its own words tell; ``""`` where they do not."""

from __future__ import annotations

from collections.abc import Sequence

from clew.extraction.lexicon.closed import ORGANISATIONS, PLACES
from clew.graph.given_names import is_given_name

PERSON = "PERSON"
ORG = "ORG"
PLACE = "PLACE"
WORK = "WORK"

_MAX_PERSON_WORDS = 5
_MAX_INITIALS_CHARS = 6
_PARTICLES = frozenset("de la von van der den du da di del della bin bint ibn al y the".split())


def type_of(words: Sequence[str]) -> str:
    """Return the type of the name written as ``words``.

    >>> type_of(["University", "of", "Oslo"]), type_of(["Lake", "Norr"]), type_of(["Jane", "Roe"])
    ('ORG', 'PLACE', 'PERSON')
    """
    if len(words) == 1:
        return ""
    last = words[-1].rstrip(".,").lower()
    first = words[0].lower()
    if last in ORGANISATIONS or (first in ORGANISATIONS and words[1] == "of"):
        return ORG
    if last in PLACES or (first in PLACES and words[1] != "of"):
        return PLACE
    return PERSON if _is_person(first, last, words) else ""


def _is_person(first: str, last: str, words: Sequence[str]) -> bool:
    if not (is_given_name(first) or last in {"jr", "sr"} or _is_initials(words[0])):
        return False
    return len(words) <= _MAX_PERSON_WORDS and not any(map(_is_no_name_word, words))


def _is_initials(word: str) -> bool:
    return word[-1] == "." and word[1] == "." and len(word) <= _MAX_INITIALS_CHARS


def _is_no_name_word(word: str) -> bool:
    if word[0].isdigit() or word[-2:] in {"'s", "’s"}:
        return True
    return word[0].islower() and word not in _PARTICLES
