"""What the names in facts mean, where one name means several things.

A fact has the words of its text. Where several entities have such a name, because it was split or
is short for more than one, the one is meant that the unit of the fact mentions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from clew.records import Fact
from clew.stores.base import GraphReader
from clew.text.names import name_key


class FactNames:
    """The entities that the subjects and objects of ``facts`` mean."""

    def __init__(self, reader: GraphReader, facts: Sequence[Fact]) -> None:
        keys = sorted({name_key(name) for fact in facts for name in (fact.subject, fact.object)})
        found = reader.find_entities(keys)
        bounds = zip(found.indptr.tolist(), found.indptr[1:].tolist(), strict=False)
        self._entities = {
            key: frozenset(found.targets[start:stop].tolist())
            for key, (start, stop) in zip(keys, bounds, strict=True)
        }
        numbers = np.unique(found.targets)
        entities = reader.get_entities(numbers)
        self._keys = {
            int(number): entity.key for number, entity in zip(numbers, entities, strict=True)
        }
        self._of_unit = _mentioned(reader, (fact for fact in facts if self._is_open(fact)))

    def meant(self, fact: Fact, name: str) -> int | None:
        """The number of the entity that ``fact`` means by ``name``; None where that is open."""
        named = self._entities.get(name_key(name), frozenset())
        if len(named) > 1:
            named &= self._of_unit.get(fact.unit_id, frozenset())
        return next(iter(named)) if len(named) == 1 else None

    def key(self, fact: Fact, name: str) -> str:
        """The key of that entity, else of the name itself."""
        number = self.meant(fact, name)
        return name_key(name) if number is None else self._keys[number]

    def _is_open(self, fact: Fact) -> bool:
        names = (fact.subject, fact.object)
        return any(len(self._entities[name_key(name)]) > 1 for name in names)


def _mentioned(reader: GraphReader, facts: Iterable[Fact]) -> dict[str, frozenset[int]]:
    """The entities that the unit of each fact mentions, by the id of the unit."""
    ids = sorted({fact.unit_id for fact in facts})
    numbers = reader.numbers_of("unit", ids)
    there = np.flatnonzero(numbers >= 0)
    links = reader.entities_of_units(numbers[there])
    return {
        ids[at]: frozenset(links.targets[start:stop].tolist())
        for at, start, stop in zip(
            there.tolist(), links.indptr.tolist(), links.indptr[1:].tolist(), strict=False
        )
    }
