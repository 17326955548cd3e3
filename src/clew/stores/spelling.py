"""Which names to look at for a name that is not written as any of them.

A scan of all names is exact and grows with the store. These rules say which few are worth a look,
by the trigrams that a name must hold; each store asks its own index for them.

*Misspelt* names: one slip of the finger leaves the first or the last half of a word whole, and
where it falls on the seam, both ends; two slips leave a third of a long word. A name is a candidate
when of **every** longer word one such part is in it. That is a filter by pigeonholes (Navarro and
Raffinot, "Flexible Pattern Matching in Strings", 2002, ch. 6) that keeps a look-up to a few dozen
names where "shares a trigram" gives a tenth of the store.
"""

from __future__ import annotations

from clew.stores.naming import trigrams
from clew.text.names import SMALL_WORDS

LONG_WORD = 5
MOST_WORDS = 8
_THREE_PARTS = 12

Clause = tuple[tuple[frozenset[str], ...], ...]
"""Per word the sets of trigrams of which a name must hold one set whole."""


def spelling_clause(key: str) -> Clause:
    """What a name must meet to be a candidate for the misspelt ``key``. Of several short words one
    must be right; a single one asks for any of its trigrams.
    """
    words = key.split()
    long = [word for word in words if len(word) >= LONG_WORD][:MOST_WORDS]
    if long:
        return tuple(_parts(word) for word in long)
    if len(words) > 1:
        return (tuple(frozenset(trigrams(word)) for word in words),)
    return tuple(tuple(frozenset((gram,)) for gram in sorted(trigrams(word))) for word in words)


def _parts(word: str) -> tuple[frozenset[str], ...]:
    """Both halves, both ends without the letters at the seam, and the thirds of a long word."""
    seam = (len(word) + 1) // 2
    first, last = f" {word[:seam]}", f"{word[seam:]} "
    parts = [_runs(first), _runs(last), _runs(first[:-1]) | _runs(last[1:])]
    if len(word) >= _THREE_PARTS:
        third = len(word) // 3
        parts += [_runs(f" {word[:third]}"), _runs(word[third:-third]), _runs(f"{word[-third:]} ")]
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
    return bool(letters) and letters in initials_of(name)


def initials_of(name: str) -> tuple[str, str]:
    """The first letters of the words of the key ``name``: of all, and of those that are not
    small.
    """
    words = name.split(" ")
    initials = "".join(word[:1] for word in words)
    return initials, "".join(word[:1] for word in words if word not in SMALL_WORDS)
