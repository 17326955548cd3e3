from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.stores.scoring import LEAST_IDF, TermPostings, best, bm25, bm25_of_holders, idf


def test_idf_of_a_common_term_is_floored() -> None:
    assert idf(10, 2) == pytest.approx(log(8.5 / 2.5))
    assert idf(10, 9) == LEAST_IDF
    assert idf(0, 0) == LEAST_IDF


def test_bm25_by_hand() -> None:
    lengths = np.array([4, 2, 6])
    posting = TermPostings(np.array([0, 2]), np.array([1, 3]))
    scores = bm25([posting], lengths, 10, 40)
    rare = log(8.5 / 2.5)
    assert scores[0] == pytest.approx(rare * 2.2 / (1 + 1.2))
    assert scores[2] == pytest.approx(rare * 3 * 2.2 / (3 + 1.2 * (0.25 + 0.75 * 1.5)))
    assert scores[1] == 0


def test_nothing_to_score() -> None:
    nothing = TermPostings(np.empty(0, np.int64), np.empty(0, np.int64))
    assert bm25([nothing], np.empty(0, np.int64), 0, 0).tolist() == []
    assert bm25([], np.array([3]), 1, 3).tolist() == [0.0]


@given(
    holders=st.lists(st.sets(st.integers(0, 199), max_size=12), max_size=4),
    size=st.sampled_from([200, 2000]),
)
def test_the_holders_have_the_scores_of_the_whole(holders: list[set[int]], size: int) -> None:
    lengths = np.arange(size) % 7 + 1
    postings = [
        TermPostings(np.array(sorted(rows), np.int64), np.array(sorted(rows), np.int64) % 3 + 1)
        for rows in holders
    ]
    whole = bm25(postings, lengths, size, int(lengths.sum()))
    rows, scores = bm25_of_holders(postings, lengths, size, int(lengths.sum()))
    assert rows.tolist() == np.flatnonzero(whole).tolist()
    assert scores.tolist() == whole[rows].tolist()


@given(scores=st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5]), max_size=30), k=st.integers(-1, 40))
def test_the_best_are_those_of_a_full_sort(scores: list[float], k: int) -> None:
    numbers = np.arange(len(scores)) * 3 + 5
    ranking = best(numbers, np.array(scores, np.float64), k)
    expected = sorted(
        zip(numbers.tolist(), scores, strict=True), key=lambda pair: (-pair[1], pair[0])
    )
    assert ranking.numbers.tolist() == [number for number, _ in expected[: max(k, 0)]]
    assert ranking.scores.tolist() == [score for _, score in expected[: max(k, 0)]]
    assert ranking.scores.dtype == np.float32
