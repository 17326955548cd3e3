"""Irregular verbs of English: which base a form belongs to ("sank" and "sunk" to *sink*).

A stemmer cuts endings and leaves these alone, so that "When did it sink?" would not find "it sank
in 1921". ``irregular_verbs.txt`` lists base, past and participle of each verb, facts of the
language that any grammar gives.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

_KEPT = frozenset("found lay born ground wound".split())
"""Past forms that are words of their own: whoever *founds* something need not have *found* it."""


@cache
def irregular_pasts() -> frozenset[str]:
    """Past forms and participles that differ from the base."""
    return frozenset(form for base, *forms in _verbs() for form in forms if form != base)


@cache
def verb_bases() -> frozenset[str]:
    """The bases of the irregular verbs."""
    return frozenset(base for base, *_ in _verbs())


def base_of(word: str) -> str:
    """The base of an irregular form, in lower case; any other word as it is.

    >>> base_of("sank"), base_of("written"), base_of("bridge"), base_of("found")
    ('sink', 'write', 'bridge', 'found')
    """
    return word if word in _KEPT else _bases().get(word, word)


@cache
def _bases() -> dict[str, str]:
    bases = {base for base, *_ in _verbs()}
    found: dict[str, str] = {}
    for base, *forms in _verbs():
        for form in forms:
            if form not in bases:
                found.setdefault(form, base)
    return found


@cache
def _verbs() -> tuple[tuple[str, ...], ...]:
    text = files("clew.text").joinpath("irregular_verbs.txt").read_text(encoding="utf-8")
    return tuple(tuple(line.split()) for line in text.splitlines() if line)
