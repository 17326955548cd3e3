"""What a comparative or a superlative measures: "longer" a length, "heaviest" a weight.

Read from the form: the adjective under "-er" and "-est", then the nouns by which texts and headings
name its measure.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from clew.retrieval.question.relations import stems_of
from clew.retrieval.question.tokens import stem_of

_MEASURES = {
    "long": "long length",
    "short": "short length long",
    "tall": "tall height high elevation",
    "high": "high height elevation altitude",
    "low": "low height elevation altitude",
    "deep": "deep depth",
    "shallow": "shallow depth",
    "wide": "wide width broad breadth beam",
    "broad": "broad width wide",
    "narrow": "narrow width",
    "heavy": "heavy weight mass displacement tonnage",
    "light": "light weight mass displacement",
    "large": "large size area population",
    "big": "big size area population",
    "small": "small size area population",
    "fast": "fast speed",
    "slow": "slow speed",
    "hot": "hot temperature",
    "cold": "cold temperature",
    "cheap": "cheap price cost",
    "expensive": "expensive price cost",
    "populous": "populous population inhabitants",
    "rich": "rich wealth income",
}


@cache
def adjective_of(word: str) -> str:
    """The adjective that a comparative or superlative is a form of; ``""`` for another word.

    >>> adjective_of("longest"), adjective_of("heavier"), adjective_of("her")
    ('long', 'heavy', '')
    """
    for ending in ("est", "er"):
        stem = word.removesuffix(ending)
        if stem == word:
            continue
        doubled = stem[:-1] if len(stem) > 2 and stem[-1] == stem[-2] else stem
        tried = (stem, f"{stem}e", doubled, f"{stem[:-1]}y" if stem.endswith("i") else stem)
        return next((adjective for adjective in tried if adjective in _MEASURES), "")
    return word if word in {"expensive", "populous"} else ""


def adjectives_in(words: Iterable[str]) -> tuple[str, ...]:
    """The adjectives that the words compare by, in order."""
    return tuple(dict.fromkeys(found for word in words if (found := adjective_of(word))))


def measure_stems(words: Iterable[str]) -> frozenset[str]:
    """Stems of the words that name what is measured; "more passengers" names its noun itself."""
    listed = list(words)
    stems: set[str] = set()
    for adjective in adjectives_in(listed):
        stems |= stems_of(_MEASURES[adjective])
    for at, word in enumerate(listed[:-1]):
        if word in _AMOUNTS and not adjective_of(listed[at + 1]) and stem_of(listed[at + 1]):
            stems.add(stem_of(listed[at + 1]))
    return frozenset(stems)


def noun_stems(words: Iterable[str]) -> frozenset[str]:
    """Stems for a measure that is named by its noun: "the same LENGTH"."""
    stems = {stem_of(word) for word in words} - {""}
    found: frozenset[str] = frozenset()
    for adjective, listed in _MEASURES.items():
        nouns = stems_of(listed) - {stem_of(adjective)}
        if stems & nouns:
            found |= nouns | {stem_of(adjective)}
    return found


_AMOUNTS = frozenset("more most fewer fewest less least".split())
