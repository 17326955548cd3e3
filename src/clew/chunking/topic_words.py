"""The words by which topics are compared: those of four letters or more, in small letters."""

from __future__ import annotations

import re

_SHORTEST = 4
_WORD = re.compile(rf"\w{{{_SHORTEST},}}")
_ANY_WORD = re.compile(r"\w{2,}")
_FIRST_UNSPACED = "\u0e00"
_UNSPACED = re.compile(rf"[{_FIRST_UNSPACED}-\u1fff\u2070-\U0010ffff]")
"""What may begin a word of a script without spaces; what is left out is punctuation."""

_BLANKED = "".join(
    chr(code) if chr(code).isalnum() or code == ord("_") else " " for code in range(128)
)
"""ASCII with a blank for all that is no part of a word: to split at blanks is quicker."""


def topic_words(text: str) -> list[str]:
    """Return the words of a text, in order; of scripts without spaces, pairs of characters.

    >>> topic_words("The old Norr Bridge"), topic_words("食べ物")
    (['norr', 'bridge'], ['食べ', 'べ物'])
    """
    lowered = text.lower()
    if lowered.isascii():
        return [word for word in lowered.translate(_BLANKED).split() if len(word) >= _SHORTEST]
    if not _UNSPACED.search(lowered):
        return _WORD.findall(lowered)
    return [part for word in _ANY_WORD.findall(lowered) for part in _parts(word)]


def _parts(word: str) -> list[str]:
    if word[0] < _FIRST_UNSPACED:
        return [word] if len(word) >= _SHORTEST else []
    return [word[at : at + 2] for at in range(len(word) - 1)]
