"""Segments in ``main.db``: added by a commit, merged into larger ones, dropped when dead."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clew.stores.base import Layer, Numbers
from clew.stores.sqlite.packing import pack, unpack
from clew.stores.sqlite.postings import Postings, blocks_of, decode_block, merge_postings
from clew.stores.sqlite.seals import NO_SUM, DamagedPartError, seal
from clew.stores.sqlite.segments import Card, Segment, merge_segments, rows_after_merge
from clew.stores.sqlite.statements import statements

_SQL = statements("segments")
_FAN = 8
_SMALLEST_LEVEL = 64
_LAST_LEVEL = 4
_ALWAYS_REWRITTEN = 4096
MOST_RECORDS = 98_304
"""What a commit may rewrite at once: about a second's work. A store of a million units has a dozen
such segments.
"""

_DEAD_SHARE = 8
_SUMS = {"chunk_sums": "chunk_lengths", "unit_sums": "unit_lengths"}
"""Arrays that segments did not have from the start, and those that are as long."""
_DIRECTORY: dict[Layer, str] = {"chunk": "chunk_directory", "unit": "unit_directory"}
_COUNTS: dict[Layer, Card] = {"chunk": Card.CHUNKS, "unit": Card.UNITS}


@dataclass(frozen=True, slots=True)
class SegmentLine:
    """A line of ``segments``. ``records`` counts chunks and units."""

    number: int
    first_document: int
    last_document: int
    documents: int
    records: int

    @property
    def level(self) -> int:
        """Eight segments of one level make one of the next, two of the last a full one."""
        if self.records < _SMALLEST_LEVEL:
            return 0
        return min(int(log(self.records / _SMALLEST_LEVEL, _FAN)) + 1, _LAST_LEVEL)

    @property
    def is_full(self) -> bool:
        """Two such would make too large a segment."""
        return 2 * self.records > MOST_RECORDS


class SegmentTable:
    """Reads and writes segments on one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def lines(self) -> list[SegmentLine]:
        return [SegmentLine(*row) for row in self._connection.execute(_SQL["list"])]

    def dead(self) -> Numbers:
        found = self._connection.execute(_SQL["dead"]).fetchall()
        return np.array([number for (number,) in found], np.int64)

    def set_seal(self) -> None:
        """Seal the lists that say what belongs to this generation."""
        self._connection.execute(_SQL["set_seal"], (self._seal(),))

    def require_sealed(self) -> None:
        """Raise :class:`DamagedPartError` when one of those lists has changed since."""
        (given,) = self._connection.execute(_SQL["given_seal"]).fetchone()
        if given is not None and given != self._seal():
            raise DamagedPartError("the lists of segments, vector files and deletions are damaged")

    def _seal(self) -> int:
        lists = ("sealed_state", "list", "dead", "vector_files")
        return seal([self._connection.execute(_SQL[name]).fetchall() for name in lists])

    def load(self, number: int) -> Segment:
        blobs = dict(self._connection.execute(_SQL["arrays"], (number,)).fetchall())
        missing = set(Segment.array_names()) - set(blobs) - set(_SUMS)
        if missing:
            raise DamagedPartError(f"segment {number} lacks its array {min(missing)!r}")
        arrays: dict[str, Any] = {
            name: unpack(blobs[name]) for name in Segment.array_names() if name in blobs
        }
        for name, lengths in _SUMS.items():
            arrays.setdefault(name, np.full(len(arrays[lengths]), NO_SUM))
        for name in ("cards", "entities", "entity_starts"):  # searched and added to at every hop
            arrays[name] = arrays[name].astype(np.int64)
        arrays["cards"] = arrays["cards"].reshape(-1, len(Card))
        return Segment(**arrays)

    def places(self, number: int) -> Segment:
        """What says where the vectors of a segment are, and their sums. The other arrays are empty:
        they may be damaged.
        """
        arrays: dict[str, Any] = {
            name: np.empty(0, np.int64) for name in set(Segment.array_names()) - {"cards"}
        }
        for name in ("cards", *_SUMS):
            found = self._connection.execute(_SQL["array"], (number, name)).fetchone()
            if found is None:
                raise DamagedPartError(f"segment {number} lacks its array {name!r}")
            arrays[name] = unpack(found[0])
        arrays["cards"] = arrays["cards"].astype(np.int64).reshape(-1, len(Card))
        return Segment(**arrays)

    def living_cards(self) -> Numbers:
        """The cards of all living documents, without the rest of the segments."""
        dead, found = self.dead(), [np.empty((0, len(Card)), np.int64)]
        for (blob,) in self._connection.execute(_SQL["cards"]):
            cards = unpack(blob).astype(np.int64).reshape(-1, len(Card))
            found.append(cards[~np.isin(cards[:, Card.NUMBER], dead)])
        return np.concatenate(found)

    def postings(self, number: int, layer: Layer) -> Iterator[Postings]:
        """The blocks of a segment, in order of their terms."""
        for (blob,) in self._connection.execute(_SQL["all_terms"], (number, layer)):
            yield decode_block(blob)

    def add(self, segment: Segment, postings: dict[Layer, Postings]) -> int:
        numbers = segment.cards[:, Card.NUMBER]
        records = int(segment.cards[:, [Card.CHUNKS, Card.UNITS]].sum())
        cursor = self._connection.execute(
            _SQL["add"], (int(numbers[0]), int(numbers[-1]), len(numbers), records)
        )
        number = cursor.lastrowid
        assert number is not None
        self._connection.executemany(
            _SQL["add_array"],
            ((number, item.name, pack(getattr(segment, item.name))) for item in fields(segment)),
        )
        for layer, terms in postings.items():
            self._connection.executemany(
                _SQL["add_terms"],
                ((number, layer, first, blob) for first, blob in blocks_of(terms)),
            )
            self._add_array(number, _DIRECTORY[layer], _sum_of(self._directory(number, layer)))
        return number

    def directory(self, number: int, layer: Layer) -> list[tuple[str, int]]:
        """(first term, number) of each block, in order."""
        found = self._directory(number, layer)
        given = self._connection.execute(_SQL["array"], (number, _DIRECTORY[layer])).fetchone()
        if given is not None and not np.array_equal(unpack(given[0]), _sum_of(found)):
            raise DamagedPartError(f"the list of the terms of segment {number} is damaged")
        return found

    def _directory(self, number: int, layer: Layer) -> list[tuple[str, int]]:
        return self._connection.execute(_SQL["terms_directory"], (number, layer)).fetchall()

    def _add_array(self, number: int, name: str, values: NDArray[np.generic]) -> None:
        self._connection.execute(_SQL["add_array"], (number, name, pack(values)))

    def replace_vectors(
        self, number: int, cards: Numbers, sums: Mapping[Layer, NDArray[np.integer]]
    ) -> None:
        """Say anew where the vectors of a segment are."""
        arrays = {"cards": cards, "chunk_sums": sums["chunk"], "unit_sums": sums["unit"]}
        for name, values in arrays.items():
            self._connection.execute(_SQL["remove_array"], (number, name))
            self._add_array(number, name, values)

    def tidy(self) -> None:
        """Merge small neighbours, and rewrite segments in which much is dead."""
        dead = self.dead()
        for line in self.lines():
            gone = _count_between(dead, line.first_document, line.last_document)
            if gone and (gone * _DEAD_SHARE >= line.documents or line.records <= _ALWAYS_REWRITTEN):
                self.merge([line])
        while run := run_to_merge(self.lines()):
            self.merge(run)

    def compact(self) -> None:
        """Leave nothing dead, and no more segments than are needed."""
        dead = self.dead()
        for run in list(runs_to_compact(self.lines())):
            if len(run) > 1 or _count_between(dead, run[0].first_document, run[0].last_document):
                self.merge(run)

    def merge(self, lines: Sequence[SegmentLine]) -> None:
        """Put one segment of their living documents in the place of neighbours."""
        dead = self.dead()
        segments = [self.load(line.number) for line in lines]
        merged = merge_segments(segments, dead)
        if len(merged.cards):
            postings = {
                layer: merge_postings(
                    [self.postings(line.number, layer) for line in lines],
                    rows_after_merge(segments, dead, count),
                )
                for layer, count in _COUNTS.items()
            }
            self.add(merged, postings)
        for line in lines:
            self._remove(line.number)
        span = (lines[0].first_document, lines[-1].last_document)
        self._connection.execute(_SQL["forget_dead"], span)

    def _remove(self, number: int) -> None:
        for name in ("remove", "remove_arrays", "remove_terms"):
            self._connection.execute(_SQL[name], (number,))


def _sum_of(directory: Sequence[tuple[str, int]]) -> Numbers:
    """(length, checksum)"""
    return np.array([len(directory), seal([list(line) for line in directory])], np.int64)


def _count_between(numbers: Numbers, first: int, last: int) -> int:
    start, end = np.searchsorted(numbers, [first, last + 1])
    return int(end - start)


def run_to_merge(lines: Sequence[SegmentLine]) -> list[SegmentLine]:
    """The lines that are due: enough of one level at the end, with the smaller ones among them.
    What is full stays as it is, and no more are taken than make a full one.
    """
    run: list[SegmentLine] = []
    at = len(lines)
    for level in sorted({line.level for line in lines}):
        while at and lines[at - 1].level <= level and not lines[at - 1].is_full:
            at -= 1
            run.insert(0, lines[at])
        enough = _FAN if level < _LAST_LEVEL else 2
        if sum(line.level == level for line in run) >= enough:
            return next(runs_to_compact(run))
    return []


def runs_to_compact(lines: Sequence[SegmentLine]) -> Iterator[list[SegmentLine]]:
    """Cut neighbours into runs that make one segment each."""
    run: list[SegmentLine] = []
    for line in lines:
        if run and sum(item.records for item in run) + line.records > MOST_RECORDS:
            yield run
            run = []
        run.append(line)
    if run:
        yield run
