"""Signs: one bit per coordinate of every vector, so that a search of very many reads a 32nd.

A sign says on which side of the layer's mean a coordinate lies. The question keeps three bits of
each of its coordinates, as three rows of signs that count 4, 2 and 1; the distance of a vector is
then the weighted number of signs in which it differs from them, a few operations on whole words
(after RaBitQ; Gao and Long, SIGMOD 2024, without its rotation and its bound). The vectors of least
distance are measured exactly afterwards (:mod:`clew.stores.sqlite.nearest`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clew.stores.base import Scores

Words = NDArray[np.uint64]
Distances = NDArray[np.uint16]

MOST_DIMENSIONS = 8192
"""The greatest distance must fit into 16 bits."""

_STEP = 0.586  # of a standard deviation: the best for eight levels of a normal distribution
_WORDS_IN_A_BYTE = 3  # three counts of up to 64 do not overflow it
_BLOCK = 16_384
_MEAN_ROWS = 65_536


@dataclass(frozen=True, slots=True, eq=False)
class Signs:
    """The signs of the first ``len(bits)`` vectors of a layer. ``bits`` is ``[rows, words]``,
    ``mean`` what the vectors were compared with.
    """

    bits: Words
    mean: Scores

    @property
    def rows(self) -> int:
        return len(self.bits)

    def distances(self, query: Scores) -> Distances:
        """How far each row seems to be from ``query``: only the order means something."""
        planes = _planes(query, self.bits.shape[1])
        found = np.zeros(len(self.bits), np.uint16)
        block = _Block(self.bits.shape[1])
        for start in range(0, len(found), _BLOCK):
            block.add(self.bits[start : start + _BLOCK], planes, found[start : start + _BLOCK])
        return found

    def differing(self, parts: Sequence[Scores]) -> int:
        """How many rows have not the signs of their vectors."""
        wrong, at = 0, 0
        for made in signs_of(parts, self.mean, 0):
            there = self.bits[at : at + len(made)]
            wrong += int(np.count_nonzero((made[: len(there)] != there).any(axis=1)))
            at += len(made)
        return wrong


class _Block:
    """Room for the words of some rows, column by column: they stay in the cache."""

    def __init__(self, words: int) -> None:
        self._columns = np.empty((words, _BLOCK), np.uint64)
        self._differing = np.empty(_BLOCK, np.uint64)
        self._counts = np.empty(_BLOCK, np.uint8)
        self._sums = np.empty(_BLOCK, np.uint8)

    def add(self, bits: Words, planes: Words, found: Distances) -> None:
        count = len(bits)
        columns, differing = self._columns[:, :count], self._differing[:count]
        counts, sums = self._counts[:count], self._sums[:count]
        columns[:] = bits.T
        for plane in planes:
            np.left_shift(found, 1, out=found)
            for first in range(0, len(columns), _WORDS_IN_A_BYTE):
                sums[:] = 0
                for word in range(first, min(first + _WORDS_IN_A_BYTE, len(columns))):
                    np.bitwise_xor(columns[word], plane[word], out=differing)
                    np.bitwise_count(differing, out=counts)
                    np.add(sums, counts, out=sums)
                np.add(found, sums, out=found)


def words_for(dimensions: int) -> int:
    """Whole words that hold one bit a dimension."""
    return -(-dimensions // 64)


def mean_of(parts: Sequence[Scores]) -> Scores:
    """That of rows from all over a layer: signs tell most where half of them are set."""
    every = max(sum(map(len, parts)) // _MEAN_ROWS, 1)
    picked = [part[::every] for part in parts]
    sums = sum(rows.sum(axis=0, dtype=np.float64) for rows in picked)
    mean: Scores = np.asarray(sums / sum(map(len, picked)), np.float32)
    return mean


def signs_of(parts: Sequence[Scores], mean: Scores, done: int) -> Iterator[Words]:
    """The signs of the rows behind the first ``done``, some thousands at a time."""
    skipped = 0
    for part in parts:
        for at in range(min(max(done - skipped, 0), len(part)), len(part), _BLOCK):
            yield _packed(part[at : at + _BLOCK] > mean, words_for(len(mean)))
        skipped += len(part)


def _planes(query: Scores, words: int) -> Words:
    """Three rows of signs, the weightiest first: eight levels for each coordinate."""
    step = max(_STEP * float(query.std()), 1e-12)
    levels = np.clip(np.floor(query / step) + 4, 0, 7).astype(np.uint8)
    return np.stack([_packed((levels >> plane & 1)[None, :], words)[0] for plane in (2, 1, 0)])


def _packed(flags: NDArray[np.bool_] | NDArray[np.uint8], words: int) -> Words:
    """One row of whole words per row of flags."""
    packed = np.zeros((len(flags), 8 * words), np.uint8)
    few = np.packbits(flags, axis=1)
    packed[:, : few.shape[1]] = few
    return packed.view(np.uint64)
