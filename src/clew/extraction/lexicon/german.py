"""German writes every noun with a capital, so a capital there is evidence of a noun only.

A noun behind an article or an inflected adjective is a thing of a kind ("die alte Straße"); names
of persons and places mostly stand bare ("in Oslo"). What is lost are names with an article ("der
Rhein"); longer names ("Norr Werke", "Ida Holm") are not concerned.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from clew.graph.given_names import is_given_name

_SAMPLE_CHARS = 4000
_SMALL_WORDS = (" der ", " die ", " und ", " das ", " ist ", " nicht ", " mit ", " ein ", " von ")
_BEFORE_NOUN = re.compile(
    r"\b(?:d(?:er|ie|as|en|em|es)|(?:k?ein|mein|dein|sein|ihr|unser|euer)(?:e[rnms]?)?|dies\w*|jed\w+"
    r"|welch\w+|solch\w+|alle[rnms]?|viele[rnms]?|wenige[rnms]?|mehrere[rnms]?|beide[rnms]?|im|am|zum"
    r"|zur|vom|beim|ins|ans|ums|[a-zäöüß]{3,}(?:e|en|er|es|em))\s$",
    re.IGNORECASE,
)
_WINDOW_CHARS = 30
_CAPITALISED_RUN = re.compile(r"(?<!\S)[^\W\d_a-zäöüß]\S*(?:\s[^\W_a-zäöüß]\S*)*")
_OPENERS = frozenset(
    """
    der die das dem den des ein eine einer einem einen im am zum zur vom beim und oder aber wenn als
    nach vor seit bei mit auf in an von zu für über unter durch gegen ohne um da dort dann hier
    heute gestern morgen diese dieser dieses er sie es wir ihr auch nur nicht noch schon so
    """.split()
)

GERMAN_SMALL_WORDS = _OPENERS | frozenset(
    """
    ist sind war waren wird werden wurde wurden worden hat haben hatte hatten sein bei aus sich
    kann können soll muss als wie dass daß ob ihn ihm sie ihnen ihre seine kein keine mehr sehr
    """.split()
)
"""Words that say nothing of what a text is about."""


def is_german(text: str) -> bool:
    """Whether the small words at the beginning of ``text`` are German."""
    sample = text[:_SAMPLE_CHARS]
    if " und " not in sample and " der " not in sample and " die " not in sample:
        return False
    return sum(map(sample.count, _SMALL_WORDS)) > 2 * sample.count(" the ") + len(sample) / 200


def german_spans(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Cut capitalised spans at small words and articles, and drop single nouns.

    "Haus der Familie von Ida Holm" gives "Ida Holm"; "Ludwig van Holm" stays whole.
    """
    for start, end in spans:
        words = text[start:end].split()
        if any(map(str.islower, words)) and not is_given_name(words[0].lower()):
            pieces = [match.span() for match in _CAPITALISED_RUN.finditer(text, start, end)]
        else:
            pieces = [(start, end)]
        for piece in pieces:
            first, last = _without_article(text, *piece)
            if first < last and not (_is_single(text, first, last) and _is_noun(text, first)):
                yield first, last


def _without_article(text: str, start: int, end: int) -> tuple[int, int]:
    first, _, rest = text[start:end].partition(" ")
    return (end - len(rest), end) if first.lower() in _OPENERS else (start, end)


def _is_single(text: str, start: int, end: int) -> bool:
    return len(text[start:end].split()) == 1


def _is_noun(text: str, start: int) -> bool:
    """Whether a capitalised word stands where a common noun would."""
    return _BEFORE_NOUN.search(text, max(0, start - _WINDOW_CHARS), start) is not None
