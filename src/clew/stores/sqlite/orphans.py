"""Rows whose owner is not there: records of no document, lines of an index of no segment."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from clew.stores.base import Problem
from clew.stores.sqlite.statements import statements


def find_orphans(connection: sqlite3.Connection) -> Iterator[Problem]:
    """Yield a problem for each table that has such rows."""
    for table, statement in statements("orphans").items():
        (count,) = connection.execute(statement).fetchone()
        if count:
            yield Problem(
                kind="orphan",
                where=f"main.db: {table}",
                message=f"{count} rows belong to nothing that is there",
            )


def ownerless_merges(connection: sqlite3.Connection) -> int:
    """How many merged names belong to no document. Documents count their other records: of these
    nobody would know that they are lost.
    """
    (count,) = connection.execute(statements("orphans")["merges"]).fetchone()
    return int(count)
