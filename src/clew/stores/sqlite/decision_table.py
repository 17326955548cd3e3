"""What people decided about names, in ``main.db``."""

from __future__ import annotations

import sqlite3

from clew.records import EntityDecision
from clew.stores.book_rows import decision_of, decision_row
from clew.stores.sqlite.seals import seal, unsealed
from clew.stores.sqlite.statements import statements

_SQL = statements("decisions")


class DecisionTable:
    """Reads and writes the table ``decisions`` inside the transaction of ``connection``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def add(self, decision: EntityDecision) -> None:
        row = decision_row(decision)
        self._connection.execute(_SQL["add"], (*row, seal(row)))

    def all(self) -> list[EntityDecision]:
        rows = unsealed(self._connection.execute(_SQL["all"]), "decisions")
        return [decision_of(row) for row in rows]

    def remove(self, decision_id: str) -> bool:
        """Whether there was one to remove."""
        return self._connection.execute(_SQL["remove"], (decision_id,)).rowcount > 0
