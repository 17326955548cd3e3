"""The first results are chosen together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.retrieval.linked.selection import CONSIDERED, TAKEN, choose
from clew.retrieval.pool.stages import SelectionWeights
from clew.retrieval.pool.word_scores import Coverage

NOTHING = SelectionWeights(new_words=0.0, source=0.0, sibling=0.0)
QUARTERS = Coverage(np.full(4, 0.25, dtype=np.float32))


def _order(
    logits: list[float],
    *,
    sources: list[int] | None = None,
    masks: list[int] | None = None,
    weights: SelectionWeights = NOTHING,
) -> list[int]:
    choice = choose(
        np.array(logits, dtype=np.float32),
        np.array(sources or [-1] * len(logits), dtype=np.int64),
        np.array(masks or [0] * len(logits), dtype=np.int64),
        QUARTERS,
        weights,
    )
    rows: list[int] = choice.rows.tolist()
    return rows


def test_without_weights_the_order_is_that_of_the_logits() -> None:
    assert _order([0.1, 2.0, -1.0, 2.0, 0.5]) == [1, 3, 4, 0, 2]


def test_a_chunk_with_new_words_passes_one_that_repeats_them() -> None:
    masks = [0b0011, 0b0011, 0b1100]
    weights = SelectionWeights(new_words=2.0, source=0.0, sibling=0.0)
    assert _order([2.0, 1.5, 1.0], masks=masks) == [0, 1, 2]
    assert _order([2.0, 1.5, 1.0], masks=masks, weights=weights) == [0, 2, 1]


def test_the_source_of_a_chosen_chunk_follows_it() -> None:
    weights = SelectionWeights(new_words=0.0, source=1.0, sibling=0.0)
    sources = [2, -1, -1]
    assert _order([3.0, 1.0, 0.5], sources=sources) == [0, 1, 2]
    assert _order([3.0, 1.0, 0.5], sources=sources, weights=weights) == [0, 2, 1]


def test_a_source_is_paid_once_for_its_best_target() -> None:
    weights = SelectionWeights(new_words=0.0, source=1.0, sibling=0.0)
    choice = choose(
        np.array([3.0, 2.0, 0.0], dtype=np.float32),
        np.array([2, 2, -1], dtype=np.int64),
        np.zeros(3, dtype=np.int64),
        QUARTERS,
        weights,
    )
    assert choice.rows.tolist() == [0, 1, 2]
    assert choice.logits[2] == pytest.approx(1.0 / (1.0 + np.exp(-3.0)))


def test_the_third_of_a_family_waits() -> None:
    weights = SelectionWeights(new_words=0.0, source=0.0, sibling=0.4)
    sources = [5, 5, 5, 4, -1, -1]
    logits = [3.0, 2.9, 2.8, 2.3, 0.0, 0.0]
    assert _order(logits, sources=sources)[:4] == [0, 1, 2, 3]
    assert _order(logits, sources=sources, weights=weights)[:4] == [0, 1, 3, 2]


def test_nothing_to_choose_from() -> None:
    assert _order([]) == []


@given(
    logits=st.lists(st.floats(-20, 20, width=32), max_size=60),
    seed=st.integers(0, 1000),
)
def test_every_considered_row_comes_once(logits: list[float], seed: int) -> None:
    random = np.random.default_rng(seed)
    count = len(logits)
    choice = choose(
        np.array(logits, dtype=np.float32),
        random.integers(-1, max(count, 1), count),
        random.integers(0, 16, count),
        QUARTERS,
        SelectionWeights(),
    )
    best = np.argsort(-np.array(logits, dtype=np.float32), kind="stable")[:CONSIDERED]
    assert sorted(choice.rows.tolist()) == sorted(best.tolist())
    behind = choice.logits[TAKEN:]
    assert (np.diff(behind) <= 0).all()
