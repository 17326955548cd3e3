"""A path of Q-Iter and how paths are ordered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clew.retrieval.base import Relation
from clew.stores.base import Scores


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Path:
    """Units in hop order. ``entities[i]`` is what led to ``units[i]`` (-1: similarity), and
    ``query`` what the question still asks after all of them.
    """

    units: tuple[int, ...]
    entities: tuple[int, ...]
    relations: tuple[Relation, ...]
    query: Scores
    score: float = 0.0

    @property
    def order(self) -> tuple[float, tuple[int, ...]]:
        """Best first; equal scores (to six digits) by their units."""
        return (-round(self.score, 6), self.units)


def best_paths(paths: Iterable[Path], count: int) -> list[Path]:
    """The ``count`` best; of paths with the same units in another order only the best."""
    chosen: dict[tuple[int, ...], Path] = {}
    for path in sorted(paths, key=lambda path: path.order):
        chosen.setdefault(tuple(sorted(path.units)), path)
        if len(chosen) == count:
            break
    return list(chosen.values())
