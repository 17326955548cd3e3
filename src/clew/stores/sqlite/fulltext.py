"""Finding the postings of terms in all segments of a generation."""

from __future__ import annotations

import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np

from clew.stores.base import Layer
from clew.stores.scoring import TermPostings
from clew.stores.sqlite.arrays import Directory, GenerationArrays, LoadedSegment
from clew.stores.sqlite.documents import as_json
from clew.stores.sqlite.postings import Postings, decode_block
from clew.stores.sqlite.seals import DamagedPartError
from clew.stores.sqlite.segment_table import SegmentTable
from clew.stores.sqlite.statements import statements

_SQL = statements("segments")


def find_postings(
    connection: sqlite3.Connection, arrays: GenerationArrays, layer: Layer, terms: Sequence[str]
) -> list[TermPostings]:
    """The living rows of each term, ascending, in the order of ``terms``."""
    row_maps = arrays.layer(layer).row_maps
    found: list[list[TermPostings]] = [[] for _ in terms]
    for loaded, row_map in zip(arrays.loaded, row_maps, strict=True):
        for place, part in _in_segment(connection, loaded, layer, terms):
            rows = row_map[part.rows]
            alive = rows >= 0
            found[place].append(TermPostings(rows[alive], part.counts[alive]))
    return [_joined(parts) for parts in found]


def _in_segment(
    connection: sqlite3.Connection, loaded: LoadedSegment, layer: Layer, terms: Sequence[str]
) -> list[tuple[int, TermPostings]]:
    first_terms, numbers = _directory(connection, loaded, layer)
    wanted: dict[int, list[int]] = {}
    places: dict[int, int] = {}
    for place, term in enumerate(terms):
        at = bisect_right(first_terms, term) - 1
        if at >= 0:
            wanted.setdefault(numbers[at], []).append(place)
            places[numbers[at]] = at
    parts = []
    found = connection.execute(_SQL["terms"], (as_json(wanted),)).fetchall()
    if len(found) != len(wanted):
        raise DamagedPartError("a block of the full-text index is missing")
    for number, blob in found:
        block = decode_block(blob)
        if block.terms[0] != first_terms[places[number]]:
            raise DamagedPartError("a block of the full-text index stands in the place of another")
        for place in wanted[number]:
            part = _of_term(block, terms[place])
            if part is not None:
                parts.append((place, part))
    return parts


def _directory(connection: sqlite3.Connection, loaded: LoadedSegment, layer: Layer) -> Directory:
    found = loaded.directories.get(layer)
    if found is None:
        rows = SegmentTable(connection).directory(loaded.number, layer)
        found = [term for term, _ in rows], [number for _, number in rows]
        loaded.directories[layer] = found
    return found


def _of_term(block: Postings, term: str) -> TermPostings | None:
    at = bisect_left(block.terms, term)
    if at == len(block.terms) or block.terms[at] != term:
        return None
    start, end = block.indptr[at], block.indptr[at + 1]
    return TermPostings(
        block.rows[start:end].astype(np.int64), block.counts[start:end].astype(np.int64)
    )


def _joined(parts: Sequence[TermPostings]) -> TermPostings:
    if not parts:
        return TermPostings(np.empty(0, np.int64), np.empty(0, np.int64))
    return TermPostings(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.counts for part in parts]),
    )
