from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from clew.stores.links import Adjacency, first, from_lists, keep, offsets, ranges

_PAIRS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from([0.25, 0.5, 1.0])), max_size=60
)


@given(pairs=_PAIRS, asked=st.lists(st.integers(-1, 11), max_size=12))
def test_links_are_those_of_the_pairs(
    pairs: list[tuple[int, int, float]], asked: list[int]
) -> None:
    columns = np.array(pairs, np.float64).reshape(-1, 3)
    adjacency = Adjacency.from_pairs(
        columns[:, 0].astype(np.int64),
        columns[:, 1].astype(np.int64),
        columns[:, 2].astype(np.float32),
    )
    links = adjacency.of(np.array(asked, np.int64))
    assert len(links.indptr) == len(asked) + 1
    for row, source in enumerate(asked):
        start, end = links.indptr[row], links.indptr[row + 1]
        found = dict(
            zip(links.targets[start:end].tolist(), links.weights[start:end].tolist(), strict=True)
        )
        expected: dict[int, float] = {}
        for one, target, weight in sorted(pairs):
            if one == source:
                expected[target] = max(weight, expected.get(target, 0.0))
        assert found == expected
        assert list(found) == sorted(found)


@given(counts=st.lists(st.integers(0, 5), max_size=10), gap=st.integers(0, 3))
def test_ranges_concatenate(counts: list[int], gap: int) -> None:
    starts = [10 * at + gap for at in range(len(counts))]
    expected = [
        start + step for start, count in zip(starts, counts, strict=True) for step in range(count)
    ]
    assert ranges(np.array(starts, np.int64), np.array(counts, np.int64)).tolist() == expected
    assert offsets(np.array(counts, np.int64)).tolist() == [
        sum(counts[:at]) for at in range(len(counts) + 1)
    ]


def test_targets_can_be_dropped_and_limited() -> None:
    links = from_lists([[3, 1, 3], [], [5, 4]])
    assert links.targets.tolist() == [1, 3, 4, 5]
    few = keep(links, np.array([False, True, True, True]))
    assert (few.indptr.tolist(), few.targets.tolist()) == ([0, 1, 1, 3], [3, 4, 5])
    limited = first(links, 1)
    assert (limited.indptr.tolist(), limited.targets.tolist()) == ([0, 1, 1, 2], [1, 4])
    assert first(links, 0).targets.tolist() == []
