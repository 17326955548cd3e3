"""Postings: which rows of a segment hold a term, and how often.

Terms in alphabetical order are cut into blocks; a block is one blob in ``segment_terms``, found by
its first term. Chosen over FTS5 because a query may have many common terms: reading arrays and
scoring them at once costs a tenth of FTS5's row-by-row ``bm25()`` (docs: decisions), and the rows
need not pass through Python to be filtered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from clew.stores.base import Numbers
from clew.stores.links import offsets
from clew.stores.sqlite.seals import DamagedPartError

_MOST_TERMS = 128
_MOST_POSTINGS = 4096
_HEADER = np.dtype("<u4")
_SEPARATOR = "\n"
_NARROW, _SEALED = 1, 2
"""Flags of a block: counts of one byte; a CRC-32 at its end (older blocks have none)."""


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """The rows of ``terms[i]`` are ``rows[indptr[i]:indptr[i + 1]]``, ascending."""

    terms: Sequence[str]
    indptr: Numbers
    rows: NDArray[np.integer]
    counts: NDArray[np.integer]


def count_terms(records: Sequence[Sequence[str]]) -> tuple[Postings, Numbers]:
    """Return the postings of records given as lists of terms, and the length of each record."""
    lengths = np.array([len(terms) for terms in records], np.int64)
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    found = np.fromiter(map(numbers.__getitem__, chain.from_iterable(records)), np.int64)
    terms = sorted(numbers)
    ranks = np.empty(len(terms), np.int64)
    ranks[[numbers[term] for term in terms]] = np.arange(len(terms))
    width = max(len(records), 1)
    keys = ranks[found] * width + np.repeat(np.arange(len(records)), lengths)
    pairs, counts = np.unique(keys, return_counts=True)
    sizes = np.bincount(pairs // width, minlength=len(terms))
    return Postings(terms, offsets(sizes), pairs % width, counts), lengths


def merge_postings(
    parts: Sequence[Iterable[Postings]], row_maps: Sequence[NDArray[np.int64]]
) -> Postings:
    """Merge the blocks of several segments; ``row_maps`` leads old rows to new ones (-1: gone)."""
    blocks = [(block, rows) for part, rows in zip(parts, row_maps, strict=True) for block in part]
    terms = sorted({term for block, _ in blocks for term in block.terms})
    ranks = {term: rank for rank, term in enumerate(terms)}
    keys, rows, counts = [], [], []
    for block, row_map in blocks:
        sizes = np.diff(block.indptr)
        keys.append(np.repeat(np.array([ranks[term] for term in block.terms], np.int64), sizes))
        rows.append(row_map[block.rows])
        counts.append(block.counts)
    return _sorted(terms, _joined(keys), _joined(rows), _joined(counts))


def _joined(parts: Sequence[NDArray[np.integer]]) -> Numbers:
    return np.concatenate(parts).astype(np.int64) if parts else np.empty(0, np.int64)


def _sorted(terms: list[str], keys: Numbers, rows: Numbers, counts: Numbers) -> Postings:
    """Order by term, then row, without the rows that are gone and the terms that only they had."""
    alive = rows >= 0
    keys, rows, counts = keys[alive], rows[alive], counts[alive]
    order = np.argsort(keys, kind="stable")
    sizes = np.bincount(keys, minlength=len(terms))
    kept = np.flatnonzero(sizes)
    return Postings(
        [terms[rank] for rank in kept.tolist()], offsets(sizes[kept]), rows[order], counts[order]
    )


def blocks_of(postings: Postings) -> Iterator[tuple[str, bytes]]:
    """Cut into (first term, blob); common terms stand alone."""
    starts = postings.indptr.tolist()
    first = 0
    for at in range(1, len(postings.terms) + 1):
        full = at - first == _MOST_TERMS or starts[at] - starts[first] >= _MOST_POSTINGS
        if full or at == len(postings.terms):
            yield postings.terms[first], _encode(postings, first, at)
            first = at


def _encode(postings: Postings, first: int, last: int) -> bytes:
    start, end = postings.indptr[first], postings.indptr[last]
    counts = postings.counts[start:end]
    narrow = not len(counts) or int(counts.max()) < 1 << 8
    words = _SEPARATOR.join(postings.terms[first:last]).encode()
    flags = _SEALED | (_NARROW if narrow else 0)
    header = np.array([last - first, len(words), end - start, flags], _HEADER)
    block = b"".join(
        (
            header.tobytes(),
            (postings.indptr[first : last + 1] - start).astype("<u4").tobytes(),
            postings.rows[start:end].astype("<u4").tobytes(),
            counts.astype("<u1" if narrow else "<u4").tobytes(),
            words,
        )
    )
    return block + crc32(block).to_bytes(4, "little")


def decode_block(blob: bytes) -> Postings:
    """Raises :class:`DamagedPartError`."""
    if len(blob) < 4 * _HEADER.itemsize:
        raise DamagedPartError("a block of the full-text index is damaged")
    terms, width, postings, flags = np.frombuffer(blob, _HEADER, 4).tolist()
    narrow = flags & _NARROW
    if flags & _SEALED:
        blob, given = blob[:-4], blob[-4:]
        if crc32(blob).to_bytes(4, "little") != given:
            raise DamagedPartError("a block of the full-text index does not match its checksum")
    at = 4 * _HEADER.itemsize
    end_of_rows = at + 4 * (terms + 1) + 4 * postings
    end_of_counts = end_of_rows + postings * (1 if narrow else 4)
    if end_of_counts + width != len(blob):
        raise DamagedPartError("a block of the full-text index is damaged")
    return Postings(
        blob[end_of_counts:].decode().split(_SEPARATOR),
        np.frombuffer(blob, "<u4", terms + 1, at).astype(np.int64),
        np.frombuffer(blob, "<u4", postings, at + 4 * (terms + 1)),
        np.frombuffer(blob, "<u1" if narrow else "<u4", postings, end_of_rows),
    )
