"""What people decided about names, in ``main.db``."""

from __future__ import annotations

import json
import sqlite3

from clew.records import EntityDecision
from clew.stores.sqlite.seals import seal, unsealed
from clew.stores.sqlite.statements import statements

_SQL = statements("decisions")


class DecisionTable:
    """Reads and writes the table ``decisions`` inside the transaction of ``connection``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def add(self, decision: EntityDecision) -> None:
        row = (
            decision.id,
            decision.key,
            decision.name,
            decision.into_key,
            decision.into_name,
            decision.type,
            json.dumps(decision.doc_ids, ensure_ascii=False),
            decision.scope,
        )
        self._connection.execute(_SQL["add"], (*row, seal(row)))

    def all(self) -> list[EntityDecision]:
        return [
            EntityDecision(
                id=row[0],
                key=row[1],
                name=row[2],
                into_key=row[3],
                into_name=row[4],
                type=row[5],
                doc_ids=tuple(json.loads(row[6])),
                scope=row[7],
            )
            for row in unsealed(self._connection.execute(_SQL["all"]), "decisions")
        ]

    def remove(self, decision_id: str) -> bool:
        """Whether there was one to remove."""
        return self._connection.execute(_SQL["remove"], (decision_id,)).rowcount > 0
