"""The votes of documents for the names of entities, counted in ``main.db``."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field

from clew.records import IndexedDocument
from clew.stores.naming import Ballot, ballots_of, keys_of, outcome
from clew.stores.sqlite.documents import as_json
from clew.stores.sqlite.numbering import Counters
from clew.stores.sqlite.rows import to_json
from clew.stores.sqlite.seals import seal
from clew.stores.sqlite.statements import statements

_SQL = statements("entities")


@dataclass(slots=True)
class _Case:
    """One entity whose votes change. ``identity`` is its key and scope, which never change;
    ``known`` its name, type and aliases as they are in the table, if it is there.
    """

    entity_id: str
    number: int
    identity: tuple[str, str]
    changes: Ballot
    known: tuple[str, ...] | None = None
    before: Ballot = field(default_factory=Ballot)
    after: Ballot = field(default_factory=Ballot)


class VoteLedger:
    """Counts the changes of one commit, then writes them and the names that follow."""

    def __init__(self, connection: sqlite3.Connection, counters: Counters) -> None:
        self._connection = connection
        self._counters = counters
        self._changes: dict[str, Ballot] = {}
        self._identities: dict[str, tuple[str, str]] = {}
        self.numbers: dict[str, int] = {}

    def count(self, indexed: IndexedDocument, sign: int) -> None:
        """Add (+1) or take back (-1) the votes of a document."""
        for entity_id, ballot in ballots_of(indexed).items():
            changes = self._changes.get(entity_id)
            if changes is None and sign > 0:
                self._changes[entity_id] = ballot
            else:
                self._changes.setdefault(entity_id, Ballot()).count(ballot, sign)
        for entity in indexed.entities:
            self._identities[entity.id] = (entity.key, entity.scope)

    def settle(self) -> tuple[int, int]:
        """Write what has changed; return how many entities came and how many went.

        Afterwards ``numbers`` has the number of every entity that the added documents speak of.
        """
        cases = self._cases()
        self._count_votes(cases)
        self._write_votes(cases)
        self._write_keys(cases)
        self._write_entities(cases)
        came = sum(1 for case in cases if case.known is None)
        return came, sum(1 for case in cases if not case.after)

    def _cases(self) -> list[_Case]:
        found = self._connection.execute(_SQL["by_id"], (as_json(self._changes),)).fetchall()
        known = {row[0]: row for row in found}
        cases = []
        for entity_id, changes in self._changes.items():
            row = known.get(entity_id)
            if row is None:
                identity = self._identities[entity_id]
                cases.append(_Case(entity_id, self._counters.entity, identity, changes))
                self._counters.entity += 1
            else:
                _, number, key, scope, *elected = row
                case = _Case(entity_id, number, (key, scope), changes, tuple(elected))
                cases.append(case)
        self.numbers = {case.entity_id: case.number for case in cases}
        return cases

    def _count_votes(self, cases: Iterable[_Case]) -> None:
        old = {case.number: case for case in cases if case.known is not None}
        asked = (as_json(old),)
        for entity, key, form, *counts in self._connection.execute(_SQL["forms"], asked):
            old[entity].before.forms[key, form] = counts
        for entity, kind, count in self._connection.execute(_SQL["types"], asked):
            old[entity].before.types[kind] = count
        for case in cases:
            if case.known is None:
                case.after = case.changes
            else:
                case.after = case.before.copy()
                case.after.count(case.changes)

    def _write_votes(self, cases: Iterable[_Case]) -> None:
        put, remove, put_types, remove_types = [], [], [], []
        for case in cases:
            for form in case.changes.forms:
                counts = case.after.forms.get(form)
                if counts is not None:
                    put.append((case.number, *form, *counts))
                else:
                    remove.append((case.number, *form))
            for kind in case.changes.types:
                count = case.after.types.get(kind)
                if count is not None:
                    put_types.append((case.number, kind, count))
                else:
                    remove_types.append((case.number, kind))
        put.sort()
        self._connection.executemany(_SQL["put_form"], put)
        self._connection.executemany(_SQL["remove_form"], remove)
        self._connection.executemany(_SQL["put_type"], put_types)
        self._connection.executemany(_SQL["remove_type"], remove_types)

    def _write_keys(self, cases: Iterable[_Case]) -> None:
        add: list[tuple[str, int]] = []
        remove: list[tuple[int, str]] = []
        for case in cases:
            own_key = case.identity[0]
            before = keys_of(own_key, case.before) if case.known is not None else set()
            after = keys_of(own_key, case.after) if case.after else set()
            if before != after:
                add += [(key, case.number) for key in sorted(after - before)]
                remove += [(case.number, key) for key in before - after]
        self._remove_keys(remove)
        execute, executemany = self._connection.execute, self._connection.executemany
        first = int(execute(_SQL["last_key"]).fetchone()[0]) + 1
        rows = list(enumerate(add, first))
        executemany(_SQL["add_key"], [(row, *item, seal((row, *item))) for row, item in rows])
        executemany(_SQL["add_trigrams"], [(row, f" {key} ") for row, (key, _) in rows])

    def _remove_keys(self, gone: Iterable[tuple[int, str]]) -> None:
        for entity, key in gone:
            (row,) = self._connection.execute(_SQL["row_of_key"], (entity, key)).fetchone()
            self._connection.execute(_SQL["remove_key"], (row,))
            self._connection.execute(_SQL["remove_trigrams"], (row, f" {key} "))

    def _write_entities(self, cases: Iterable[_Case]) -> None:
        put, remove = [], []
        for case in cases:
            if not case.after:
                remove.append((case.number,))
                continue
            name, kind, aliases = outcome(case.identity[0], case.after)
            elected = (name, kind, to_json(aliases) if aliases else "[]")
            if elected != case.known:
                values = (case.number, case.entity_id, name, case.identity[0], kind, elected[2])
                sum_ = seal((*values, case.identity[1]))
                put.append((case.number, case.entity_id, *case.identity, *elected, sum_))
        self._connection.executemany(_SQL["put"], put)
        self._connection.executemany(_SQL["remove"], remove)
