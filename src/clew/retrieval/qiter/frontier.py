"""The units that can be reached through entities, with hubs kept in bounds.

An entity of a few hundred units is read whole. Of a hub, which may have a million, those units are
taken that the search itself puts first, and beside them the first by number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clew.retrieval.base import Search
from clew.retrieval.pool.named_chunks import rarity
from clew.retrieval.pool.word_scores import WordScores
from clew.retrieval.ragged import row_index, union
from clew.stores.base import Links, Numbers, Scores

MOST_UNITS_OF_ENTITY = 400


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Reached:
    """For one path: the units within reach, ascending, each with the rarest entity that leads to
    it and how rare that is.
    """

    units: Numbers
    entities: Numbers
    rarity: Scores


class Frontier:
    """Answers what is within reach of entities; keeps what it has looked up."""

    def __init__(self, search: Search, scores: WordScores) -> None:
        self._search = search
        self._scores = scores
        self._units: dict[int, Numbers] = {}
        self._rarity: dict[int, float] = {}
        self._near: tuple[Numbers, Links] | None = None

    def entities_of(self, units: list[int]) -> list[Numbers]:
        """The entities that each unit mentions."""
        links = self._search.reader.entities_of_units(np.array(units, dtype=np.int64))
        return np.split(links.targets, links.indptr[1:-1])

    def reach(self, entities: Numbers) -> Reached:
        """The units that mention any of ``entities``."""
        self._look_up(entities)
        units = [self._units[int(entity)] for entity in entities]
        lengths = [len(each) for each in units]
        everything = np.concatenate([np.empty(0, np.int64), *units])
        via = np.repeat(entities, lengths)
        rare = np.repeat([self._rarity[int(entity)] for entity in entities], lengths)
        order = np.lexsort((via, -rare, everything))
        ordered = everything[order]
        first = np.ones(len(ordered), dtype=bool)
        first[1:] = ordered[1:] != ordered[:-1]
        return Reached(
            units=ordered[first],
            entities=via[order][first].astype(np.int64),
            rarity=rare[order][first].astype(np.float32),
        )

    def _look_up(self, entities: Numbers) -> None:
        unknown = np.array(
            [entity for entity in entities.tolist() if entity not in self._units], dtype=np.int64
        )
        if not len(unknown):
            return
        search = self._search
        links = search.reader.units_of_entities(unknown, limit=MOST_UNITS_OF_ENTITY)
        frequencies = search.reader.entity_frequencies(unknown)
        rare = rarity(frequencies, search.counts["chunks"])
        for row, entity in enumerate(unknown.tolist()):
            units = links.targets[links.indptr[row] : links.indptr[row + 1]]
            if len(units) == MOST_UNITS_OF_ENTITY:
                units = union(units, self._near_units_of(entity))
            self._units[entity] = units
            self._rarity[entity] = float(rare[row])

    def _near_units_of(self, entity: int) -> Numbers:
        """The units of a hub among those that the search puts first."""
        if self._near is None:
            search = self._search
            near = self._scores.best("unit", MOST_UNITS_OF_ENTITY).numbers
            if search.query.vector is not None:
                ranking = search.reader.search_vectors(
                    "unit",
                    search.query.vector,
                    MOST_UNITS_OF_ENTITY,
                )
                near = union(near, ranking.numbers)
            near = np.sort(near)
            self._near = (near, search.reader.entities_of_units(near))
        units, links = self._near
        holding: Numbers = units[np.unique(row_index(links)[links.targets == entity])]
        return holding
