"""Whatever a reranker says, the order after it keeps its promises."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.retrieval.rank import Ranked
from clew.retrieval.second_stage import reordered

SHARES = st.floats(0.0, 1.0, allow_nan=False).map(lambda value: round(value, 6))


@settings(deadline=None)
@given(st.lists(SHARES, max_size=12), st.lists(SHARES, max_size=12), SHARES)
def test_scores_fall_and_no_unread_place_passes_a_read_one(
    first: list[float], scores: list[float], weight: float
) -> None:
    ordered = sorted(first, reverse=True)
    places = [
        Ranked(chunk=chunk, unit=-1, score=score, units=()) for chunk, score in enumerate(ordered)
    ]
    scores = scores[: len(places)]
    found = reordered(places, scores, weight=weight)
    assert sorted(place.chunk for place in found) == list(range(len(places)))
    values = [place.score for place in found]
    assert values == sorted(values, reverse=True)
    assert all(0.0 <= value <= 1.0 for value in values)
    assert {place.chunk for place in found[: len(scores)]} == set(range(len(scores)))
    for place in found:
        given_score = place.parts.get("rerank", 0.0)
        assert place.parts["first"] == ordered[place.chunk]
        assert place.score == pytest.approx(
            (1 - weight) * ordered[place.chunk] + weight * given_score, abs=2e-6
        )


@settings(deadline=None)
@given(st.lists(SHARES, min_size=1, max_size=12), st.data())
def test_without_weight_nothing_moves_and_with_all_of_it_the_reranker_decides(
    first: list[float], data: st.DataObject
) -> None:
    ordered = sorted(first, reverse=True)
    places = [
        Ranked(chunk=chunk, unit=-1, score=score, units=()) for chunk, score in enumerate(ordered)
    ]
    scores = data.draw(st.lists(SHARES, min_size=len(places), max_size=len(places)))
    assert [place.chunk for place in reordered(places, scores, weight=0.0)] == [
        place.chunk for place in places
    ]
    decided = [place.chunk for place in reordered(places, scores, weight=1.0)]
    assert decided == sorted(range(len(places)), key=lambda chunk: (-scores[chunk], chunk))
