"""Which names to look at for a name that is not written as any of them.

A scan of all names is exact and grows with the store. These rules say which few are worth a look,
by the trigrams that a name must hold; each store asks its own index for them.

*Misspelt* names: one slip of the finger leaves the first or the last half of a word whole, and
where it falls on the seam, both ends. A name is a candidate when of **every** longer word one such
part is in it, or when all longer words **but one** are in it whole. That is a filter by pigeonholes
(Navarro and Raffinot, "Flexible Pattern Matching in Strings", 2002, ch. 6) that keeps a look-up to
a few dozen names where "shares a trigram" gives a tenth of the store.
"""

from __future__ import annotations

from clew.stores.naming import trigrams

LONG_WORD = 4
MOST_WORDS = 8
SMALL_WORDS = frozenset("of the and for in on to a an de la du des del der und et y e".split())

Clause = tuple[tuple[frozenset[str], ...], ...]
"""Per word the sets of trigrams of which a name must hold one set whole."""


def spelling_clauses(key: str) -> tuple[Clause, ...]:
    """A name is a candidate for the misspelt ``key`` when it meets any of these."""
    if not key:
        return ()
    words = [word for word in key.split(" ") if len(word) >= LONG_WORD][:MOST_WORDS]
    if not words:
        return ((tuple(frozenset((gram,)) for gram in sorted(trigrams(key))),),)
    damaged: Clause = tuple(_parts(word) for word in words)
    if len(words) == 1:
        return (damaged,)
    whole = [frozenset(trigrams(word)) for word in words]
    others = [
        tuple((grams,) for place, grams in enumerate(whole) if place != left_out)
        for left_out in range(len(words))
    ]
    return (damaged, *others)


def _parts(word: str) -> tuple[frozenset[str], ...]:
    """The first half, the last half, and both ends without the letters at the seam."""
    seam = (len(word) + 1) // 2
    first, last = f" {word[:seam]}", f"{word[seam:]} "
    ends = _runs(first[:-1]) | _runs(last[1:])
    parts = [_runs(first), _runs(last), *([ends] if len(word) > LONG_WORD else [])]
    return tuple(part for part in parts if part)


def _runs(text: str) -> frozenset[str]:
    return frozenset(text[at : at + 3] for at in range(len(text) - 2))


def holds(name: str, phrase: str) -> bool:
    """Whether the key ``name`` has the words of ``phrase`` side by side."""
    return f" {phrase} " in f" {name} "


def abbreviates(letters: str, name: str) -> bool:
    """Whether ``letters`` are the first letters of the words of the key ``name``; small words may
    be passed over.

    >>> abbreviates("boe", "bank of england"), abbreviates("be", "bank of england")
    (True, True)
    """
    words = name.split(" ")
    if len(words) < len(letters) or not letters:
        return False
    initials = "".join(word[:1] for word in words)
    content = "".join(word[:1] for word in words if word not in SMALL_WORDS)
    return letters in (initials, content)
