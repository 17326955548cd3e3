"""Where Q-Iter measures: the space of an embedder, or, without one, the words of the question.

Both answer the same four questions: the coordinates of units, how near each is to a query, what is
left of a query once a unit has answered its part, and how near a whole path is to the question.

* **dense**: cosine; a unit is *subtracted*, ``q' = q − w·e(u)``, as in Clue-RAG (arXiv 2507.08445).
  As there, q' is not brought back to length 1: what is taken off stays in proportion to the
  question. A path is the sum of its units, the stand-in for embedding its joined text.
* **words**: one axis per word of the question, the unit's BM25 part on each; a unit takes the words
  that it holds off the query. A path has of each word the best that any of its units has.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from clew.retrieval.base import Search
from clew.retrieval.pool.word_scores import WordScores
from clew.stores.base import Numbers, Scores


class Space(Protocol):
    """All scores lie in 0–1; queries are arrays of the space's own dimensions."""

    @property
    def question(self) -> Scores: ...

    def coordinates(self, units: Numbers) -> Scores:
        """Return ``[units, dimensions]``; ``units`` ascend."""
        ...

    def nearness(self, points: Scores, query: Scores) -> Scores: ...

    def remainder(self, query: Scores, point: Scores, weight: float) -> Scores:
        """What is left of ``query`` after ``point``."""
        ...

    def path_score(self, points: Scores) -> float:
        """How near the path through ``points`` is to the original question."""
        ...


class DenseSpace:
    def __init__(self, search: Search) -> None:
        assert search.query.vector is not None
        self._reader = search.reader
        self._question = search.query.vector

    @property
    def question(self) -> Scores:
        return self._question

    def coordinates(self, units: Numbers) -> Scores:
        return self._reader.vectors("unit", units)

    def nearness(self, points: Scores, query: Scores) -> Scores:
        length = float(np.linalg.norm(query))
        if length < 1e-9:
            return np.full(len(points), 0.5, dtype=np.float32)
        nearness: Scores = (0.5 + points @ query / (2.0 * length)).astype(np.float32)
        return nearness

    def remainder(self, query: Scores, point: Scores, weight: float) -> Scores:
        rest: Scores = (query - np.float32(weight) * point).astype(np.float32)
        return rest

    def path_score(self, points: Scores) -> float:
        whole = points.sum(axis=0)
        length = float(np.linalg.norm(whole))
        return min(max(float(whole @ self._question) / length, 0.0), 1.0) if length else 0.0


class WordSpace:
    def __init__(self, search: Search, scores: WordScores) -> None:
        self._scores = scores
        self._question = search.query.words.share

    @property
    def question(self) -> Scores:
        return self._question

    def coordinates(self, units: Numbers) -> Scores:
        """BM25 parts relative to what the word can score at most, so that the question itself
        would be a point of ones.
        """
        parts = self._scores.matrix("unit", units)
        points: Scores = (parts / self._question[:, None]).T.astype(np.float32)
        return points

    def nearness(self, points: Scores, query: Scores) -> Scores:
        nearness: Scores = (points @ query).astype(np.float32)
        return nearness

    def remainder(self, query: Scores, point: Scores, weight: float) -> Scores:
        rest: Scores = (query * (1.0 - np.float32(weight) * (point > 0))).astype(np.float32)
        return rest

    def path_score(self, points: Scores) -> float:
        return min(float(points.max(axis=0) @ self._question), 1.0) if len(points) else 0.0


def space_of(search: Search, scores: WordScores) -> Space:
    """The embedder's space when the question has a vector, otherwise that of its words."""
    return WordSpace(search, scores) if search.query.vector is None else DenseSpace(search)
