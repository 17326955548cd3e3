from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.models.base import Vectors
from clew.models.pooling import LatePooling, Window, token_ranges, windows


@settings(deadline=None)
@given(st.integers(0, 5000), st.integers(2, 300), st.data())
def test_windows_own_every_token_once_and_are_short_enough(
    tokens: int, size: int, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    found = windows(tokens, size=size, overlap=overlap)
    owned = [at for window in found for at in range(window.owned_start, window.owned_end)]
    assert owned == list(range(tokens))
    assert all(window.end - window.start <= size for window in found)
    assert all(
        window.start <= window.owned_start <= window.owned_end <= window.end for window in found
    )
    assert found[0].start == 0
    assert found[-1].end == tokens


@settings(deadline=None)
@given(st.integers(300, 5000))
def test_a_token_is_owned_where_it_has_most_context(tokens: int) -> None:
    found = windows(tokens, size=254, overlap=64)
    for at in range(0, tokens, 7):
        owner = next(window for window in found if window.owned_start <= at < window.owned_end)
        best = max(_context(window, at, tokens) for window in found)
        assert _context(owner, at, tokens) >= best - 1
        assert _context(owner, at, tokens) >= 31


def _context(window: Window, at: int, tokens: int) -> float:
    if not window.start <= at < window.end:
        return -1
    before = at - window.start if window.start else tokens
    behind = window.end - 1 - at if window.end < tokens else tokens
    return min(before, behind)


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ((0, 3), (0, 1)),
        ((1, 2), (0, 1)),
        ((0, 4), (0, 1)),
        ((0, 5), (0, 2)),
        ((3, 4), (1, 1)),
        ((4, 4), (1, 1)),
        ((5, 5), (1, 1)),
        ((9, 20), (2, 3)),
        ((12, 20), (3, 3)),
        ((0, 20), (0, 3)),
    ],
)
def test_a_span_holds_the_tokens_that_share_a_character_with_it(
    span: tuple[int, int], expected: tuple[int, int]
) -> None:
    offsets = np.array([(0, 3), (4, 7), (9, 11)])
    assert token_ranges([span], offsets) == [expected]


def test_no_tokens_and_no_spans() -> None:
    assert token_ranges([(0, 5)], np.empty((0, 2), np.int64)) == [(0, 0)]
    assert token_ranges([], np.array([(0, 3)])) == []


@settings(deadline=None)
@given(st.integers(1, 60), st.integers(2, 12), st.data())
def test_windows_add_up_to_the_means_over_whole_spans(
    tokens: int, size: int, data: st.DataObject
) -> None:
    """With states that do not depend on the window, windows change nothing."""
    states = _states(tokens)
    bounds = st.integers(0, tokens)
    ranges = data.draw(
        st.lists(st.tuples(bounds, bounds).filter(lambda pair: pair[0] < pair[1]), max_size=5)
    )
    pooling = LatePooling(ranges, 4)
    for window in windows(tokens, size=size, overlap=size // 2):
        pooling.add(window, states[window.start : window.end])
    text, spans = pooling.vectors()
    np.testing.assert_allclose(text, _unit(states.mean(axis=0)), atol=1e-6)
    for row, (start, end) in zip(spans, ranges, strict=True):
        np.testing.assert_allclose(row, _unit(states[start:end].mean(axis=0)), atol=1e-6)


def test_a_span_without_tokens_has_the_vector_of_the_text() -> None:
    pooling = LatePooling([(1, 1), (0, 1)], 4)
    pooling.add(Window(0, 3, 0, 3), _states(3))
    pooling.add_marker(np.ones(4, np.float32))
    text, spans = pooling.vectors()
    np.testing.assert_array_equal(spans[0], text)
    assert not np.allclose(spans[1], text)


def _states(tokens: int) -> Vectors:
    return np.random.default_rng(tokens).normal(size=(tokens, 4)).astype(np.float32) + 0.5


def _unit(vector: Vectors) -> Vectors:
    unit: Vectors = vector / np.linalg.norm(vector)
    return unit
