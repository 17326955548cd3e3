"""Merging segments gives what one commit of the living documents would have made."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from clew.records import IndexedDocument
from clew.stores.base import Numbers
from clew.stores.numbering import Counters, Numbered, number_document
from clew.stores.sqlite.segment_table import (
    MOST_RECORDS,
    SegmentLine,
    run_to_merge,
    runs_to_compact,
)
from clew.stores.sqlite.segments import (
    Card,
    Segment,
    make_segment,
    merge_segments,
    rows_after_merge,
)
from clew.testing.made_documents import made_documents
from clew.testing.written_documents import written_document


def _numbered(documents: list[IndexedDocument]) -> list[Numbered]:
    counters = Counters()
    entities: dict[str, int] = {}
    for indexed in documents:
        for entity in indexed.entities:
            entities.setdefault(entity.id, len(entities))
    return [number_document(indexed, counters, entities) for indexed in documents]


def _segment(documents: list[Numbered]) -> Segment:
    """Lengths stand in for the number of each record, so that they can be followed."""
    chunks = [item.first_chunk + at for item in documents for at in range(len(item.indexed.chunks))]
    units = [item.first_unit + at for item in documents for at in range(len(item.indexed.units))]
    return make_segment(documents, np.array(chunks, np.int64), np.array(units, np.int64), None)


@pytest.mark.parametrize("seed", range(6))
def test_merging_equals_making(seed: int) -> None:
    random = Random(seed)
    documents = made_documents(20, seed=seed)
    documents.insert(5, written_document("empty", []))
    numbered = _numbered(documents)
    dead = np.array(sorted(random.sample(range(21), seed * 3)), np.int64)
    cuts = [0, *sorted(random.sample(range(1, 20), 3)), 21]
    parts = [_segment(numbered[start:end]) for start, end in pairwise(cuts)]
    merged = merge_segments(parts, dead)
    expected = _segment([item for item in numbered if item.number not in dead])
    for item in fields(Segment):
        one, other = getattr(merged, item.name), getattr(expected, item.name)
        assert np.array_equal(one, other), item.name
    _assert_rows(parts, dead, merged)


def _assert_rows(parts: list[Segment], dead: Numbers, merged: Segment) -> None:
    for count, lengths in ((Card.CHUNKS, "chunk_lengths"), (Card.UNITS, "unit_lengths")):
        maps = rows_after_merge(parts, dead, count)
        for part, rows in zip(parts, maps, strict=True):
            alive = rows >= 0
            moved = getattr(merged, lengths)[rows[alive]]
            assert np.array_equal(moved, getattr(part, lengths)[alive])


def _line(number: int, records: int) -> SegmentLine:
    return SegmentLine(number, number, number, 1, records)


def test_small_segments_are_merged_when_there_are_enough() -> None:
    few = [_line(at, 50) for at in range(7)]
    assert run_to_merge(few) == []
    assert run_to_merge([*few, _line(7, 50)]) == [*few, _line(7, 50)]
    large = _line(0, 1_000_000)
    assert run_to_merge([large, *(_line(at, 50) for at in range(1, 9))])[0].number == 1
    assert run_to_merge([]) == []


def test_the_number_of_segments_grows_slowly() -> None:
    lines: list[SegmentLine] = []
    copied = 0
    for number in range(3000):
        lines.append(_line(number, 50))
        while run := run_to_merge(lines):
            copied += sum(line.records for line in run)
            lines = [*lines[: -len(run)], _line(run[0].number, sum(line.records for line in run))]
    assert len(lines) <= 7 * 5
    assert copied <= 5 * 3000 * 50, "each record is copied a few times"


def test_no_merge_makes_a_segment_too_large() -> None:
    lines: list[SegmentLine] = []
    largest = 0
    for number in range(4000):
        lines.append(_line(number, 1000))
        while run := run_to_merge(lines):
            largest = max(largest, sum(line.records for line in run))
            at = lines.index(run[0])
            lines[at : at + len(run)] = [
                _line(run[0].number, sum(line.records for line in run)),
            ]
    assert largest <= MOST_RECORDS
    assert len(lines) <= 4_000_000 // (MOST_RECORDS // 2) + 7 * 4
    full = [line for line in lines if line.is_full]
    assert len(full) >= 4_000_000 // MOST_RECORDS


def test_compacting_joins_neighbours_until_they_are_full() -> None:
    sizes = [MOST_RECORDS, 10, 20, MOST_RECORDS - 30, 5, 2 * MOST_RECORDS, 1]
    lines = [_line(at, size) for at, size in enumerate(sizes)]
    runs = [[line.number for line in run] for run in runs_to_compact(lines)]
    assert runs == [[0], [1, 2, 3], [4], [5], [6]]
    assert list(runs_to_compact([])) == []
