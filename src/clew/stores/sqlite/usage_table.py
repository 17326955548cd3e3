"""The books of :mod:`clew.stores.usage` in ``main.db``."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from clew.models.base import UsageEntry
from clew.stores.book_rows import usage_of, usage_row
from clew.stores.sqlite.documents import as_json
from clew.stores.sqlite.statements import statements

_SQL = statements("usage")


class UsageTable:
    """Reads and writes the table ``usage`` inside the transaction of ``connection``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def add(self, entries: Iterable[UsageEntry]) -> None:
        self._connection.executemany(_SQL["add"], map(usage_row, entries))

    def entries(self) -> list[UsageEntry]:
        return [usage_of(row) for row in self._connection.execute(_SQL["all"])]

    def forget(self, documents: Iterable[str]) -> None:
        """Keep what was used, without these documents and without the words of any question."""
        gone = as_json(sorted(documents))
        self._connection.execute(_SQL["add_nameless"], (gone, gone))
        self._connection.execute(_SQL["remove_named"], (gone,))
