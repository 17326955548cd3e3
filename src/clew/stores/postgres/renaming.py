"""Merges that were taken back stay so when their document goes on under another id."""

from __future__ import annotations

from collections.abc import Iterable

from clew.stores.base import Renaming
from clew.stores.postgres.connections import Session, sayable
from clew.stores.postgres.statements import Statements

_SQL = Statements("writing")


def rename_undone(session: Session, renamed: Iterable[Renaming]) -> None:
    """Move them, inside a transaction that holds these documents. All are taken out before any is
    put back: of several documents, each may take the id of another.
    """
    moves = {one.before: one for one in renamed if one.before != one.after and sayable(one.before)}
    if not moves:
        return
    taken = session.rows(_SQL["take_undone"], {"ids": sorted(moves)})
    session.many(
        _SQL["put_undone"],
        [
            (moves[before].after, moves[before].merges.get(merge_id, merge_id))
            for before, merge_id in taken
        ],
    )
