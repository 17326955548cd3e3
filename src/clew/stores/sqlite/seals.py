"""Checksums beside what is written: what comes back different was damaged on the way.

SQLite finds a broken tree of pages and no broken text or number: its pages carry no checksums. So
each record has a *seal*, the CRC-32 of its values as they are read, ids from other tables included;
blobs carry one inside (:mod:`clew.stores.sqlite.packing`); each vector has a sum among the arrays
of its segment. What is read is compared, and nothing else: opening and searching cost no more in a
large store.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from clew.errors import StoreCorruptError
from clew.stores.base import Numbers
from clew.stores.rows import Row

RESTORE: Final = "Restore it from a backup, or delete the folder and ingest again"
NO_SUM: Final = 0
"""Stands where the sum of a vector is not known: it was written before there were sums."""


class DamagedPartError(StoreCorruptError):
    """A part of ``main.db`` that does not match its checksum; whoever knows the path adds it."""


def seal(values: Sequence[Any]) -> int:
    """The checksum of texts, whole numbers, floats and None, as SQLite gives them back. One bit can
    make bytes of a text: they have a checksum too, and it is another.
    """
    return crc32(_to_json(values).encode("utf-8", "surrogatepass"))


_to_json: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=repr).encode


def unsealed(found: Iterable[Row], table: str, *, first: int = 0) -> Iterator[Row]:
    """Pass rows on whose last value is the seal of those from ``first`` on; raise
    :class:`DamagedPartError` for one that differs.
    """
    for row in found:
        if row[-1] != seal(row[first:-1]):
            raise DamagedPartError(f"the row {row[0]} of the table {table} is damaged")
        yield row


def sums_of(vectors: NDArray[np.float32]) -> Numbers:
    """One sum per vector: any single bit that flips changes it, and it costs a tenth of a scan."""
    rows, dimensions = vectors.shape
    plain = np.ascontiguousarray(vectors, "<f4")
    if not rows or not dimensions:
        return np.full(rows, 1, np.int64)
    words = plain.view("<u8" if dimensions % 2 == 0 else "<u4")
    wide = np.add.reduce(words, axis=1, dtype=np.uint64)
    # The two halves are folded with an odd factor, so that no half of a sum is lost.
    folded = ((wide >> np.uint64(32)) * np.uint64(0x9E3779B1) + wide).astype(np.uint32)
    folded[folded == NO_SUM] = 1
    sums: Numbers = folded.view(np.int32).astype(np.int64)
    return sums


def first_damaged(vectors: NDArray[np.float32], sums: Numbers) -> int | None:
    """The place of the first vector that has not its sum."""
    wrong = np.flatnonzero((sums_of(vectors) != sums) & (sums != NO_SUM))
    return int(wrong[0]) if len(wrong) else None
