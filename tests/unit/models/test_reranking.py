"""Rerankers as users bring them: accepted, called in batches, believed only after a look."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from clew.errors import MissingModelError, ModelError
from clew.models.base import Reranker
from clew.models.reranking import CheckedReranker, as_reranker
from clew.testing import FailingReranker, FakeReranker


class Returning:
    def __init__(self, scores: Any) -> None:
        self.scores = scores

    def score(self, question: str, texts: Sequence[str]) -> Any:
        if isinstance(self.scores, Exception):
            raise self.scores
        return self.scores


def test_texts_come_in_batches_and_scores_in_order() -> None:
    model = FakeReranker()
    reranker = as_reranker(model, batch_size=2)
    texts = ["the ferry", "an old bridge", "bridge and ferry", "", "ferry"]
    assert reranker.score("Old ferry?", texts) == [0.5, 0.5, 0.5, 0.0, 0.5]
    assert model.batches == [2, 2, 1]
    assert isinstance(reranker, Reranker)
    assert reranker.fingerprint == "fake-reranker"
    assert reranker.score("Which?", []) == []


def test_a_checked_reranker_stays_itself() -> None:
    reranker = as_reranker(FakeReranker())
    assert as_reranker(reranker) is reranker


def test_scores_of_numpy_and_of_coroutines_are_taken() -> None:
    class Later:
        async def score(self, question: str, texts: Sequence[str]) -> Any:
            await asyncio.sleep(0)
            return np.full(len(texts), 0.25, np.float32)

    reranker = as_reranker(Later())
    assert reranker.score("?", ["a", "b"]) == [0.25, 0.25]
    assert reranker.fingerprint == "Later"
    assert as_reranker(Returning(np.array([[0.5], [1.0]]))).score("?", ["a", "b"]) == [0.5, 1.0]


def test_rounding_does_not_leave_the_range() -> None:
    assert as_reranker(Returning([1.00001, -0.00001])).score("?", ["a", "b"]) == [1.0, 0.0]


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([0.5], "returned 1 scores for 2 texts"),
        (None, "returned NoneType scores for 2 texts"),
        ([0.5, 3.2], r"returned 3.2 for 'second'; scores must lie in 0–1: a logit x"),
        ([float("nan"), 0.5], "returned nan for 'first'"),
        ([[0.1, 0.9], [0.2, 0.8]], "returned 2 values for each text"),
        (TimeoutError("slow"), "Returning failed: TimeoutError: slow"),
    ],
)
def test_what_is_no_score_is_named(scores: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        as_reranker(Returning(scores)).score("?", ["first", "second"])


def test_the_cause_of_a_failure_is_kept() -> None:
    with pytest.raises(ModelError) as caught:
        as_reranker(FailingReranker()).score("?", ["a"])
    assert isinstance(caught.value.__cause__, ConnectionError)
    with pytest.raises(MissingModelError, match="gone"):
        as_reranker(Returning(MissingModelError("gone"))).score("?", ["a"])


@pytest.mark.parametrize("model", [None, object(), "cross-encoder/x"])
def test_anything_else_is_told_what_is_missing(model: object) -> None:
    with pytest.raises(ModelError, match=r"score\(question, texts\)"):
        as_reranker(model)


def test_a_class_in_place_of_an_object_is_named() -> None:
    with pytest.raises(ModelError, match=r"reranker=FakeReranker is a class; .*FakeReranker\(…\)"):
        as_reranker(FakeReranker)
    assert isinstance(as_reranker(FakeReranker()), CheckedReranker)
