"""Signs: one bit per coordinate of every vector, so that a search of very many reads a 32nd of them.

A sign says on which side of the layer's mean a coordinate lies. The question keeps three bits of
each of its coordinates, as three questions of signs that count 4, 2 and 1; the distance of a row is
then the weighted number of signs in which it differs from them, a few operations on whole words
(after RaBitQ; Gao and Long, SIGMOD 2024, without its rotation and its bound). The rows of least
distance are measured exactly afterwards (:mod:`clew.stores.sqlite.nearest`).

Signs are derived: a file beside the vectors, appended to by whoever writes, after the commit. What
it does not hold yet is searched exactly, so it may be behind, missing, or removed at any time. Its
head says how many rows are in it, and is written only when they are durable.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clew.stores.base import Scores
from clew.stores.files import named_errors

Words = NDArray[np.uint64]
Distances = NDArray[np.uint16]

SUFFIX = ".signs"
MOST_DIMENSIONS = 8192
"""The greatest distance must fit into 16 bits."""

MOST_SCANNED = 131_072
"""Layers of up to so many rows are scanned and have no signs."""

_MOST_UNSIGNED = 16_384
_MAGIC = b"clewsgn1"
_HEAD = struct.Struct("<8sIIQ")  # magic, dimensions, checksum of the mean, rows; then a checksum
_HEAD_BYTES = 64
_PLANES = 3
_STEP = 0.586  # of a standard deviation: the best for eight levels of a normal distribution
_WORDS_IN_A_BYTE = 3  # three counts of up to 64 do not overflow it
_BLOCK = 16_384
_MEAN_ROWS = 65_536


@dataclass(frozen=True, slots=True, eq=False)
class Signs:
    """The signs of the first ``rows`` vectors of a layer; ``bits`` is ``[rows, words]``."""

    bits: Words

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


def needs_signs(rows: int, signed: int) -> bool:
    """Whether so many rows have no signs that writing them is worth a commit's time."""
    return rows > MOST_SCANNED and rows - signed >= _MOST_UNSIGNED


def words_for(dimensions: int) -> int:
    return -(-dimensions // 64)


class SignFile:
    """The file of one layer. Reading takes what is whole; writing goes on behind it."""

    def __init__(self, path: Path, dimensions: int) -> None:
        self.path = path
        self._dimensions = dimensions
        self._row_bytes = 8 * words_for(dimensions)
        self._body = _HEAD_BYTES + 4 * dimensions

    def rows(self) -> int:
        """How many rows there are; 0 when there is no file, or none that is whole."""
        try:
            with self.path.open("rb") as file:
                head = self._head(file.read(self._body))
                size = os.fstat(file.fileno()).st_size
        except OSError:
            return 0
        if head is None or size < self._body + head[1] * self._row_bytes:
            return 0
        return head[1]

    def map(self, rows: int) -> Signs | None:
        """At most ``rows`` of them; None when there are none."""
        rows = min(rows, self.rows())
        if not rows:
            return None
        shape = (rows, words_for(self._dimensions))
        bits = np.memmap(self.path, np.uint64, mode="r", offset=self._body, shape=shape)
        return Signs(np.asarray(bits))

    def extend(self, parts: Sequence[Scores]) -> None:
        """Write the signs of all rows of ``parts``, the vectors of the layer, that are not there."""
        total = sum(map(len, parts))
        done = self.rows()
        with named_errors(self.path), self.path.open("r+b" if done else "w+b") as file:
            mean = self._mean(file.read(self._body)) if done else _mean(parts, total)
            file.seek(self._body + done * self._row_bytes)
            file.truncate()
            for block in _blocks(parts, done):
                file.write(_packed(block > mean, words_for(self._dimensions)).tobytes())
            file.flush()
            os.fsync(file.fileno())
            file.seek(0)
            file.write(self._new_head(mean, total))
            file.flush()
            os.fsync(file.fileno())

    def cut(self, rows: int) -> None:
        """Keep no more than the first ``rows``."""
        if self.rows() <= rows:
            return
        with named_errors(self.path), self.path.open("r+b") as file:
            mean = self._mean(file.read(self._body))
            file.seek(0)
            file.write(self._new_head(mean, rows))
            file.flush()
            os.fsync(file.fileno())

    def differing(self, parts: Sequence[Scores]) -> int:
        """How many rows have not the signs of their vectors."""
        signs = self.map(sum(map(len, parts)))
        if signs is None:
            return 0
        mean = self._mean(self.path.read_bytes()[: self._body])
        wrong, at = 0, 0
        for block in _blocks(parts, 0):
            there = signs.bits[at : at + len(block)]
            made = _packed(block[: len(there)] > mean, words_for(self._dimensions))
            wrong += int(np.count_nonzero((made != there).any(axis=1)))
            at += len(block)
        return wrong

    def _head(self, head: bytes) -> tuple[Scores, int] | None:
        """(mean, rows), or None for anything but a whole head."""
        if len(head) < self._body:
            return None
        magic, dimensions, checksum, rows = _HEAD.unpack_from(head)
        mean = head[_HEAD_BYTES : self._body]
        (own,) = struct.unpack_from("<I", head, _HEAD.size)
        good = (
            magic == _MAGIC
            and dimensions == self._dimensions
            and checksum == zlib.crc32(mean)
            and own == zlib.crc32(head[: _HEAD.size])
        )
        return (np.frombuffer(mean, "<f4"), rows) if good else None

    def _mean(self, head: bytes) -> Scores:
        found = self._head(head)
        assert found is not None, "rows() has read it a moment ago"
        return found[0]

    def _new_head(self, mean: Scores, rows: int) -> bytes:
        raw = mean.astype("<f4").tobytes()
        head = _HEAD.pack(_MAGIC, self._dimensions, zlib.crc32(raw), rows)
        return (head + struct.pack("<I", zlib.crc32(head))).ljust(_HEAD_BYTES, b"\0") + raw


def _mean(parts: Sequence[Scores], total: int) -> Scores:
    """That of rows from all over the layer: signs tell most where half of them are set."""
    every = max(total // _MEAN_ROWS, 1)
    sums = np.zeros(parts[0].shape[1], np.float64)
    rows = 0
    for part in parts:
        picked = part[::every]
        sums += picked.sum(axis=0, dtype=np.float64)
        rows += len(picked)
    mean: Scores = (sums / rows).astype(np.float32)
    return mean


def _blocks(parts: Sequence[Scores], done: int) -> list[Scores]:
    """The rows behind the first ``done``, some thousands at a time."""
    found, skipped = [], 0
    for part in parts:
        first = min(max(done - skipped, 0), len(part))
        found += [part[at : at + _BLOCK] for at in range(first, len(part), _BLOCK)]
        skipped += len(part)
    return found
