"""German writes every noun with a capital, so a capital there is evidence of a noun only.

A noun behind an article or an inflected adjective is a thing of a kind ("die alte Straße"); names
of persons and places mostly stand bare ("in Oslo"). What is lost are names with an article ("der
Rhein"); longer names ("Norr Werke", "Ida Holm") are not concerned.
"""

from __future__ import annotations

import re

_SAMPLE_CHARS = 4000
_SMALL_WORDS = (" der ", " die ", " und ", " das ", " ist ", " nicht ", " mit ", " ein ", " von ")
_BEFORE_NOUN = re.compile(
    r"\b(?:d(?:er|ie|as|en|em|es)|(?:k?ein|mein|dein|sein|ihr|unser|euer)(?:e[rnms]?)?|dies\w*|jed\w+"
    r"|welch\w+|solch\w+|alle[rnms]?|viele[rnms]?|wenige[rnms]?|mehrere[rnms]?|beide[rnms]?|im|am|zum"
    r"|zur|vom|beim|ins|ans|ums|[a-zäöüß]{3,}(?:e|en|er|es|em))\s$",
    re.IGNORECASE,
)
_WINDOW_CHARS = 30


def is_german(text: str) -> bool:
    """Whether the small words at the beginning of ``text`` are German."""
    sample = text[:_SAMPLE_CHARS]
    if " und " not in sample and " der " not in sample and " die " not in sample:
        return False
    return sum(map(sample.count, _SMALL_WORDS)) > 2 * sample.count(" the ") + len(sample) / 200


def is_german_noun(text: str, start: int) -> bool:
    """Whether the single capitalised word at ``start`` stands where a common noun would."""
    return _BEFORE_NOUN.search(text, max(0, start - _WINDOW_CHARS), start) is not None
