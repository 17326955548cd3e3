"""Vectors of another embedder on their way: a database of its own beside ``main.db``.

Apart from it, so that writers need not wait for an embedder, and nothing that serves grows. Keys
are hashes; no text is in it. Whoever fills it holds a lock that the system frees with the process.
All of it can be made again: what does not match its checksum is as good as absent, and a file that
cannot be read is begun anew.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from zlib import crc32

import numpy as np
from filelock import FileLock, Timeout

from clew.errors import ReadOnlyStoreError, StoreCorruptError, StoreLockedError
from clew.stores.base import EmbeddingSpace, Scores
from clew.stores.files import named_errors
from clew.stores.powers import StageState
from clew.stores.sqlite.connections import sqlite_errors, transaction
from clew.stores.sqlite.documents import as_json
from clew.stores.sqlite.folder import StoreFolder
from clew.stores.sqlite.statements import script, statements

_SQL = statements("staging")
_ASKED = 500
_TIMEOUT_S = 30.0
_SUM_BYTES = 4
_DAMAGED = (StoreCorruptError, ReadOnlyStoreError)
"""A flipped bit in its head makes SQLite take a database for one that it may only read."""

_UNREADABLE = EmbeddingSpace(fingerprint="nobody knows which embedder (damaged)", dimensions=1)


class StagingDatabase:
    """The stage of a store; it is there while a migration is not finished."""

    def __init__(self, folder: StoreFolder) -> None:
        self.path = folder.staging
        self._lock = folder.staging.with_suffix(".lock")

    @contextmanager
    def opened(self, space: EmbeddingSpace) -> Iterator[Stage]:
        """The stage for ``space``. Raises :class:`StoreLockedError` while another has it."""
        with self._locked(), closing(self._begun(space)) as connection:
            stage = Stage(connection, self.path, space.dimensions)
            yield stage
            if stage.is_dropped:
                connection.close()
                self._remove()

    def state(self) -> StageState | None:
        if not self.path.exists():
            return None
        try:
            return self._state()
        except StoreCorruptError:
            return StageState(space=_UNREADABLE, vectors=0)

    def _state(self) -> StageState | None:
        with closing(self._connect(create=False)) as connection, sqlite_errors(self.path):
            if not connection.execute(_SQL["is_there"]).fetchone():
                return None
            row = connection.execute(_SQL["space"]).fetchone()
            (vectors,) = connection.execute(_SQL["count"]).fetchone()
        if row is None:
            return None
        space = EmbeddingSpace(fingerprint=row[0], dimensions=row[1])
        return StageState(space=space, vectors=vectors)

    def discard(self) -> None:
        """Throw the stage away. Raises :class:`StoreLockedError` while somebody fills it."""
        with self._locked():
            self._remove()

    def forget(self, keys: Iterable[str]) -> None:
        """Take vectors off the stage; their room is overwritten. All go when it is damaged."""
        if not self.path.exists():
            return
        try:
            with closing(self._connect(create=False)) as connection, sqlite_errors(self.path):
                connection.execute("PRAGMA secure_delete = ON")
                with transaction(connection, "IMMEDIATE"):
                    connection.execute(_SQL["remove"], (as_json(list(keys)),))
        except _DAMAGED:
            self.discard()

    def _begun(self, space: EmbeddingSpace) -> sqlite3.Connection:
        """A connection to a stage for ``space`` that can be read from end to end."""
        try:
            return self._whole(space)
        except _DAMAGED:
            self._remove()
            return self._whole(space)

    def _whole(self, space: EmbeddingSpace) -> sqlite3.Connection:
        connection = self._connect(create=True)
        try:
            with sqlite_errors(self.path):
                _require_whole(connection)
                _begin(connection, space)
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect(self, *, create: bool) -> sqlite3.Connection:
        mode = "rwc" if create else "rw"
        with sqlite_errors(self.path):
            connection = sqlite3.connect(
                f"{self.path.resolve().as_uri()}?mode={mode}",
                uri=True,
                timeout=_TIMEOUT_S,
                isolation_level=None,
            )
            try:
                connection.execute("PRAGMA synchronous = FULL")
            except sqlite3.Error:
                connection.close()
                raise
        return connection

    def _remove(self) -> None:
        with named_errors(self.path):
            for suffix in ("", "-journal"):
                Path(f"{self.path}{suffix}").unlink(missing_ok=True)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        lock = FileLock(str(self._lock), thread_local=False)
        with named_errors(self._lock):
            try:
                lock.acquire(timeout=0)
            except Timeout as error:
                raise StoreLockedError(
                    f"{self.path.parent}: another process is embedding this store anew; wait for "
                    "it, or stop it: what it has done is kept"
                ) from error
        try:
            yield
        finally:
            lock.release()


class Stage:
    """:class:`clew.stores.powers.VectorStage` on one connection."""

    def __init__(self, connection: sqlite3.Connection, path: Path, dimensions: int) -> None:
        self.is_dropped = False
        self._connection = connection
        self._path = path
        self._dimensions = dimensions

    def get(self, keys: Sequence[str]) -> dict[str, Scores]:
        found: dict[str, Scores] = {}
        with sqlite_errors(self._path):
            for start in range(0, len(keys), _ASKED):
                asked = as_json(keys[start : start + _ASKED])
                for key, data in self._connection.execute(_SQL["get"], (asked,)):
                    if data[-_SUM_BYTES:] == _sum_of(key, data[:-_SUM_BYTES]):
                        values = np.frombuffer(data[:-_SUM_BYTES], "<f4")
                        found[key] = values.reshape(-1, self._dimensions)
        return found

    def put(self, vectors: Mapping[str, Scores]) -> None:
        plain = [
            (key, np.ascontiguousarray(value, "<f4").tobytes()) for key, value in vectors.items()
        ]
        rows = [(key, data + _sum_of(key, data)) for key, data in plain]
        with sqlite_errors(self._path), transaction(self._connection, "IMMEDIATE"):
            self._connection.executemany(_SQL["put"], rows)

    def drop(self) -> None:
        self.is_dropped = True


def _sum_of(key: str, data: bytes) -> bytes:
    return crc32(data, crc32(key.encode())).to_bytes(_SUM_BYTES, "little")


def _require_whole(connection: sqlite3.Connection) -> None:
    (said,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if said != "ok":
        raise StoreCorruptError(said)
    connection.execute("PRAGMA user_version = 0")  # can it be written?


def _begin(connection: sqlite3.Connection, space: EmbeddingSpace) -> None:
    """Make the tables; throw away what was made by another embedder."""
    with transaction(connection, "IMMEDIATE"):
        if not connection.execute(_SQL["is_there"]).fetchone():
            for statement in script("staging_layout").split(";"):
                connection.execute(statement)
        wanted = (space.fingerprint, space.dimensions)
        if connection.execute(_SQL["space"]).fetchone() != wanted:
            connection.execute(_SQL["clear_space"])
            connection.execute(_SQL["clear"])
            connection.execute(_SQL["set_space"], wanted)
