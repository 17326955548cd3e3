"""Other forms in which a name may stand: with another ending, with or without its article.

"A Beatle" asks for the Beatles, "vikings" for the Viking. English only, and only what costs a
look-up by key; what other languages do to the ends of names is found by spelling.
"""

from __future__ import annotations

from collections.abc import Iterator

from clew.text.names import without_accents

_LEAST_WORD = 3
_ADD_ES = ("s", "x", "z", "ch", "sh")


def written_keys(key: str) -> tuple[str, ...]:
    """The keys under which a name may be found as it is written: with its accents or without."""
    plain = without_accents(key)
    return (key,) if plain == key else (key, plain)


def other_forms(key: str) -> list[str]:
    """Keys of the same name with another article or number, the likeliest first.

    >>> other_forms("beatle")
    ['the beatle', 'beatles', 'the beatles']
    >>> other_forms("the orm galleries")
    ['orm galleries', 'the orm gallery', 'orm gallery']
    """
    plain = without_accents(key)
    swapped = plain.removeprefix("the ") if plain.startswith("the ") else f"the {plain}"
    forms = [swapped]
    for number in _other_numbers(plain):
        forms += [number, _same_article(number, swapped)]
    return list(dict.fromkeys(forms))


def _same_article(number: str, swapped: str) -> str:
    return f"the {number}" if swapped.startswith("the ") else number.removeprefix("the ")


def _other_numbers(key: str) -> Iterator[str]:
    """The plural of a singular, or the singulars that a plural may have."""
    before, _, last = key.rpartition(" ")
    lead = f"{before} " if before else ""
    if len(last) < _LEAST_WORD or not last.isascii() or not last.isalpha():
        return
    if last.endswith("ies"):
        yield f"{lead}{last[:-3]}y"
    elif last.endswith("es") and last[:-2].endswith(_ADD_ES):
        yield f"{lead}{last[:-2]}"
    elif last.endswith("s") and not last.endswith(("ss", "us", "is")):
        yield f"{lead}{last[:-1]}"
    elif last.endswith("y") and last[-2] not in "aeiou":
        yield f"{lead}{last[:-1]}ies"
    elif last.endswith(_ADD_ES):
        yield f"{lead}{last}es"
    else:
        yield f"{lead}{last}s"
