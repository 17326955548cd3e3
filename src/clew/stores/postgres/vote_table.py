"""Entities and the votes for them (:class:`clew.stores.votes.VoteTable`).

A row that changes is removed and put anew: many at once, by two statements.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from clew.stores.naming import trigrams
from clew.stores.postgres.connections import Session
from clew.stores.postgres.statements import Statements
from clew.stores.rows import Row
from clew.stores.spelling import initials_of

_SQL = Statements("entities")

_COPYING = Statements("copying")


class PostgresVoteTable:
    """Reads and writes inside the transaction of ``session``, whose writer holds what is shared."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def found(self, ids: Collection[str]) -> Iterable[Row]:
        return self._session.rows(_SQL["found"], {"ids": list(ids)})

    def forms(self, numbers: Collection[int]) -> Iterable[Row]:
        return self._session.rows(_SQL["forms"], {"numbers": list(numbers)})

    def types(self, numbers: Collection[int]) -> Iterable[Row]:
        return self._session.rows(_SQL["types"], {"numbers": list(numbers)})

    def change_forms(self, put: Sequence[Row], remove: Sequence[Row]) -> None:
        gone = [*remove, *put]
        if gone:
            columns = _columns(gone, ("entities", "keys", "forms"))
            self._session.run(_SQL["remove_forms"], columns)
        self._copy("entity_forms", put)

    def change_types(self, put: Sequence[Row], remove: Sequence[Row]) -> None:
        gone = [*remove, *put]
        if gone:
            self._session.run(_SQL["remove_types"], _columns(gone, ("entities", "types")))
        self._copy("entity_types", put)

    def change_keys(self, add: Sequence[Row], remove: Sequence[Row]) -> None:
        if remove:
            self._session.run(_SQL["remove_keys"], _columns(remove, ("entities", "keys")))
        self._copy(
            "entity_keys",
            [(entity, key, *initials_of(key), sorted(trigrams(key))) for key, entity in add],
        )

    def change_entities(self, put: Sequence[Row], remove: Sequence[int]) -> None:
        gone = [*remove, *(row[0] for row in put)]
        if gone:
            self._session.run(_SQL["remove"], {"numbers": gone})
        self._copy("entities", put)

    def _copy(self, table: str, rows: Sequence[Row]) -> None:
        if rows:
            self._session.copy(_COPYING[table], rows)


def _columns(rows: Sequence[Row], names: Sequence[str]) -> dict[str, list[Any]]:
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}
