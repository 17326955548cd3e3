"""Names as keys: what is the same name written twice, and what is not.

A key keeps the script and whatever tells names apart (``C++`` is not ``C``, ``.NET`` is not
``net``) and drops what does not: case, width, quotes, possessives, blanks, punctuation between
words. Accents stay: they are letters of the name.
"""

from __future__ import annotations

import unicodedata

import regex

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "\x00": None})
_POSSESSIVE = regex.compile(r"(?<=\w)'s\b|(?<=s)'(?=\s|$)")
_TOKEN = regex.compile(
    r"(?:(?<!\S)\.)?[\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{N}\p{M}]+)*(?:\+\+|\#)?"
    r"|\p{Emoji_Presentation}[\p{M}\u200d\p{Emoji}]*"
)


def name_key(surface: str) -> str:
    """Return the key of a name; ``""`` when nothing in it can name anything.

    >>> name_key("O’Brien’s"), name_key("C++"), name_key("  Lothair  II "), name_key(".NET")
    ("o'brien", 'c++', 'lothair ii', '.net')
    """
    text = unicodedata.normalize("NFKC", surface.translate(_APOSTROPHES)).casefold()
    return " ".join(_TOKEN.findall(_POSSESSIVE.sub("", text)))
