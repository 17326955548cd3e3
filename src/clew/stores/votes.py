"""The votes of documents for the names of entities, counted in tables.

What a commit changes is added up here, and written through the few statements that a store has for
its tables (:class:`VoteTable`). The rules are those of :mod:`clew.stores.naming`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from clew.records import IndexedDocument
from clew.stores.naming import Ballot, ballots_of, keys_of, outcome
from clew.stores.numbering import Counters
from clew.stores.rows import Row, to_json


class VoteTable(Protocol):
    """The tables of entities and of the votes for them, inside one write transaction."""

    def found(self, ids: Collection[str]) -> Iterable[Row]:
        """(id, number, key, scope, name, type, aliases) of those that are there."""
        ...

    def forms(self, numbers: Collection[int]) -> Iterable[Row]:
        """(entity, key, form, titles, mentions, names, aliases)"""
        ...

    def types(self, numbers: Collection[int]) -> Iterable[Row]:
        """(entity, type, count)"""
        ...

    def change_forms(self, put: Sequence[Row], remove: Sequence[Row]) -> None:
        """Put rows as in :meth:`forms`; remove (entity, key, form)."""
        ...

    def change_types(self, put: Sequence[Row], remove: Sequence[Row]) -> None:
        """Put rows as in :meth:`types`; remove (entity, type)."""
        ...

    def change_keys(self, add: Sequence[Row], remove: Sequence[Row]) -> None:
        """Add (key, entity), and remove (entity, key), by which entities are found."""
        ...

    def change_entities(self, put: Sequence[Row], remove: Sequence[int]) -> None:
        """Put (number, id, key, scope, name, type, aliases); remove numbers."""
        ...


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

    def __init__(self, table: VoteTable, counters: Counters) -> None:
        self._table = table
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
        known = {row[0]: row for row in self._table.found(self._changes)}
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
        for entity, key, form, *counts in self._table.forms(old):
            old[entity].before.forms[key, form] = counts
        for entity, kind, count in self._table.types(old):
            old[entity].before.types[kind] = count
        for case in cases:
            if case.known is None:
                case.after = case.changes
            else:
                case.after = case.before.copy()
                case.after.count(case.changes)

    def _write_votes(self, cases: Iterable[_Case]) -> None:
        put: list[Row] = []
        remove: list[Row] = []
        put_types: list[Row] = []
        remove_types: list[Row] = []
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
        self._table.change_forms(sorted(put, key=tuple), remove)
        self._table.change_types(put_types, remove_types)

    def _write_keys(self, cases: Iterable[_Case]) -> None:
        add: list[Row] = []
        remove: list[Row] = []
        for case in cases:
            own_key = case.identity[0]
            before = keys_of(own_key, case.before) if case.known is not None else set()
            after = keys_of(own_key, case.after) if case.after else set()
            if before != after:
                add += [(key, case.number) for key in sorted(after - before)]
                remove += [(case.number, key) for key in before - after]
        self._table.change_keys(add, remove)

    def _write_entities(self, cases: Iterable[_Case]) -> None:
        put: list[Row] = []
        remove: list[int] = []
        for case in cases:
            if not case.after:
                remove.append(case.number)
                continue
            name, kind, aliases = outcome(case.identity[0], case.after)
            elected = (name, kind, to_json(aliases) if aliases else "[]")
            if elected != case.known:
                put.append((case.number, case.entity_id, *case.identity, *elected))
        self._table.change_entities(put, remove)
