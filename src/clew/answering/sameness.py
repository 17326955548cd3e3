"""What two things may have in common: countries, states, and names beside a noun."""

from __future__ import annotations

from collections.abc import Sequence

from clew.answering.evidence import Sentence
from clew.answering.lexicon.places import country_named, regions
from clew.answering.things import plain
from clew.retrieval.question.tokens import Token, stem_of

_AFTER_DEFINED = 12


def names_of(sentence: Sentence) -> list[str]:
    found = (
        plain(" ".join(t.lower for t in sentence.tokens[first:end]))
        for first, end in sentence.names
    )
    return [name for name in found if name]


def names_beside(sentence: Sentence, nouns: set[str]) -> set[str]:
    """Names directly before one of the nouns, or behind it and an "of"."""
    tokens = sentence.tokens
    found = set()
    for (first, end), name in zip(sentence.names, names_of(sentence), strict=False):
        inside = tokens[end - 1].stem in nouns and end - first > 1 and not country_named(name)
        behind = end < len(tokens) and tokens[end].stem in nouns
        before = first > 1 and tokens[first - 1].lower == "of" and tokens[first - 2].stem in nouns
        if inside or behind or before:
            found.add(" ".join(w for w in name.split() if stem_of(w) not in nouns))
    return found - {""}


def states_in(sentence: Sentence, outside: Sequence[Token]) -> set[str]:
    if not any(token.lower == "state" for token in outside):
        return set()
    words = plain(sentence.text)
    return {name for name in regions() if f" {name} " in f" {words} "}


_HOME_NATIONS = frozenset({"england", "scotland", "wales", "northern ireland"})
_UNION = "united kingdom"


def with_union(countries: frozenset[str]) -> frozenset[str]:
    """Who is British may be English, and the other way; an Englishman is still no Scot.

    >>> sorted(with_union(frozenset({"wales"})) & with_union(frozenset({"united kingdom"})))
    ['wales in the union']
    """
    inside = countries & _HOME_NATIONS
    if _UNION in countries:
        inside |= _HOME_NATIONS
    return countries | {f"{name} in the union" for name in inside}


def countries_in(tokens: Sequence[Token], *, defined: bool) -> list[str]:
    """Countries said in a sentence; ``defined`` looks only shortly behind the first "is a"."""
    low, high = 0, len(tokens)
    if defined:
        be = next(
            (
                at
                for at, token in enumerate(tokens[:-1])
                if token.lower in {"is", "was", "are", "were"}
                and tokens[at + 1].lower in {"a", "an", "the", "one"}
            ),
            -1,
        )
        if be < 0:
            return []
        low, high = be + 1, be + 1 + _AFTER_DEFINED
    found: dict[str, None] = {}
    window = tokens[low:high]
    for at, token in enumerate(window):
        if not token.is_capital:
            continue
        pair = " ".join(t.lower for t in window[at : at + 2])
        country = country_named(pair) or country_named(token.lower)
        if country:
            found[country] = None
    return list(found)


def shared_description(one: Sentence, other: Sentence) -> tuple[int, int]:
    """The longest run of words that both sentences use behind their first "is a": what two things
    have in common, as a range of offsets into ``one``; (0, 0) where they share nothing.

    "Ola Roe is an American film director" and "Ann Moe was an American film director and writer"
    share "American film director".
    """
    mine, theirs = _described(one.tokens), _described(other.tokens)
    said = [token.lower for token in theirs]
    best = (0, 0)
    for first in range(len(mine)):
        for last in range(len(mine), first, -1):
            run = [token.lower for token in mine[first:last]]
            whole = all(token.stem for token in (mine[first], mine[last - 1]))
            if whole and last - first > best[1] - best[0] and _holds(said, run):
                best = (first, last)
    if best == (0, 0):
        return (0, 0)
    return mine[best[0]].start, mine[best[1] - 1].end


def _described(tokens: Sequence[Token]) -> Sequence[Token]:
    be = next(
        (
            at
            for at, token in enumerate(tokens[:-1])
            if token.lower in {"is", "was", "are", "were"}
            and tokens[at + 1].lower in {"a", "an", "the", "one"}
        ),
        len(tokens),
    )
    window = tokens[be + 2 : be + 2 + _AFTER_DEFINED]
    end = next((at for at, token in enumerate(window) if token.text in ".;("), len(window))
    return window[:end]


def _holds(words: Sequence[str], run: Sequence[str]) -> bool:
    size = len(run)
    return any(list(words[at : at + size]) == list(run) for at in range(len(words) - size + 1))
