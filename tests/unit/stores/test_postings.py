from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.errors import StoreCorruptError
from clew.stores.sqlite.packing import pack, unpack
from clew.stores.sqlite.postings import (
    Postings,
    blocks_of,
    count_terms,
    decode_block,
    merge_postings,
)

_RECORDS = st.lists(
    st.lists(st.sampled_from(["a", "b", "c++", "食べ", "é", "zz"]), max_size=8), max_size=12
)


def _plain(parts: list[Postings]) -> dict[str, dict[int, int]]:
    found: dict[str, dict[int, int]] = {}
    for part in parts:
        for at, term in enumerate(part.terms):
            start, end = part.indptr[at], part.indptr[at + 1]
            rows, counts = part.rows[start:end].tolist(), part.counts[start:end].tolist()
            assert rows == sorted(rows)
            found[term] = dict(zip(rows, counts, strict=True))
    return found


def _expected(records: list[list[str]]) -> dict[str, dict[int, int]]:
    found: dict[str, dict[int, int]] = {}
    for row, terms in enumerate(records):
        for term, count in Counter(terms).items():
            found.setdefault(term, {})[row] = count
    return found


def _round_trip(postings: Postings) -> list[Postings]:
    blocks = list(blocks_of(postings))
    assert [first for first, _ in blocks] == sorted(first for first, _ in blocks)
    return [decode_block(blob) for _, blob in blocks]


@given(records=_RECORDS)
def test_blocks_give_the_counts_back(records: list[list[str]]) -> None:
    postings, lengths = count_terms(records)
    assert lengths.tolist() == [len(terms) for terms in records]
    assert _plain(_round_trip(postings)) == _expected(records)


@given(first=_RECORDS, second=_RECORDS, dead=st.sets(st.integers(0, 23)))
def test_merging_is_counting_what_is_left(
    first: list[list[str]], second: list[list[str]], dead: set[int]
) -> None:
    everything = [*first, *second]
    alive = [row not in dead for row in range(len(everything))]
    places = np.where(alive, np.cumsum(alive) - 1, -1).astype(np.int64)
    merged = merge_postings(
        [_round_trip(count_terms(first)[0]), _round_trip(count_terms(second)[0])],
        [places[: len(first)], places[len(first) :]],
    )
    left = [terms for terms, lives in zip(everything, alive, strict=True) if lives]
    assert _plain(_round_trip(merged)) == _expected(left)


@settings(max_examples=20)
@given(size=st.integers(1, 700))
def test_many_terms_take_many_blocks(size: int) -> None:
    records = [[f"t{number}" for number in range(size)], ["t1"] * 300]
    assert _plain(_round_trip(count_terms(records)[0])) == _expected(records)


def test_damaged_blocks_are_named() -> None:
    ((_, blob),) = blocks_of(count_terms([["a", "b"]])[0])
    for damaged in (b"", blob[:10], blob[:-1], blob + b"x"):
        with pytest.raises(StoreCorruptError):
            decode_block(damaged)


@pytest.mark.parametrize(
    "values",
    [[], [0, 255], [0, 256], [-1], [1 << 31], [-(1 << 40), 1 << 40], [0.5, -1.25]],
)
def test_packed_arrays_come_back(values: list[float]) -> None:
    array = np.array(values) if values else np.empty(0, np.int64)
    blob = pack(array)
    assert unpack(blob).tolist() == values
    for damaged in (b"", b"<x9     " + blob[8:], blob[:3]):
        with pytest.raises(StoreCorruptError):
            unpack(damaged)
