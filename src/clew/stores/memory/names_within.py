"""What some of the documents in memory call the things that they speak of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from clew.records import Entity
from clew.stores.memory.entry import Entry
from clew.stores.naming import ballots_of, elect, keys_of, total


class NamesWithin:
    """Entities as these documents alone name them, by number, with the keys that find them."""

    def __init__(
        self, entries: Iterable[Entry], numbers: Mapping[str, int], entities: Mapping[int, Entity]
    ) -> None:
        self.entities: dict[int, Entity] = {}
        self.keys: dict[int, set[str]] = {}
        for entity_id, ballot in total(ballots_of(entry.indexed) for entry in entries).items():
            number = numbers[entity_id]
            known = entities[number]
            self.entities[number] = elect(entity_id, known.key, known.scope, ballot)
            self.keys[number] = keys_of(known.key, ballot)
