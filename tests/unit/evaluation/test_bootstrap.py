"""The paired bootstrap."""

from __future__ import annotations

import numpy as np
import pytest

from clew.evaluation.bootstrap import paired_bootstrap


def test_the_same_values_do_not_differ() -> None:
    values = [1.0, 0.0, 0.5] * 10
    difference = paired_bootstrap(values, values)
    assert (difference.mean, difference.low, difference.high) == (0.0, 0.0, 0.0)
    assert not difference.significant
    assert difference.not_better == 1.0


def test_a_constant_gain_is_certain() -> None:
    difference = paired_bootstrap([0.7] * 20, [0.5] * 20)
    assert difference.low == pytest.approx(0.2)
    assert difference.significant
    assert difference.not_better == 0.0


def test_the_interval_is_that_of_the_normal_approximation() -> None:
    random = np.random.default_rng(5)
    first, second = random.random(400), random.random(400)
    deltas = first - second
    error = 1.96 * deltas.std() / 20
    difference = paired_bootstrap(first.tolist(), second.tolist())
    assert difference.mean == pytest.approx(deltas.mean())
    assert difference.low == pytest.approx(deltas.mean() - error, abs=0.004)
    assert difference.high == pytest.approx(deltas.mean() + error, abs=0.004)


def test_pairing_removes_what_is_hard_for_both() -> None:
    hard = np.random.default_rng(1).random(100)
    difference = paired_bootstrap((hard + 0.01).tolist(), hard.tolist())
    assert difference.significant


def test_a_seed_gives_the_same_interval() -> None:
    first, second = [1.0, 0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 1.0, 0.0, 1.0]
    assert paired_bootstrap(first, second, seed=3) == paired_bootstrap(first, second, seed=3)


def test_more_confidence_is_a_wider_interval() -> None:
    first, second = [1.0, 0.0, 1.0, 1.0, 0.0] * 8, [0.0, 0.0, 1.0, 0.0, 1.0] * 8
    narrow = paired_bootstrap(first, second, confidence=0.5)
    wide = paired_bootstrap(first, second, confidence=0.99)
    assert wide.low < narrow.low <= narrow.high < wide.high


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [([1.0], [1.0, 0.0], "1 against 2"), ([], [], "no questions")],
)
def test_what_cannot_be_compared_is_an_error(
    first: list[float], second: list[float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        paired_bootstrap(first, second)
