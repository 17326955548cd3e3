"""How near paths are to the original question, and what each unit leaves of a query.

With a :class:`clew.retrieval.base.Reranker` the texts of a path are joined in hop order and read
together with the question; otherwise the space says how near the sum of the units is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from clew.retrieval.base import Reranker, Search
from clew.retrieval.qiter.spaces import Space
from clew.stores.base import Numbers, Scores


class PathScores:
    def __init__(self, search: Search, space: Space, reranker: Reranker | None) -> None:
        self._search = search
        self._space = space
        self._reranker = reranker
        self._points: dict[int, Scores] = {}
        self._texts: dict[int, str] = {}

    def of(self, paths: Sequence[tuple[int, ...]]) -> list[float]:
        """One score in 0–1 per path (a sequence of units in hop order)."""
        if self._reranker is None:
            return [self._space.path_score(self._stack(path)) for path in paths]
        self._read(unit for path in paths for unit in path)
        joined = [" ".join(self._texts[unit] for unit in path) for path in paths]
        scores = self._reranker.score(self._search.query.question, joined)
        return [min(max(float(score), 0.0), 1.0) for score in scores]

    def remainder(self, query: Scores, unit: int) -> Scores:
        """What is left of ``query`` after ``unit``."""
        self._locate([unit])
        weight = self._search.config.query_update_weight
        return self._space.remainder(query, self._points[unit], weight)

    def _stack(self, path: tuple[int, ...]) -> Scores:
        """The points of a path in order of number, so that rounding does not tell orders apart."""
        self._locate(path)
        return np.stack([self._points[unit] for unit in sorted(path)])

    def _locate(self, units: Iterable[int]) -> None:
        unknown = _sorted_numbers(unit for unit in units if unit not in self._points)
        if len(unknown):
            points = self._space.coordinates(unknown)
            self._points.update(zip(unknown.tolist(), points, strict=True))

    def _read(self, units: Iterable[int]) -> None:
        unknown = _sorted_numbers(unit for unit in units if unit not in self._texts)
        for number, unit in zip(
            unknown.tolist(), self._search.reader.get_units(unknown), strict=True
        ):
            self._texts[number] = unit.text


def _sorted_numbers(units: Iterable[int]) -> Numbers:
    return np.array(sorted(set(units)), dtype=np.int64)
