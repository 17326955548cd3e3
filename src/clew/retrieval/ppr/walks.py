"""The path to a result: the likeliest walk from a seed that ends there, as steps of passages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clew.retrieval.base import Relation, Step
from clew.retrieval.ppr.edges import CHUNK, ENTITY, UNIT, Chances
from clew.retrieval.ppr.neighbourhood import Neighbourhood, Node
from clew.retrieval.ragged import best_of_groups
from clew.stores.base import Numbers

_MOST_STEPS = 24


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class LikeliestWalks:
    """Per place, the place ``before`` it on the likeliest walk that ends there; -1 where that walk
    begins.
    """

    around: Neighbourhood
    before: Numbers

    @classmethod
    def of(cls, around: Neighbourhood, seeds: Chances, *, damping: float) -> LikeliestWalks:
        """``seeds`` holds one chance per known place. Walks go over edges that were read."""
        opened = np.flatnonzero(around.starts >= 0)
        row, at = around.rows(opened)
        sources, targets = opened[row], around.targets[at]
        chances = (damping * around.chances[at]).astype(np.float32)
        best = seeds.astype(np.float32)
        before = np.full(len(best), -1, dtype=np.int64)
        for _ in range(_MOST_STEPS):
            values, edge = best_of_groups(best[sources] * chances, targets, len(best))
            better = np.flatnonzero(values > best)
            if not len(better):
                break
            best[better] = values[better]
            before[better] = sources[edge[better]]
        return cls(around=around, before=before)

    def to(self, kind: int, number: int) -> list[Node]:
        """The nodes of the walk that ends at a unit or chunk, the seed first."""
        place = self.around.place(kind, number)
        places = [place]
        while (place := int(self.before[place])) >= 0:
            places.append(place)
        return self.around.describe(np.array(places[::-1], dtype=np.int64))


def steps_of(walk: Sequence[Node], score: Callable[[int], float]) -> tuple[Step, ...]:
    """One step per passage that the walk enters; going between a unit and its chunk is none.

    A walk begins at an entity only if the question names it. ``score`` is that of a chunk.
    """
    steps: list[Step] = []
    for index, node in enumerate(walk):
        if node.kind == ENTITY:
            continue
        came_from = walk[index - 1] if index else None
        if came_from is None or came_from.kind == ENTITY:
            steps.append(_entering(node, came_from, named=index == 1, score=score(node.chunk)))
        elif node.kind == UNIT and (steps[-1].unit < 0 or index == len(walk) - 1):
            steps[-1] = replace(steps[-1], unit=node.number)
    return tuple(steps)


def _entering(node: Node, entity: Node | None, *, named: bool, score: float) -> Step:
    relation: Relation = "similar"
    if entity is not None:
        relation = "anchor" if named else "about" if node.kind == CHUNK else "mentions"
    return Step(
        chunk=node.chunk,
        unit=node.number if node.kind == UNIT else -1,
        relation=relation,
        entity=-1 if entity is None else entity.number,
        score=score,
    )
