"""The books of :mod:`clew.stores.usage` in ``main.db``."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from clew.models.base import Usage, UsageEntry
from clew.stores.rows import Row
from clew.stores.sqlite.documents import as_json
from clew.stores.sqlite.statements import statements

_SQL = statements("usage")


class UsageTable:
    """Reads and writes the table ``usage`` inside the transaction of ``connection``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def add(self, entries: Iterable[UsageEntry]) -> None:
        self._connection.executemany(_SQL["add"], map(_row, entries))

    def entries(self) -> list[UsageEntry]:
        return [_entry(row) for row in self._connection.execute(_SQL["all"])]

    def forget(self, documents: Iterable[str]) -> None:
        """Keep what was used, without these documents and without the words of any question."""
        gone = as_json(sorted(documents))
        self._connection.execute(_SQL["add_nameless"], (gone, gone))
        self._connection.execute(_SQL["remove_named"], (gone,))


def _row(entry: UsageEntry) -> Row:
    usage = entry.usage
    return (
        *entry.key,
        usage.calls,
        usage.cached_calls,
        usage.input_tokens,
        usage.output_tokens,
        entry.estimated_tokens,
        entry.seconds,
        entry.cost or 0.0,
    )


def _entry(row: Row) -> UsageEntry:
    scope, day, stage, document_id, question, model, currency = row[:7]
    calls, cached, read, written, estimated, seconds, cost = row[7:]
    return UsageEntry(
        scope=scope,
        day=day,
        stage=stage,
        document_id=document_id,
        question=question,
        model=model,
        usage=Usage(calls=calls, cached_calls=cached, input_tokens=read, output_tokens=written),
        estimated_tokens=estimated,
        seconds=seconds,
        cost=cost if currency else None,
        currency=currency,
    )
