"""Grapheme boundaries against a reading of the whole text."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from clew.text.graphemes import ceil_boundary, floor_boundary

_PIECES = st.sampled_from(
    "a é e\u0301 \u0301 \u200d 👩 👩‍👩‍👧 🏽 🇳 🇴 한 \u1100 \u1161 \u11a8 \u0600 क ् त ி 食 べ \ufe0f "
    "# \u20e3".split(" ")
) | st.sampled_from(["\r", "\n", "\r\n", " ", "\f"])
_TEXTS = st.lists(_PIECES, max_size=30).map("".join) | st.text()


@given(_TEXTS)
def test_agrees_with_the_clusters_of_the_whole_text(text: str) -> None:
    boundaries = [match.start() for match in regex.finditer(r"\X", text)] + [len(text)]
    for at in range(len(text) + 1):
        assert floor_boundary(text, at) == max(place for place in boundaries if place <= at)
        assert ceil_boundary(text, at) == min(place for place in boundaries if place >= at)


@pytest.mark.parametrize(
    "cluster",
    ["e\u0301\u0323", "👩‍👩‍👧‍👦", "🇳🇴", "각", "👍🏽", "\r\n", "क्त", "நி", "1\ufe0f\u20e3"],
)
def test_no_boundary_inside_a_cluster(cluster: str) -> None:
    text = f"ab{cluster}{cluster}cd"
    for at in range(3, 2 + len(cluster)):
        assert floor_boundary(text, at) == 2
        assert ceil_boundary(text, at) == 2 + len(cluster)


def test_flags_pair_up_from_the_start_of_their_run() -> None:
    flags = "🇳🇴🇸🇪🇩🇰"
    assert [floor_boundary(flags, at) for at in range(7)] == [0, 0, 2, 2, 4, 4, 6]


def test_places_outside_the_text() -> None:
    assert floor_boundary("abc", -1) == ceil_boundary("abc", -1) == 0
    assert floor_boundary("abc", 9) == ceil_boundary("abc", 9) == 3


def test_nothing_before_a_known_boundary_is_read() -> None:
    text = "a" + "\u0301" * 100_000
    assert floor_boundary(text, 90_000, lowest=80_000) == 80_000
    assert floor_boundary(text, 90_000) == 0
    assert floor_boundary(text, 5, lowest=7) == ceil_boundary(text, 5, lowest=7) == 7


def test_cutting_far_into_a_long_text_is_cheap() -> None:
    text = "食べ物と水。" * 300_000
    assert all(floor_boundary(text, at) == at for at in range(0, len(text), 100))
