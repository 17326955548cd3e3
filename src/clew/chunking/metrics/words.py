"""All words of a text as arrays: where each begins, a number for each, and what counts as a token.

No loop in Python touches a character: a text of a megabyte takes about 30 ms. A word's number is a
hash of its lower-case characters, made from prefix sums of ``c·b^i`` modulo 2^64: the base is odd,
so it can be divided out, and every word costs one subtraction and one product, whatever its length.

Scripts written without spaces give overlapping pairs of characters as words, as in
:mod:`clew.text.words`. A token, for sizes, is a word, one character of such a script, or a run of
one symbol; so texts in any script have sizes. It stands in for the tokens of a model, of which
there are up to half as many again.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property, lru_cache

import numpy as np
import regex
from numpy.typing import NDArray

Ints = NDArray[np.int64]

_SPACE, _SYMBOL, _WORD, _UNSPACED = range(4)
_WORD_CATEGORIES = frozenset("LNM")
_UNSPACED_SCRIPT = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
)
_SLAB = 1 << 16
_USUAL = 0x2100
"""Below this the class of each character is known beforehand: alphabets and their punctuation."""

_BLANK = re.compile(r"\s")
_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 2**64)


class Words:
    """Parallel arrays over the words of a text, in order: where each begins, and its number."""

    def __init__(self, text: str, starts: Ints, numbers: NDArray[np.uint64]) -> None:
        self.starts = starts
        self.numbers = numbers
        self._text = text

    @classmethod
    def of(cls, text: str) -> Words:
        slabs = [_words_in(text[start:end]) for start, end in _slabs(text)]
        places = [start for start, _ in _slabs(text)]
        starts = [found + at for (found, _), at in zip(slabs, places, strict=True)]
        return cls(
            text,
            np.concatenate([np.zeros(0, np.int64), *starts]),
            np.concatenate([np.zeros(0, np.uint64), *(numbers for _, numbers in slabs)]),
        )

    @cached_property
    def token_starts(self) -> Ints:
        """Where tokens begin."""
        slabs = _slabs(self._text)
        starts = [_token_starts(self._text[start:end]) + start for start, end in slabs]
        return np.concatenate([np.zeros(0, np.int64), *starts])

    @cached_property
    def visible(self) -> Ints:
        """For each offset, how many characters before it are no white space."""
        found = np.zeros(len(self._text) + 1, np.int64)
        for start, end in _slabs(self._text):
            counts = found[start + 1 : end + 1]
            np.cumsum(_read(self._text[start:end])[1] != _SPACE, out=counts)
            counts += found[start]
        return found

    def tokens_in(self, starts: Ints, ends: Ints) -> Ints:
        """Return how many tokens begin in each span."""
        return np.searchsorted(self.token_starts, ends) - np.searchsorted(self.token_starts, starts)


def _slabs(text: str) -> Iterator[tuple[int, int]]:
    """Yield stretches that stay in the processor's cache and end before white space."""
    start = 0
    while start < len(text):
        blank = _BLANK.search(text, start + _SLAB)
        end = blank.start() if blank else len(text)
        yield start, end
        start = end


def _words_in(text: str) -> tuple[Ints, NDArray[np.uint64]]:
    codes, classes = _read(text)
    starts, ends = _word_spans(classes)
    return starts, _numbers(codes, starts, ends)


def _token_starts(text: str) -> Ints:
    codes, classes = _read(text)
    turns = _turns(classes)
    symbols = (classes == _SYMBOL) & ~turns
    symbols[1:] &= codes[1:] != codes[:-1]
    return np.flatnonzero((turns & (classes != _SPACE)) | (classes == _UNSPACED) | symbols)


def _read(text: str) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    """Return the characters of a text, and the class of each."""
    codes = np.frombuffer(_lowered(text).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return codes, _classes(codes)


def _turns(classes: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return at which characters the class changes."""
    return np.append(True, classes[1:] != classes[:-1])


def _lowered(text: str) -> str:
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def _classes(codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return the class of each character: of the usual ones known, of others looked up."""
    if not len(codes) or int(codes.max()) < _USUAL:
        return _usual_classes()[codes]
    present = np.flatnonzero(np.bincount(codes.astype(np.int64)))
    table = np.zeros(int(present[-1]) + 1, np.uint8)
    table[present] = [_class_of(chr(code)) for code in present.tolist()]
    return table[codes]


@lru_cache(maxsize=1)
def _usual_classes() -> NDArray[np.uint8]:
    classes = np.array([_class_of(chr(code)) for code in range(_USUAL)], np.uint8)
    classes.flags.writeable = False
    return classes


def _class_of(char: str) -> int:
    if char.isspace():
        return _SPACE
    if _UNSPACED_SCRIPT.match(char):
        return _UNSPACED
    is_word = char == "_" or unicodedata.category(char)[0] in _WORD_CATEGORIES
    return _WORD if is_word else _SYMBOL


def _word_spans(classes: NDArray[np.uint8]) -> tuple[Ints, Ints]:
    """Return words with spaces between them, and pairs of characters (a lone one is its own)."""
    edges = np.append(np.flatnonzero(_turns(classes)), len(classes))
    runs, run_ends = edges[:-1], edges[1:]
    kinds = classes[runs]
    is_word = kinds == _WORD
    starts, ends = runs[is_word], run_ends[is_word]
    unspaced = classes == _UNSPACED
    if not unspaced.any():
        return starts, ends
    pairs = np.flatnonzero(unspaced[:-1] & unspaced[1:])
    alone = runs[(kinds == _UNSPACED) & (run_ends - runs == 1)]
    starts = np.concatenate((starts, pairs, alone))
    order = np.argsort(starts, kind="stable")
    return starts[order], np.concatenate((ends, pairs + 2, alone + 1))[order]


def _numbers(codes: NDArray[np.uint32], starts: Ints, ends: Ints) -> NDArray[np.uint64]:
    length = len(codes)
    powers = _powers(length.bit_length())
    sums = np.zeros(length + 1, np.uint64)
    np.multiply(codes, powers[:length], out=sums[1:], dtype=np.uint64)
    np.cumsum(sums, out=sums)
    shift = np.uint64(pow(_INVERSE, length, 2**64))
    return _mixed((sums[ends] - sums[starts]) * powers[length - starts] * shift)


@lru_cache(maxsize=2)
def _powers(bits: int) -> NDArray[np.uint64]:
    """Return ``_BASE**i`` modulo 2^64 for i below ``2**bits``, by doubling."""
    powers = np.ones(1, np.uint64)
    for bit in range(bits):
        powers = np.append(powers, powers * np.uint64(pow(_BASE, 1 << bit, 2**64)))
    powers.flags.writeable = False
    return powers


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread what differs in high bits over all bits (the finaliser of splitmix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))
