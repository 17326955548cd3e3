"""Vectors of another embedder on their way (:class:`clew.stores.powers.Staging`).

They stand in a table of their own, so that writers need not wait for an embedder. Keys are hashes;
no text is in it. Whoever fills it holds a lock of its connection, which the server frees with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from clew.errors import StoreLockedError
from clew.stores.base import EmbeddingSpace, Scores
from clew.stores.postgres.connections import Session, transaction
from clew.stores.postgres.locks import STAGE
from clew.stores.postgres.statements import Statements
from clew.stores.powers import StageState

_SQL = Statements("staging")


class Stage:
    """:class:`clew.stores.powers.VectorStage` on one connection."""

    def __init__(self, session: Session, dimensions: int) -> None:
        self._session = session
        self._dimensions = dimensions

    def get(self, keys: Sequence[str]) -> dict[str, Scores]:
        found = self._session.rows(_SQL["get"], {"keys": list(keys)})
        return {
            key: np.frombuffer(data, "<f4").reshape(-1, self._dimensions) for key, data in found
        }

    def put(self, vectors: Mapping[str, Scores]) -> None:
        rows = [
            (key, np.ascontiguousarray(value, "<f4").tobytes()) for key, value in vectors.items()
        ]
        with transaction(self._session.connection):
            self._session.many(_SQL["put"], rows)

    def drop(self) -> None:
        _clear(self._session)


@contextmanager
def staged(session: Session, space: EmbeddingSpace, shown: str) -> Iterator[Stage]:
    """The stage for ``space``; what was made by another embedder is thrown away. Raises
    :class:`StoreLockedError`, which names the store as ``shown``, while another has it.
    """
    with _held(session, shown):
        wanted = (space.fingerprint, space.dimensions)
        if session.one(_SQL["space"]) != wanted:
            with transaction(session.connection):
                session.run(_SQL["clear_space"])
                session.run(_SQL["clear"])
                asked = {"fingerprint": space.fingerprint, "dimensions": space.dimensions}
                session.run(_SQL["set_space"], asked)
        yield Stage(session, space.dimensions)


def stage_state(session: Session) -> StageState | None:
    row = session.one(_SQL["space"])
    if row is None:
        return None
    space = EmbeddingSpace(fingerprint=row[0], dimensions=row[1])
    return StageState(space=space, vectors=int(session.row(_SQL["count"])[0]))


def unstage(session: Session, keys: Iterable[str] | None, shown: str) -> None:
    """Take vectors off the stage, or throw it away. That raises :class:`StoreLockedError` while
    somebody fills it.
    """
    if keys is not None:
        session.run(_SQL["remove"], {"keys": list(keys)})
        return
    with _held(session, shown):
        _clear(session)


def _clear(session: Session) -> None:
    with transaction(session.connection):
        session.run(_SQL["clear_space"])
        session.run(_SQL["clear"])


@contextmanager
def _held(session: Session, shown: str) -> Iterator[None]:
    if not session.row(_SQL["hold"], {"number": STAGE})[0]:
        raise StoreLockedError(
            f"{shown}: another process is embedding this store anew; wait for it, or stop it: what "
            "it has done is kept"
        )
    try:
        yield
    finally:
        if not session.connection.closed:
            session.row(_SQL["let_go"], {"number": STAGE})
