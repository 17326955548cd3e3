"""A path of Q-Iter and how paths are ordered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clew.retrieval.base import Relation
from clew.stores.base import Scores


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Path:
    """Units in hop order. ``entities[i]`` is what led to ``units[i]`` (-1: similarity), ``query``
    what the question still asks after all of them, and ``before`` the scores of the path while it
    was shorter.
    """

    units: tuple[int, ...]
    entities: tuple[int, ...]
    relations: tuple[Relation, ...]
    query: Scores
    score: float = 0.0
    before: tuple[float, ...] = ()

    @property
    def order(self) -> tuple[float, tuple[float, ...], tuple[int, ...]]:
        """Best first. Of equal scores (to six digits; the same units in another order have them)
        the path that began better, so that results do not hang on how a store numbers its units.
        """
        began = tuple(-round(score, 6) for score in self.before)
        return (-round(self.score, 6), began, self.units)


def best_paths(paths: Iterable[Path], count: int) -> list[Path]:
    """The ``count`` best; of paths with the same units in another order only the best."""
    chosen: dict[tuple[int, ...], Path] = {}
    for path in sorted(paths, key=lambda path: path.order):
        chosen.setdefault(tuple(sorted(path.units)), path)
        if len(chosen) == count:
            break
    return list(chosen.values())
