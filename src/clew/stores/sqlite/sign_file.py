"""The file of a layer's signs: derived from the vectors beside it, appended to after commits.

What it does not hold yet is searched exactly, so it may be behind, missing, or removed at any time.
Its head says how many rows are in it, and is written only when they are durable.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import numpy as np

from clew.stores.base import Scores
from clew.stores.files import named_errors
from clew.stores.sqlite.signs import Signs, mean_of, signs_of, words_for

SUFFIX = ".signs"
MOST_SCANNED = 131_072
"""Layers of up to so many rows are scanned and have no signs."""

MOST_UNSIGNED = 16_384
"""So many rows at the end may be without signs, and are measured."""

_MAGIC = b"clewsgn1"
_HEAD = struct.Struct("<8sIIQ")  # magic, dimensions, checksum of the mean, rows
_SUM = struct.Struct("<I")  # checksum of what stands before it
_HEAD_BYTES = 64


def needs_signs(rows: int, signed: int) -> bool:
    """Whether so many rows have no signs that writing them is worth a commit's time."""
    return rows > MOST_SCANNED and rows - signed >= MOST_UNSIGNED


class SignFile:
    """Reading takes what is whole; writing goes on behind it."""

    def __init__(self, path: Path, dimensions: int) -> None:
        self.path = path
        self._dimensions = dimensions
        self._row_bytes = 8 * words_for(dimensions)
        self._body = _HEAD_BYTES + 4 * dimensions

    def rows(self) -> int:
        """How many rows there are; 0 when there is no file, or none that is whole."""
        head = self._read()
        return 0 if head is None else head[1]

    def bytes_for(self, rows: int) -> int:
        """How large the file of so many rows is."""
        return self._body + rows * self._row_bytes

    def map(self, rows: int) -> Signs | None:
        """At most ``rows`` of them; None when there are none."""
        head = self._read()
        if head is None or not min(rows, head[1]):
            return None
        shape = (min(rows, head[1]), words_for(self._dimensions))
        bits = np.memmap(self.path, np.uint64, mode="r", offset=self._body, shape=shape)
        return Signs(np.asarray(bits), head[0])

    def extend(self, parts: Sequence[Scores]) -> None:
        """Write the signs of all rows of ``parts``, the vectors of the layer, that are not there.

        A file that is not whole is replaced, and not written over: others may be reading it.
        """
        head = self._read()
        with named_errors(self.path):
            if head is not None:
                with self.path.open("r+b") as file:
                    self._append(file, parts, *head)
                return
            fresh = self.path.with_name(f"new-{self.path.name}")
            with fresh.open("w+b") as file:
                self._append(file, parts, mean_of(parts), 0)
            fresh.replace(self.path)

    def _append(self, file: IO[bytes], parts: Sequence[Scores], mean: Scores, done: int) -> None:
        file.seek(self.bytes_for(done))
        file.truncate()
        for words in signs_of(parts, mean, done):
            file.write(words.data.cast("B"))
        _sync(file)
        self._write_head(file, mean, sum(map(len, parts)))

    def cut(self, rows: int) -> None:
        """Keep no more than the first ``rows``."""
        head = self._read()
        if head is not None and head[1] > rows:
            with named_errors(self.path), self.path.open("r+b") as file:
                self._write_head(file, head[0], rows)

    def _read(self) -> tuple[Scores, int] | None:
        """(mean, rows) of a whole file, or None."""
        try:
            with self.path.open("rb") as file:
                head = file.read(self._body)
                size = os.fstat(file.fileno()).st_size
        except OSError:
            return None
        if len(head) < self._body:
            return None
        magic, dimensions, of_mean, rows = _HEAD.unpack_from(head)
        mean = head[_HEAD_BYTES:]
        whole = (
            magic == _MAGIC
            and dimensions == self._dimensions
            and of_mean == zlib.crc32(mean)
            and _SUM.unpack_from(head, _HEAD.size)[0] == zlib.crc32(head[: _HEAD.size])
            and size >= self.bytes_for(rows)
        )
        return (np.frombuffer(mean, "<f4"), rows) if whole else None

    def _write_head(self, file: IO[bytes], mean: Scores, rows: int) -> None:
        raw = mean.astype("<f4").tobytes()
        head = _HEAD.pack(_MAGIC, self._dimensions, zlib.crc32(raw), rows)
        file.seek(0)
        file.write((head + _SUM.pack(zlib.crc32(head))).ljust(_HEAD_BYTES, b"\0") + raw)
        _sync(file)


def _sync(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())
