"""What is kept beside the records of a document goes on under its new id."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from clew.stores.base import Renaming
from clew.stores.sqlite.statements import statements

_SQL = statements("renaming")


_UNDERWAY = "moving:"
"""Begins the id of a document between two: of several, each may take the id of another."""


def rename_beside(connection: sqlite3.Connection, renamed: Iterable[Renaming]) -> None:
    """Move replies, merges that were taken back and lines of the books, inside a transaction."""
    moves = [one for one in renamed if one.before != one.after]
    for one in moves:
        for merge_id, anew in one.merges.items():
            connection.execute(_SQL["undone_merge"], (anew, one.before, merge_id))
        _rename(connection, one.before, _UNDERWAY + one.after)
    for one in moves:
        _rename(connection, _UNDERWAY + one.after, one.after)


def _rename(connection: sqlite3.Connection, before: str, after: str) -> None:
    for statement in ("undone_merges", "replies", "usage"):
        connection.execute(_SQL[statement], (after, before))
    connection.execute(_SQL["remove_usage"], (before,))
