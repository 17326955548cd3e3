"""The entities of a graph in memory: counted votes, numbers, names."""

from __future__ import annotations

from clew.records import Entity, IndexedDocument
from clew.stores.naming import Ballot, ballots_of, elect, keys_of


class EntityRegister:
    """Counts what documents say of entities, and decides what the entities are called."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.elected: dict[int, Entity] = {}
        self.keys: dict[int, frozenset[str]] = {}
        self._ballots: dict[str, Ballot] = {}
        self._identities: dict[str, tuple[str, str]] = {}
        self._changed: dict[str, None] = {}
        self._given = 0

    def count(self, indexed: IndexedDocument, sign: int) -> None:
        """Add (+1) or take back (-1) the votes of a document."""
        identities = {entity.id: (entity.key, entity.scope) for entity in indexed.entities}
        for entity_id, ballot in ballots_of(indexed).items():
            self._ballots.setdefault(entity_id, Ballot()).count(ballot, sign)
            self._identities[entity_id] = identities[entity_id]
            self._changed[entity_id] = None

    def settle(self) -> tuple[int, int]:
        """Name the entities whose votes changed; return how many came and how many went."""
        came = went = 0
        for entity_id in self._changed:
            if not self._ballots[entity_id]:
                went += self._remove(entity_id)
                continue
            if entity_id not in self.numbers:
                self.numbers[entity_id] = self._given
                self._given += 1
                came += 1
            self._name(entity_id)
        self._changed.clear()
        return came, went

    def _name(self, entity_id: str) -> None:
        key, scope = self._identities[entity_id]
        ballot = self._ballots[entity_id]
        number = self.numbers[entity_id]
        self.elected[number] = elect(entity_id, key, scope, ballot)
        self.keys[number] = frozenset(keys_of(key, ballot))

    def _remove(self, entity_id: str) -> int:
        del self._ballots[entity_id], self._identities[entity_id]
        number = self.numbers.pop(entity_id, None)
        if number is None:
            return 0
        del self.elected[number], self.keys[number]
        return 1
