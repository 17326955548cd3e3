"""Grapheme boundaries against a reading of the whole text."""

from __future__ import annotations

import random
from bisect import bisect_left, bisect_right

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from clew.text.graphemes import Graphemes, floor_boundary, is_boundary

_PIECES = st.sampled_from(
    "a é e\u0301 \u0301 \u200d 👩 👩‍👩‍👧 🏽 🇳 🇴 한 \u1100 \u1161 \u11a8 \u0600 क ् त ி 食 べ \ufe0f "
    "# \u20e3".split(" ")
) | st.sampled_from(["\r", "\n", "\r\n", " ", "\f"])
_TEXTS = st.lists(_PIECES, max_size=30).map("".join) | st.text()


@given(_TEXTS)
def test_agrees_with_the_clusters_of_the_whole_text(text: str) -> None:
    boundaries = _boundaries(text)
    for at in range(len(text) + 1):
        assert Graphemes(text).floor(at) == max(place for place in boundaries if place <= at)
        assert Graphemes(text).ceil(at) == min(place for place in boundaries if place >= at)
        assert is_boundary(text, at) == (at in boundaries)


@given(_TEXTS, st.randoms(use_true_random=False))
@example("\u0600🇦🇦🇦🇦", random.Random(1))
@example("🇦🇦🇦\u0301🇦", random.Random(2))
def test_a_reading_may_begin_at_any_cut(text: str, order: random.Random) -> None:
    """In the midst of a cluster, too: what is behind that cluster is read as in the whole text."""
    boundaries = _boundaries(text)
    cuts = list(range(len(text)))
    order.shuffle(cuts)
    graphemes = Graphemes(text)
    for lowest in cuts:
        whole_from = boundaries[bisect_left(boundaries, lowest)]
        for at in range(lowest, len(text) + 1):
            floor, ceil = graphemes.floor(at, lowest=lowest), graphemes.ceil(at, lowest=lowest)
            assert lowest <= floor <= at <= ceil
            assert ceil <= boundaries[bisect_left(boundaries, at)]
            if at >= whole_from:
                assert floor == boundaries[bisect_right(boundaries, at) - 1]
                assert ceil == boundaries[bisect_left(boundaries, at)]


def _boundaries(text: str) -> list[int]:
    return [match.start() for match in regex.finditer(r"\X", text)] + [len(text)]


@pytest.mark.parametrize(
    "cluster",
    ["e\u0301\u0323", "👩‍👩‍👧‍👦", "🇳🇴", "각", "👍🏽", "\r\n", "क्त", "நி", "1\ufe0f\u20e3"],
)
def test_no_boundary_inside_a_cluster(cluster: str) -> None:
    text = f"ab{cluster}{cluster}cd"
    for at in range(3, 2 + len(cluster)):
        assert Graphemes(text).floor(at) == 2
        assert Graphemes(text).ceil(at) == 2 + len(cluster)


def test_flags_pair_up_from_the_start_of_their_run() -> None:
    flags = "🇳🇴🇸🇪🇩🇰"
    assert [floor_boundary(flags, at) for at in range(7)] == [0, 0, 2, 2, 4, 4, 6]


def test_places_outside_the_text() -> None:
    graphemes = Graphemes("abc")
    assert graphemes.floor(-1) == graphemes.ceil(-1) == 0
    assert graphemes.floor(9) == graphemes.ceil(9) == 3


def test_nothing_before_a_known_boundary_is_read() -> None:
    text = "a" + "\u0301" * 100_000
    assert floor_boundary(text, 90_000, lowest=80_000) == 80_000
    assert floor_boundary(text, 90_000) == 0
    assert floor_boundary(text, 5, lowest=7) == Graphemes(text).ceil(5, lowest=7) == 7


def test_cutting_far_into_a_long_text_is_cheap() -> None:
    text = "食べ物と水。" * 300_000
    assert all(floor_boundary(text, at) == at for at in range(0, len(text), 100))


@pytest.mark.parametrize("step", [2, 7])
def test_the_letters_of_a_run_of_flags_are_counted_once(step: int) -> None:
    graphemes = Graphemes("\u0600" + "🇳🇴" * 200_000)
    cut = 2  # in the midst of the first one
    while cut < 400_001:
        cut = graphemes.floor(cut + step, lowest=cut)
        assert cut % 2 == 1
