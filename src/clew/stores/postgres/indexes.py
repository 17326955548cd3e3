"""The indexes of vectors: made when a layer has outgrown exact search, dropped with their space.

An index is derived: searches are right without it, and slower. It is made after the commit that
made it worth while, without keeping others from reading or writing; PostgreSQL keeps it up to date
from then on. When it cannot be made now, the next commit tries again.
"""

from __future__ import annotations

from psycopg import errors

from clew.stores.base import Layer
from clew.stores.postgres.connections import Session
from clew.stores.postgres.state import read_state
from clew.stores.postgres.statements import Statements
from clew.stores.postgres.vectors import can_be_indexed, index_name

_SQL = Statements("indexes")
_LAYERS: tuple[Layer, Layer] = ("chunk", "unit")
_MEMORY = "512MB"
_PATIENCE = "5s"
"""An index is made when all that was being read before has been read; a long reading block is not
waited for, least of all one of the same thread.
"""


def tidy_indexes(session: Session, exact_up_to: int) -> None:
    """Make the indexes that are due and drop those of spaces that are gone, unless somebody else
    is at it. Outside of any transaction.
    """
    state = read_state(session)
    wanted = {
        index_name(layer, state.space): layer
        for layer in _LAYERS
        if can_be_indexed(state, layer, exact_up_to)
    }
    there = dict(session.rows(_SQL["list"]))
    stale = [name for name, valid in there.items() if name not in wanted or not valid]
    missing = [name for name in wanted if not there.get(name, False)]
    if not stale and not missing:
        return
    (ours,) = session.row(_SQL["try_lock"])
    if not ours:
        return
    memory, patience = session.row(_SQL["current"])
    session.row(_SQL["settings"], {"memory": _MEMORY, "lock_timeout": _PATIENCE})
    try:
        for name in stale:
            session.run(_SQL.named("drop", name=name))
        for name in missing:
            places = {"layer": wanted[name], "dimensions": state.dimensions or 0}
            session.run(_SQL.named("make", name=name, space=state.space, **places))
    except errors.LockNotAvailable:
        return
    finally:
        session.row(_SQL["settings"], {"memory": memory, "lock_timeout": patience})
        session.row(_SQL["unlock"])
