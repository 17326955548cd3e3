"""The votes of documents for the names of entities, counted in ``main.db``."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping

from clew.records import Entity, IndexedDocument
from clew.stores.naming import Vote, elect, keys_of, votes_of
from clew.stores.sqlite.documents import as_json
from clew.stores.sqlite.numbering import Counters
from clew.stores.sqlite.rows import to_json
from clew.stores.sqlite.statements import statements

_SQL = statements("entities")

Identity = tuple[str, str]


class VoteLedger:
    """Counts the changes of one commit, then writes them and the names that follow."""

    def __init__(self, connection: sqlite3.Connection, counters: Counters) -> None:
        self._connection = connection
        self._counters = counters
        self._changes: dict[str, Counter[Vote]] = {}
        self._identities: dict[str, Identity] = {}
        self.numbers: dict[str, int] = {}

    def count(self, indexed: IndexedDocument, sign: int) -> None:
        """Add (+1) or take back (-1) the votes of a document."""
        for entity_id, votes in votes_of(indexed).items():
            changes = self._changes.setdefault(entity_id, Counter())
            if sign > 0 and not changes:
                changes.update(votes)
                continue
            for vote, count in votes.items():
                changes[vote] += sign * count
        for entity in indexed.entities:
            self._identities[entity.id] = (entity.key, entity.scope)

    def settle(self) -> tuple[int, int]:
        """Write what has changed; return how many entities came and how many went.

        Afterwards ``numbers`` has the number of every entity that the added documents speak of.
        """
        execute = self._connection.execute
        known = {row[0]: row[1:] for row in execute(_SQL["identities"], (as_json(self._changes),))}
        self.numbers = {entity_id: number for entity_id, (number, _, _) in known.items()}
        before = self._votes_before(self.numbers.values())
        after: dict[str, tuple[int, Counter[Vote]]] = {}
        for entity_id, changes in self._changes.items():
            number = self.numbers.get(entity_id)
            if number is None:
                after[entity_id] = (self._new_number(entity_id), changes)
            else:
                votes = before[number].copy()
                votes.update(changes)
                after[entity_id] = (number, +votes)
                self._identities.setdefault(entity_id, known[entity_id][1:])
        self._write_votes(before, after)
        self._write_keys(set(known), after)
        self._write_entities(after)
        gone = sum(1 for _, votes in after.values() if not votes)
        return len(after) - len(known), gone

    def _new_number(self, entity_id: str) -> int:
        number = self.numbers[entity_id] = self._counters.entity
        self._counters.entity += 1
        return number

    def _votes_before(self, numbers: Iterable[int]) -> dict[int, Counter[Vote]]:
        found: dict[int, Counter[Vote]] = {number: Counter() for number in numbers}
        for entity, kind, key, form, count in self._connection.execute(
            _SQL["votes"], (as_json(found),)
        ):
            found[entity][Vote(kind, key, form)] = count
        return found

    def _write_votes(
        self,
        before: Mapping[int, Counter[Vote]],
        after: Mapping[str, tuple[int, Counter[Vote]]],
    ) -> None:
        put, remove = [], []
        for entity_id, (number, votes) in after.items():
            for vote in self._changes[entity_id]:
                count = votes[vote]
                if count > 0:
                    put.append((number, *vote, count))
                elif vote in before.get(number, ()):
                    remove.append((number, *vote))
        put.sort()
        self._connection.executemany(_SQL["put_vote"], put)
        self._connection.executemany(_SQL["remove_vote"], remove)

    def _write_keys(self, known: set[str], after: Mapping[str, tuple[int, Counter[Vote]]]) -> None:
        execute, executemany = self._connection.execute, self._connection.executemany
        there: dict[int, dict[str, int]] = {after[entity_id][0]: {} for entity_id in known}
        for entity, row, key in execute(_SQL["keys"], (as_json(there),)):
            there[entity][key] = row
        add, remove = [], []
        row = int(execute(_SQL["last_key"]).fetchone()[0])
        for entity_id, (number, votes) in after.items():
            wanted = keys_of(self._identities[entity_id][0], votes) if votes else set()
            old = there.get(number, {})
            for key in sorted(wanted - old.keys()):
                row += 1
                add.append((row, key, number))
            remove += [(old[key], key) for key in old.keys() - wanted]
        executemany(_SQL["add_key"], add)
        executemany(_SQL["add_trigrams"], ((row, f" {key} ") for row, key, _ in add))
        executemany(_SQL["remove_key"], ((row,) for row, _ in remove))
        executemany(_SQL["remove_trigrams"], ((row, f" {key} ") for row, key in remove))

    def _write_entities(self, after: Mapping[str, tuple[int, Counter[Vote]]]) -> None:
        put, remove = [], []
        for entity_id, (number, votes) in after.items():
            if votes:
                put.append(_row(number, elect(entity_id, *self._identities[entity_id], votes)))
            else:
                remove.append((number,))
        self._connection.executemany(_SQL["put"], put)
        self._connection.executemany(_SQL["remove"], remove)


def _row(number: int, entity: Entity) -> tuple[object, ...]:
    return (
        number,
        entity.id,
        entity.key,
        entity.scope,
        entity.name,
        entity.type,
        to_json(entity.aliases) if entity.aliases else "[]",
    )
