"""Entities and the votes for them, in ``main.db`` (:class:`clew.stores.votes.VoteTable`)."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence

from clew.stores.rows import Row
from clew.stores.sqlite.documents import as_json
from clew.stores.sqlite.seals import seal
from clew.stores.sqlite.statements import statements

_SQL = statements("entities")


class SQLiteVoteTable:
    """Reads and writes inside the transaction of ``connection``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute = connection.execute
        self._many = connection.executemany

    def found(self, ids: Collection[str]) -> Iterable[Row]:
        return self._execute(_SQL["by_id"], (as_json(ids),)).fetchall()

    def forms(self, numbers: Collection[int]) -> Iterable[Row]:
        return self._execute(_SQL["forms"], (as_json(numbers),))

    def types(self, numbers: Collection[int]) -> Iterable[Row]:
        return self._execute(_SQL["types"], (as_json(numbers),))

    def change_forms(self, put: Sequence[Row], remove: Sequence[Row]) -> None:
        self._many(_SQL["put_form"], put)
        self._many(_SQL["remove_form"], remove)

    def change_types(self, put: Sequence[Row], remove: Sequence[Row]) -> None:
        self._many(_SQL["put_type"], put)
        self._many(_SQL["remove_type"], remove)

    def change_keys(self, add: Sequence[Row], remove: Sequence[Row]) -> None:
        for entity, key in remove:
            (row,) = self._execute(_SQL["row_of_key"], (entity, key)).fetchone()
            self._execute(_SQL["remove_key"], (row,))
            self._execute(_SQL["remove_trigrams"], (row, f" {key} "))
        first = int(self._execute(_SQL["last_key"]).fetchone()[0]) + 1
        rows = list(enumerate(add, first))
        self._many(_SQL["add_key"], [(row, *item, seal((row, *item))) for row, item in rows])
        self._many(_SQL["add_trigrams"], [(row, f" {key} ") for row, (key, _) in rows])

    def change_entities(self, put: Sequence[Row], remove: Sequence[int]) -> None:
        self._many(_SQL["put"], ((*row, _seal_of_entity(*row)) for row in put))
        self._many(_SQL["remove"], [(number,) for number in remove])


def _seal_of_entity(
    number: int, id_: str, key: str, scope: str, name: str, kind: str, aliases: str
) -> int:
    return seal((number, id_, name, key, kind, aliases, scope))
