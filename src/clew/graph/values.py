"""Values of facts, compared: what kind a value is, and whether two say the same more or less fully.

"1879" and "14 March 1879" go together, "Ulm" and "Ulm, Germany", "1,200" and "1200 m"; "1879" and
"1880" do not.
"""

from __future__ import annotations

import re
from functools import lru_cache

import regex

from clew.graph.predicates import plain_predicate
from clew.text.names import name_key

_MONTHS = {
    word: number
    for number, names in enumerate(
        "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|"
        "september sep sept|october oct|november nov|december dec".split("|"),
        1,
    )
    for word in names.split()
}
_YEAR = re.compile(r"(?<![\d.,])(?:1[0-9]{3}|20[0-9]{2})(?![\d,]|\.\d)")
_ISO = re.compile(r"\b(\d{4})-(\d{1,2})(?:-(\d{1,2}))?\b")
_GROUPED = re.compile(r"(?<=\d)[,\u00a0\u202f ](?=\d{3}(?!\d))")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WORD = regex.compile(r"[\p{L}\p{M}]+|\d+(?:\.\d+)?")
_SMALL = frozenset("of the a an in on at and".split())


def value_kind(value: str) -> str:
    """``date``, ``number`` or ``name``.

    >>> value_kind("14 March 1879"), value_kind("1,200 m"), value_kind("Ulm")
    ('date', 'number', 'name')
    """
    words = {word.casefold() for word in _WORD.findall(value)}
    if _YEAR.search(value) or (words & _MONTHS.keys() and _NUMBER.search(value)):
        return "date"
    digits = sum(char.isdigit() for char in value)
    return "number" if digits and digits >= sum(char.isalpha() for char in value) / 4 else "name"


def say_the_same(one: str, other: str) -> bool:
    """Whether one of the two values says what the other does, or more.

    >>> say_the_same("Ulm", "Ulm, Germany"), say_the_same("1879-03-14", "March 1879")
    (True, True)
    >>> say_the_same("Paris", "Lyon"), say_the_same("1879", "1880")
    (False, False)
    """
    if name_key(one) == name_key(other):
        return True
    a, b = _parts(one), _parts(other)
    return bool(a and b) and (a <= b or b <= a)


@lru_cache(maxsize=1 << 12)
def _parts(value: str) -> frozenset[str]:
    """What has to agree: words, numbers in one form, months by number."""
    text = _ISO.sub(_spelled, _GROUPED.sub("", value))
    parts = set()
    for word in _WORD.findall(text):
        folded = word.casefold()
        if folded in _MONTHS:
            parts.add(f"month {_MONTHS[folded]}")
        elif word[0].isdigit():
            parts.add(word.lstrip("0") or "0")
        elif folded not in _SMALL:
            parts.add(plain_predicate(folded).key or folded)
    return frozenset(parts)


def _spelled(match: re.Match[str]) -> str:
    months = [word for word, number in _MONTHS.items() if number == int(match[2])]
    return f"{match[1]} {months[0] if months else match[2]} {match[3] or ''}"
