"""How far a chunk reaches: size and overlap in characters, or by any counter of a text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Count = Callable[[str], int]


class Measure(Protocol):
    """The size of the chunks of one text."""

    def size_of(self, start: int, end: int) -> int: ...

    def fits(self, start: int, end: int) -> bool:
        """Whether ``text[start:end]`` is not too large for a chunk."""
        ...

    def reach(self, start: int) -> int:
        """Return the largest end at which ``text[start:end]`` is not too large for a chunk."""
        ...

    def back(self, end: int) -> int:
        """Return the smallest start at which ``text[start:end]`` is not too large to share."""
        ...


def measure_of(text: str, *, chunk_size: int, chunk_overlap: int, count: Count) -> Measure:
    if count is len:
        return CharacterMeasure(text, chunk_size, chunk_overlap)
    return CountMeasure(text, chunk_size, chunk_overlap, count)


class CharacterMeasure:
    def __init__(self, text: str, chunk_size: int, chunk_overlap: int) -> None:
        self._length = len(text)
        self._size = chunk_size
        self._overlap = chunk_overlap

    def size_of(self, start: int, end: int) -> int:
        return end - start

    def fits(self, start: int, end: int) -> bool:
        return end - start <= self._size

    def reach(self, start: int) -> int:
        return min(self._length, start + self._size)

    def back(self, end: int) -> int:
        return max(0, end - self._overlap)


class CountMeasure:
    """Sizes by a counter that need not add up, as those of tokenizers do not: a little more text
    may even count less, so whoever cuts before what was reached asks again whether that fits.

    It is asked about stretches close to one chunk long, so the cost is linear in the text: from a
    guess by the density seen last, the bracket widens until it holds the answer, then it is halved.
    """

    def __init__(self, text: str, chunk_size: int, chunk_overlap: int, count: Count) -> None:
        self._text = text
        self._size = chunk_size
        self._overlap = chunk_overlap
        self._count = count
        self._chars_per_unit = 1.0

    def size_of(self, start: int, end: int) -> int:
        return self._count(self._text[start:end])

    def fits(self, start: int, end: int) -> bool:
        return self._count(self._text[start:end]) <= self._size

    def reach(self, start: int) -> int:
        length = self._widest(
            lambda chars: self.fits(start, start + chars),
            most=len(self._text) - start,
            units=self._size,
        )
        self._chars_per_unit = max(1.0, length / self._size)
        return start + length

    def back(self, end: int) -> int:
        return end - self._widest(
            lambda chars: self._count(self._text[end - chars : end]) <= self._overlap,
            most=end,
            units=self._overlap,
        )

    def _widest(self, fits: Callable[[int], bool], *, most: int, units: int) -> int:
        """Return the largest length up to ``most`` that fits; 0 when none does."""
        guess = max(1, int(self._chars_per_unit * units))
        good, step = 0, guess
        while good < most and fits(min(most, good + step)):
            good = min(most, good + step)
            step = max(1, guess // 8) if good == guess else 2 * step
        bad = min(most + 1, good + step)
        while bad - good > 1:
            middle = (good + bad) // 2
            good, bad = (middle, bad) if fits(middle) else (good, middle)
        return good
