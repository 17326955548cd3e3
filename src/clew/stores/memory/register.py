"""The entities of a graph in memory: counted votes, numbers, names."""

from __future__ import annotations

from collections import Counter

from clew.records import Entity, IndexedDocument
from clew.stores.naming import Vote, elect, keys_of, votes_of


class EntityRegister:
    """Counts what documents say of entities, and decides what the entities are called."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.elected: dict[int, Entity] = {}
        self.keys: dict[int, frozenset[str]] = {}
        self._votes: dict[str, Counter[Vote]] = {}
        self._identities: dict[str, tuple[str, str]] = {}
        self._changed: dict[str, None] = {}
        self._given = 0

    def count(self, indexed: IndexedDocument, sign: int) -> None:
        """Add (+1) or take back (-1) the votes of a document."""
        identities = {entity.id: (entity.key, entity.scope) for entity in indexed.entities}
        for entity_id, votes in votes_of(indexed).items():
            total = self._votes.setdefault(entity_id, Counter())
            for vote, count in votes.items():
                total[vote] += sign * count
            self._identities[entity_id] = identities[entity_id]
            self._changed[entity_id] = None

    def settle(self) -> tuple[int, int]:
        """Name the entities whose votes changed; return how many came and how many went."""
        came = went = 0
        for entity_id in self._changed:
            votes = self._votes[entity_id] = +self._votes[entity_id]
            known = entity_id in self.numbers
            if votes and not known:
                self.numbers[entity_id] = self._given
                self._given += 1
                came += 1
            if votes:
                self._name(entity_id, votes)
            else:
                went += self._remove(entity_id)
        self._changed.clear()
        return came, went

    def _name(self, entity_id: str, votes: Counter[Vote]) -> None:
        key, scope = self._identities[entity_id]
        number = self.numbers[entity_id]
        self.elected[number] = elect(entity_id, key, scope, votes)
        self.keys[number] = frozenset(keys_of(key, votes))

    def _remove(self, entity_id: str) -> int:
        del self._votes[entity_id], self._identities[entity_id]
        number = self.numbers.pop(entity_id, None)
        if number is None:
            return 0
        del self.elected[number], self.keys[number]
        return 1
