"""Names as keys: what is the same name written twice, and what is not.

A key keeps the script and whatever tells names apart (``C++`` is not ``C``, ``.NET`` is not
``net``) and drops what does not: case, width, quotes, possessives, blanks, punctuation between
words. Initials stand together however they were spaced (``J. R. R.``, ``J.R.R.`` and ``JRR`` are
one). Accents stay: they are letters of the name; who types without them asks for
:func:`without_accents`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

import regex

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "\x00": None})
_POSSESSIVE = regex.compile(r"(?<=\w)'s\b|(?<=s)'(?=\s|$)")
_TOKEN = regex.compile(
    r"(?:(?<!\S)\.)?[\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{N}\p{M}]+)*(?:\+\+|\#)?"
    r"|\p{Emoji_Presentation}[\p{M}\u200d\p{Emoji}]*"
)
_PLAIN = re.compile(r"[A-Za-z0-9]{2,}+(?: [A-Za-z0-9]{2,}+)*+(?: [A-Za-z0-9])?")
"""Most names; nothing but their case has to change."""
_INITIALS = regex.compile(r"(?<!\S)\p{Ll}(?: \p{Ll})+(?!\S)")


SMALL_WORDS = frozenset("of the and for in on to a an de la du des del der und et y e".split())
"""What an acronym may pass over."""


class Name(NamedTuple):
    """A place in a document that names something.

    ``surface`` is ``document.text[start:end]``, or what a model wrote for it. ``type`` is
    ``PERSON``, ``ORG``, ``PLACE``, …; ``""`` when nothing in the text tells.
    """

    start: int
    end: int
    surface: str
    type: str = ""


@lru_cache(maxsize=1 << 16)
def name_key(surface: str) -> str:
    """Return the key of a name; ``""`` when nothing in it can name anything.

    >>> name_key("O’Brien’s"), name_key("C++"), name_key("  Lothair  II "), name_key(".NET")
    ("o'brien", 'c++', 'lothair ii', '.net')
    >>> name_key("J. R. R. Tolkien"), name_key("the U.S. Navy")
    ('jrr tolkien', 'the us navy')
    """
    if _PLAIN.fullmatch(surface):
        return surface.lower()
    text = unicodedata.normalize("NFKC", surface.translate(_APOSTROPHES)).casefold()
    key: str = _INITIALS.sub(_joined, " ".join(_TOKEN.findall(_POSSESSIVE.sub("", text))))
    return key


_ACCENTS = re.compile("[\u0300-\u036f]")
_PLAIN_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)


def without_accents(key: str) -> str:
    """Return a key in plain letters, as on a keyboard that has no others. Marks that are no accents
    (of Japanese, Thai, …) stay.

    >>> without_accents("stanisław bareja"), without_accents("ελένη"), without_accents("がく")
    ('stanislaw bareja', 'ελενη', 'がく')
    """
    if key.isascii():
        return key
    plain = _ACCENTS.sub("", unicodedata.normalize("NFD", key))
    return " ".join(unicodedata.normalize("NFC", plain).translate(_PLAIN_LETTERS).split())


def _joined(initials: regex.Match[str]) -> str:
    text: str = initials[0]
    return text.replace(" ", "")
