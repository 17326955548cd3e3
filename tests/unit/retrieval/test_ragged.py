"""Joins along links and group maxima, against plain loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from clew.retrieval.ragged import best_of_groups, join, positions, row_index, row_lengths, union
from clew.stores.base import Links

Rows = list[list[int]]
ROWS = st.lists(st.lists(st.integers(0, 50), max_size=5), max_size=8)


def _links(rows: Rows) -> Links:
    lengths = [len(row) for row in rows]
    return Links(
        indptr=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        targets=np.array([target for row in rows for target in row], dtype=np.int64),
        weights=np.ones(sum(lengths), dtype=np.float32),
    )


@given(rows=ROWS)
def test_every_target_knows_its_row(rows: Rows) -> None:
    links = _links(rows)
    assert row_lengths(links).tolist() == [len(row) for row in rows]
    assert row_index(links).tolist() == [at for at, row in enumerate(rows) for _ in row]


@given(rows=ROWS.filter(bool), data=st.data())
def test_join_meets_every_edge_of_every_row_asked_for(rows: Rows, data: st.DataObject) -> None:
    wanted = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=10))
    links = _links(rows)
    source, at = join(links, np.array(wanted, dtype=np.int64))
    met = [(int(place), int(links.targets[edge])) for place, edge in zip(source, at, strict=True)]
    assert met == [(place, target) for place, row in enumerate(wanted) for target in rows[row]]


@given(
    pairs=st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from([0.0, 0.25, 0.5, 1.0])), max_size=30
    )
)
def test_the_best_of_a_group_is_its_first_greatest(pairs: list[tuple[int, float]]) -> None:
    groups = np.array([group for group, _ in pairs], dtype=np.int64)
    values = np.array([value for _, value in pairs], dtype=np.float32)
    best, position = best_of_groups(values, groups, 7)
    for group in range(7):
        mine = [(value, -at) for at, (owner, value) in enumerate(pairs) if owner == group]
        assert (best[group], -position[group]) == (max(mine) if mine else (0.0, 1))


@given(numbers=st.sets(st.integers(0, 30)), wanted=st.lists(st.integers(0, 30)))
def test_positions_finds_what_is_there_and_nothing_else(
    numbers: set[int], wanted: list[int]
) -> None:
    ascending = sorted(numbers)
    found = positions(np.array(ascending, dtype=np.int64), np.array(wanted, dtype=np.int64))
    assert found.tolist() == [ascending.index(x) if x in numbers else -1 for x in wanted]


def test_union_is_sorted_without_repeats_and_takes_empty_arrays() -> None:
    one, none = np.array([5, 2, 2], dtype=np.int64), np.empty(0, dtype=np.int64)
    assert union(one, none, np.array([3])).tolist() == [2, 3, 5]
    assert union(none).tolist() == []
