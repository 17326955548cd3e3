"""A vector for any stretch of a text, for the price of a subtraction.

Words are hashed into a few hundred signed dimensions (feature hashing: Weinberger et al., *Feature
Hashing for Large Scale Multitask Learning*, ICML 2009) and weighted by how few blocks of the same
text have them. For the stretches of a plan the words between any two of their borders are summed,
and prefix sums over those give every stretch. Where a border cuts a word, the word belongs to the
stretch in which it begins.

With an embedder, each block is embedded once, and a stretch is the mean of the blocks that it
touches, weighted by their words in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from clew.chunking.metrics.words import Ints, Words
from clew.chunking.row_sums import row_sums

Matrix = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Matrix]
"""Texts → one vector each, such as the ``embed`` of an embedder."""

DIMENSIONS = 128
_LONGEST_SLAB = 8192


class SpanVectors(Protocol):
    """Gives unit vectors of stretches of one text; zero for a stretch without words."""

    def of(self, starts: Ints, ends: Ints) -> Matrix: ...


class HashedVectors:
    """Tf-idf over the words of the text itself; no model, the same on every machine."""

    def __init__(self, words: Words, block_starts: Ints) -> None:
        self._starts = words.starts
        self._places = (words.numbers % np.uint64(DIMENSIONS)).astype(np.int64)
        signs = 1.0 - 2.0 * ((words.numbers >> np.uint64(40)) & np.uint64(1)).astype(np.float64)
        self._weights = signs * _rarity(words, block_starts)

    def of(self, starts: Ints, ends: Ints) -> Matrix:
        if not len(starts):
            return np.zeros((0, DIMENSIONS), np.float32)
        first, last = np.searchsorted(self._starts, starts), np.searchsorted(self._starts, ends)
        counts = last - first
        if counts.sum() <= 2 * (last.max() - first.min()):
            return _unit(self._sums(first, counts))
        edges = np.unique(np.concatenate((first, last)))
        sums = self._prefix_sums(edges)
        return _unit(sums[np.searchsorted(edges, last)] - sums[np.searchsorted(edges, first)])

    def _sums(self, first: Ints, counts: Ints) -> NDArray[np.float64]:
        """Sum the words of each stretch: cheaper than prefix sums where few stretches overlap."""
        cells = np.repeat(np.arange(len(first)) * DIMENSIONS, counts)
        words = _members(first, counts)
        sums = np.bincount(
            cells + self._places[words],
            weights=self._weights[words],
            minlength=len(first) * DIMENSIONS,
        )
        return np.asarray(sums, np.float64).reshape(-1, DIMENSIONS)

    def _prefix_sums(self, edges: Ints) -> NDArray[np.float64]:
        first, last = int(edges[0]), int(edges[-1])
        segments = np.repeat(np.arange(len(edges) - 1), np.diff(edges))
        cells = segments * DIMENSIONS + self._places[first:last]
        weights, cell_count = self._weights[first:last], (len(edges) - 1) * DIMENSIONS
        counts = np.bincount(cells, weights=weights, minlength=cell_count)
        return row_sums(np.asarray(counts, np.float64).reshape(-1, DIMENSIONS))


class PooledVectors:
    """Blocks embedded once; every stretch is a weighted mean of blocks."""

    def __init__(
        self, embed: Embed, words: Words, texts: Sequence[str], block_starts: Ints
    ) -> None:
        self._starts = block_starts
        self._words = words
        vectors = embed(texts) if texts else np.zeros((0, 1), np.float32)
        self._vectors = np.asarray(vectors, np.float32)
        sizes = np.diff(np.append(self._words_before(block_starts), len(words.starts)))
        self._sums = row_sums(self._vectors * sizes[:, None])

    def of(self, starts: Ints, ends: Ints) -> Matrix:
        return _unit(self._before(ends) - self._before(starts))

    def _before(self, offsets: Ints) -> NDArray[np.float64]:
        """Return the sum over all words before each offset."""
        blocks = np.searchsorted(self._starts, offsets, side="right") - 1
        inside = np.maximum(blocks, 0)
        part = self._words_before(offsets) - self._words_before(self._starts[inside])
        sums: NDArray[np.float64] = self._sums[inside]
        sums += self._vectors[inside] * np.maximum(part, 0)[:, None]
        return sums

    def _words_before(self, offsets: Ints) -> Ints:
        return np.searchsorted(self._words.starts, offsets)


def cosines(vectors: SpanVectors, spans: tuple[Ints, Ints], others: Matrix, of: Ints) -> Matrix:
    """Return the cosine of each span with the row of ``others`` that ``of`` names, a slab at a
    time: memory stays flat however long the text. Spans come in order of the text.
    """
    starts, ends = spans
    found = [np.zeros(0, np.float32)]
    for at in range(0, len(starts), _LONGEST_SLAB):
        slab = slice(at, at + _LONGEST_SLAB)
        own = vectors.of(starts[slab], ends[slab])
        found.append(np.einsum("ij,ij->i", own, others[of[slab]]))
    return np.concatenate(found)


def _rarity(words: Words, block_starts: Ints) -> NDArray[np.float64]:
    """Return for each word ``log((1 + blocks) / (1 + blocks that have it)) + 1``.

    Words are counted in buckets by their numbers: sorting is cheaper than telling all apart, and
    of ten thousand different words in a long text four in a hundred share a bucket.
    """
    bits = bucket_bits(len(words.starts))
    buckets = (words.numbers >> np.uint64(64 - bits)).astype(np.int64)
    width = len(block_starts) + 1
    blocks = np.searchsorted(block_starts, words.starts, side="right")
    pairs = np.sort(buckets * width + blocks)
    first = np.append(np.ones(min(len(pairs), 1), bool), pairs[1:] != pairs[:-1])
    having = np.bincount(pairs[first] // width, minlength=1 << bits)
    rarity: NDArray[np.float64] = np.log(width / (1 + having[buckets])) + 1
    return rarity


def _members(first: Ints, counts: Ints) -> Ints | slice:
    """Return the words of all stretches, one after another: where none are left out, a slice."""
    behind = first + counts
    if (first[1:] == behind[:-1]).all():
        return slice(int(first[0]), int(behind[-1]))
    members: Ints = np.arange(counts.sum()) + np.repeat(
        first - (np.cumsum(counts) - counts), counts
    )
    return members


def bucket_bits(words: int) -> int:
    """Return how many bits of its number say in which bucket a word of a text is counted."""
    return min(max(words.bit_length() + 4, 12), 18)


def _unit(rows: NDArray[np.float64]) -> Matrix:
    """Return the rows at length 1; they are overwritten."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    lengths[lengths < 1e-9] = np.inf
    rows /= lengths[:, None]
    return rows.astype(np.float32)
