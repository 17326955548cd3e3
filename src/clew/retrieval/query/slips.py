"""Whether two names differ by slips of the finger alone.

Likeness of letters is not enough: "Lothair II" is as near to "Lothair III" as a typo is, "Austria"
is four letters in five the same as "Australia". So numbers must agree, and each word may have as
many slips (a letter dropped, added, changed, or swapped with its neighbour) as its length allows.
"""

from __future__ import annotations

import re

from rapidfuzz.distance import OSA

LEAST_SINGLE_WORD = 5
_ALLOWED = ((3, 0), (8, 1), (12, 2))
_MOST_SLIPS = 3
_LEAST_WORD = 4
_NUMBER = re.compile(r"\d|^(?:[ivx]+|[ivx]*l?[ivx]*c?|jr|sr)$")


def slips(typed: str, name: str) -> int | None:
    """How many slips lie between two keys; None when they are names of two things.

    >>> slips("cristopher nolan", "christopher nolan"), slips("lothair ii", "lothair iii")
    (1, None)
    >>> slips("spiderman", "spider man"), slips("austria", "australia")
    (1, None)
    """
    ours, theirs = typed.split(" "), name.split(" ")
    if _numbers(ours) != _numbers(theirs):
        return None
    if len(ours) == len(theirs):
        each = [_slips_of_word(one, other) for one, other in zip(ours, theirs, strict=True)]
        return None if None in each else sum(number or 0 for number in each)
    joined = _slips_of_word("".join(ours), "".join(theirs))
    return None if joined is None else joined + abs(len(ours) - len(theirs))


def numbers_agree(typed: str, name: str) -> bool:
    """Whether two keys have the same numbers, Roman ones included: else they name two things."""
    return _numbers(typed.split(" ")) == _numbers(name.split(" "))


def wrong_words(typed: str, name: str) -> list[str]:
    """The words of ``typed`` that ``name`` does not have."""
    theirs = set(name.split(" "))
    return [word for word in typed.split(" ") if word not in theirs]


def _slips_of_word(one: str, other: str) -> int | None:
    allowed = _allowed_slips(one, other)
    distance = OSA.distance(one, other, score_cutoff=allowed)
    return distance if distance <= allowed else None


def _allowed_slips(one: str, other: str) -> int:
    """By the shorter word; two short ones must be the same."""
    if max(len(one), len(other)) < _LEAST_WORD:
        return 0
    letters = min(len(one), len(other))
    return next((allowed for limit, allowed in _ALLOWED if letters < limit), _MOST_SLIPS)


def _numbers(words: list[str]) -> list[str]:
    return [word for word in words if _NUMBER.search(word)]
