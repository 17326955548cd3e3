"""Recall of passages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.evaluation.recall import all_recall_at, mean, recall_at, reciprocal_rank

FOUND = ["c", "a", "x", "b"]


@pytest.mark.parametrize(("k", "expected"), [(0, 0.0), (1, 0.0), (2, 0.5), (4, 1.0), (9, 1.0)])
def test_recall_is_the_share_of_what_is_wanted(k: int, expected: float) -> None:
    assert recall_at(k, FOUND, {"a", "b"}) == expected
    assert all_recall_at(k, FOUND, {"a", "b"}) == float(expected == 1.0)


def test_a_passage_named_twice_counts_once() -> None:
    assert recall_at(3, ["a", "a", "b"], ["a", "a", "b", "c"]) == pytest.approx(2 / 3)


@pytest.mark.parametrize(("wanted", "expected"), [({"c"}, 1.0), ({"b", "x"}, 1 / 3), ({"z"}, 0.0)])
def test_the_reciprocal_rank_is_that_of_the_first_hit(wanted: set[str], expected: float) -> None:
    assert reciprocal_rank(FOUND, wanted) == pytest.approx(expected)


@pytest.mark.parametrize(
    "measure", [lambda: recall_at(1, ["a"], []), lambda: reciprocal_rank([], [])]
)
def test_a_question_that_wants_nothing_is_an_error(measure: object) -> None:
    assert callable(measure)
    with pytest.raises(ValueError, match="leave it out"):
        measure()


@given(
    found=st.lists(st.sampled_from("abcdef"), unique=True),
    wanted=st.sets(st.sampled_from("abcdef"), min_size=1),
)
def test_recall_never_falls_with_k(found: list[str], wanted: set[str]) -> None:
    values = [recall_at(k, found, wanted) for k in range(8)]
    assert values == sorted(values)
    assert all_recall_at(8, found, wanted) == float(wanted <= set(found))


def test_the_mean_of_nothing_is_zero() -> None:
    assert mean([]) == 0.0
    assert mean(iter([1.0, 0.0])) == 0.5
