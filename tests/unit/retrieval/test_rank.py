"""From evidence to an order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.config import ClewConfig
from clew.retrieval.base import Evidence
from clew.retrieval.rank import Ranked, aggregate, rank
from clew.stores.memory import KnowledgeGraph
from clew.testing.small_graphs import small_graph

GRAPH = small_graph({f"Text {n}": f"One of {n}. Two of {n}. Three of {n}." for n in range(4)})


def _evidence(unit_scores: list[list[float]], chunk_scores: list[float] | None = None) -> Evidence:
    """Chunk 0 has the scores of the first list, and so on; units count on from 0."""
    rows = [row for row, scores in enumerate(unit_scores) for _ in scores]
    chunks = chunk_scores or [max(scores, default=0.0) for scores in unit_scores]
    units = [3 * row + at for row, scores in enumerate(unit_scores) for at in range(len(scores))]
    return Evidence(
        chunks=np.arange(len(unit_scores), dtype=np.int64),
        chunk_scores=np.array(chunks, dtype=np.float32),
        units=np.array(units, dtype=np.int64),
        unit_scores=np.array([s for scores in unit_scores for s in scores], dtype=np.float32),
        unit_rows=np.array(rows, dtype=np.int64),
        trail=lambda chunk, unit: (),
    )


def _rank(
    evidence: Evidence, *, top_n: int = 10, graph: KnowledgeGraph = GRAPH, **settings: Any
) -> list[Ranked]:
    with graph.reading() as reader:
        return rank(reader, evidence, ClewConfig(**settings), top_n=top_n)


@pytest.mark.parametrize(
    ("how", "expected"),
    [("max", [0.6, 0.5, 0.3]), ("mean", [0.4, 0.5, 0.3]), ("sum", [0.68, 0.5, 0.3])],
)
def test_units_make_the_score_of_their_chunk(how: str, expected: list[float]) -> None:
    evidence = _evidence([[0.6, 0.2], [0.5], []], [0.6, 0.5, 0.3])
    np.testing.assert_allclose(aggregate(evidence, how), expected, rtol=1e-5)


def test_the_aggregation_changes_the_order() -> None:
    evidence = _evidence([[0.6, 0.1, 0.1], [0.5, 0.5, 0.5]])
    assert [place.chunk for place in _rank(evidence, score_aggregation="max")] == [0, 1]
    assert [place.chunk for place in _rank(evidence, score_aggregation="mean")] == [1, 0]
    assert [place.chunk for place in _rank(evidence, score_aggregation="sum")] == [1, 0]


@given(
    scores=st.lists(st.lists(st.floats(0.0, 1.0, width=32), max_size=40), min_size=1, max_size=5),
    how=st.sampled_from(["max", "mean", "sum"]),
)
def test_scores_stay_between_zero_and_one(scores: list[list[float]], how: str) -> None:
    values = aggregate(_evidence(scores), how)
    assert ((values >= 0.0) & (values <= 1.0)).all()


@given(scores=st.lists(st.floats(0.0, 0.9375, width=32), min_size=1, max_size=10))
def test_a_sum_is_at_least_its_greatest_part(scores: list[float]) -> None:
    evidence = _evidence([scores])
    assert aggregate(evidence, "sum")[0] >= aggregate(evidence, "max")[0] - 1e-5


def test_the_threshold_leaves_weak_results_out() -> None:
    evidence = _evidence([[0.6], [0.5], [0.4]])
    assert [place.score for place in _rank(evidence, min_score_threshold=0.5)] == [0.6, 0.5]
    assert _rank(evidence, min_score_threshold=0.7) == []


def test_as_many_results_as_asked_for() -> None:
    assert len(_rank(_evidence([[0.6], [0.5], [0.4]]), top_n=2)) == 2


def test_equal_scores_are_ordered_by_id() -> None:
    ids = [chunk.id for chunk in GRAPH.get_chunks(np.arange(4))]
    places = _rank(_evidence([[0.5], [0.5], [0.5], [0.5 + 1e-8]]), top_n=3)
    assert [ids[place.chunk] for place in places] == sorted(ids)[:3]


def test_units_are_ranked_when_results_are_not_grouped() -> None:
    evidence = _evidence([[0.2, 0.9], [0.5]])
    places = _rank(evidence, group_by_chunk=False)
    assert [(place.chunk, place.unit, place.score) for place in places] == [
        (0, 1, 0.9),
        (1, 3, 0.5),
        (0, 0, 0.2),
    ]
    assert all(place.units == (place.unit,) for place in places)


def test_the_units_behind_a_chunk_come_best_first() -> None:
    (first, *_) = _rank(_evidence([[0.2, 0.9, 0.5], [0.1]]))
    assert first.units == (1, 2, 0)


def test_nothing_ranks_as_nothing() -> None:
    assert _rank(_evidence([])) == []
