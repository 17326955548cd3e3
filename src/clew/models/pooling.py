"""Late pooling: the vectors of a text and of spans inside it from one reading of its tokens.

Every token state knows the whole window it was read in, so the mean over the tokens of a sentence
is a sentence vector that knows its passage (Günther et al., "Late Chunking", arXiv 2409.04701).

A text that is longer than the model's window is read in overlapping windows of about equal length.
Each token is *owned* by one of them, the one where it stands farther from the edge, and counts
once; so cost is linear and memory is that of one window, however long the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

import numpy as np
from numpy.typing import NDArray

from clew.models.base import Span, Vectors


@dataclass(frozen=True, slots=True)
class Window:
    """Tokens ``start:end`` are read together; the states of ``owned_start:owned_end`` count."""

    start: int
    end: int
    owned_start: int
    owned_end: int


def windows(tokens: int, *, size: int, overlap: int) -> list[Window]:
    """Cut ``tokens`` into as few windows of at most ``size`` as overlap by ``overlap`` or more.

    >>> windows(10, size=8, overlap=4)
    [Window(start=0, end=7, owned_start=0, owned_end=5), \
Window(start=3, end=10, owned_start=5, owned_end=10)]
    """
    if tokens <= size:
        return [Window(0, tokens, 0, tokens)]
    count = ceil((tokens - overlap) / (size - overlap))
    length = ceil((tokens + (count - 1) * overlap) / count)
    starts = [number * (tokens - length) // (count - 1) for number in range(count)]
    seams = [(start + length + after) // 2 for start, after in pairwise(starts)]
    owned = [0, *seams, tokens]
    return [
        Window(start, start + length, owned[number], owned[number + 1])
        for number, start in enumerate(starts)
    ]


def token_ranges(spans: Sequence[Span], offsets: NDArray[np.int64]) -> list[Span]:
    """For each span of characters, the range of the tokens that share a character with it.

    ``offsets`` holds (start, end) per token, ascending. A span that holds no token has an empty
    range.
    """
    places = np.asarray(spans, np.int64).reshape(-1, 2)
    first = np.searchsorted(offsets[:, 1], places[:, 0], side="right")
    last = np.searchsorted(offsets[:, 0], places[:, 1], side="left")
    last = np.where(places[:, 0] < places[:, 1], np.maximum(first, last), first)
    return list(zip(first.tolist(), last.tolist(), strict=True))


class LatePooling:
    """Sums up token states, window by window."""

    def __init__(self, ranges: Sequence[Span], dimensions: int) -> None:
        self._ranges = ranges
        self._text = np.zeros(dimensions)
        self._spans = np.zeros((len(ranges), dimensions))

    def add(self, window: Window, states: Vectors) -> None:
        """Take the owned rows of ``states``, whose first row is that of token ``window.start``."""
        first, last = window.owned_start, window.owned_end
        self._text += self._sum(states, first - window.start, last - window.start)
        for row, (start, end) in enumerate(self._ranges):
            start, end = max(start, first), min(end, last)  # noqa: PLW2901 - cut to the window
            if start < end:
                self._spans[row] += self._sum(states, start - window.start, end - window.start)

    def add_marker(self, state: Vectors) -> None:
        """Take a token of the model's own, before or behind the text: no span holds it."""
        self._text += state

    def vectors(self) -> tuple[Vectors, Vectors]:
        """The vector of the text and those of the spans; a span without a token has the text's."""
        empty = [start == end for start, end in self._ranges]
        self._spans[empty] = self._text
        return _normalised(self._text), _normalised(self._spans)

    @staticmethod
    def _sum(states: Vectors, start: int, end: int) -> NDArray[np.float64]:
        total: NDArray[np.float64] = states[start:end].sum(axis=0, dtype=np.float64)
        return total


def _normalised(sums: NDArray[np.float64]) -> Vectors:
    """Bring to length 1: of a sum as well as of a mean."""
    lengths = np.linalg.norm(sums, axis=-1, keepdims=True)
    vectors: Vectors = (sums / lengths).astype(np.float32)
    return vectors
