"""Where tokens begin in text without marks and joiners, all at once by arrays.

The same tokens as those of the pattern ``\\w{1,8}+|[^\\w\\s]``, several times as fast: a table says
what each character is, and a token begins with every symbol, every word, and every so many
characters inside a long word.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from clew.chunking.metrics.words import Ints

_BLANK, _SYMBOL, _WORD = range(3)
_LISTED = 0x2580
_TABLE_END = 0xD7A4


def plain_token_starts(text: str, longest: int, offset: int = 0) -> list[int]:
    """Return where each token of ``text`` begins, counted from ``offset``; a token holds at most
    ``longest`` characters of a word.

    >>> plain_token_starts("Norr Bridges, 1902", 4)
    [0, 5, 9, 12, 14]
    """
    classes = _classes()[_codes(text)]
    is_word = classes == _WORD
    edges = np.flatnonzero(np.diff(is_word, prepend=False, append=False))
    starts, lengths = edges[::2], edges[1::2] - edges[::2]
    begins = classes == _SYMBOL
    begins[starts] = True
    begins[_later_parts(starts, lengths, longest)] = True
    found: list[int] = (np.flatnonzero(begins) + offset).tolist()
    return found


def _later_parts(starts: Ints, lengths: Ints, longest: int) -> Ints:
    """Return where words of more than ``longest`` characters are parted."""
    more = (lengths - 1) // longest
    of = np.flatnonzero(more)
    counts = more[of]
    nth = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    found: Ints = np.repeat(starts[of], counts) + longest * (nth + 1)
    return found


def _codes(text: str) -> NDArray[np.uint8] | NDArray[np.uint32]:
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8)
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)


@lru_cache(maxsize=1)
def _classes() -> NDArray[np.uint8]:
    """Return what each character is that a plain text may have; the last are Hangul syllables."""
    found = np.full(_TABLE_END, _WORD, np.uint8)
    found[:_LISTED] = [_class_of(chr(code)) for code in range(_LISTED)]
    found.flags.writeable = False
    return found


def _class_of(char: str) -> int:
    if char.isspace():
        return _BLANK
    return _WORD if char.isalnum() or char == "_" else _SYMBOL
