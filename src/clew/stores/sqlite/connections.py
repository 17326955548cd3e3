"""Connections to ``main.db``: how they are opened, shared between threads, and what they raise."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from urllib.parse import quote

from clew.errors import (
    ReadOnlyStoreError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreLockedError,
)
from clew.stores.files import no_room, said_of_room
from clew.stores.sqlite.seals import RESTORE, DamagedPartError

LEAST_SQLITE = (3, 34, 0)

_PRIMARY = 0xFF


def connect(
    path: Path, *, read_only: bool, timeout_s: float, immutable: bool = False
) -> sqlite3.Connection:
    """Open ``path``; transactions are begun and ended by us alone. ``immutable`` promises that
    nobody can write it, so that nothing need be created beside it.
    """
    if sqlite3.sqlite_version_info < LEAST_SQLITE:
        raise StoreError(
            f"SQLite {sqlite3.sqlite_version} is too old: clew needs "
            f"{'.'.join(map(str, LEAST_SQLITE))} or newer"
        )
    mode = "ro" if read_only else "rw"
    with sqlite_errors(path):
        connection = sqlite3.connect(
            f"file:{quote(str(path.resolve()))}?mode={mode}{'&immutable=1' if immutable else ''}",
            uri=True,
            timeout=timeout_s,
            isolation_level=None,
            check_same_thread=False,
        )
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        return connection


_CACHE_KIB = 32 * 1024
"""Pages of the indexes that a batch touches all over."""


class ConnectionPool:
    """Read connections: each ``with`` block has one of its own, so any thread may read."""

    def __init__(
        self, path: Path, *, read_only: bool, timeout_s: float, immutable: bool = False
    ) -> None:
        self._path = path
        self._immutable = immutable
        self._read_only = read_only
        self._timeout_s = timeout_s
        self._lock = Lock()
        self._idle: list[sqlite3.Connection] = []
        self._abandoned: list[sqlite3.Connection] = []
        self._process = os.getpid()
        self._closed = False

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        connection = self._take()
        try:
            yield connection
        finally:
            self._give_back(connection)

    def _take(self) -> sqlite3.Connection:
        with self._lock:
            if self._closed:
                raise StoreError(f"the store at {self._path.parent} is closed; open it again")
            if self._process != os.getpid():
                # A connection must not cross a fork; those of the parent are its own to close.
                self._abandoned = self._idle
                self._idle, self._process = [], os.getpid()
            if self._idle:
                return self._idle.pop()
        connection = connect(
            self._path,
            read_only=self._read_only,
            timeout_s=self._timeout_s,
            immutable=self._immutable,
        )
        connection.execute("PRAGMA query_only = ON")
        return connection

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()


@contextmanager
def transaction(connection: sqlite3.Connection, kind: str) -> Iterator[None]:
    """``BEGIN kind`` … ``COMMIT``; whatever is raised inside rolls back."""
    connection.execute(f"BEGIN {kind}")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def empty_log(connection: sqlite3.Connection, timeout_s: float) -> None:
    """Move all of the log into the database and cut it to nothing, unless somebody still reads."""
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(timeout_s * 1000)}")


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite says, and what does not match its checksum, into errors of clew."""
    try:
        yield
    except DamagedPartError as error:
        raise StoreCorruptError(f"{path}: {error}{_PART_DAMAGED}") from error
    except sqlite3.Error as error:
        raise _named(path, error) from error
    except UnicodeDecodeError as error:
        raise StoreCorruptError(f"{path}: a text in it is none ({error}){_DAMAGED}") from error
    except UnicodeEncodeError as error:
        raise StoreError(
            f"{path}: {error.object[error.start : error.start + 1]!r} cannot be stored: half of a "
            "surrogate pair is no character. Decode the text anew with errors='replace'"
        ) from error


def _named(path: Path, error: sqlite3.Error) -> StoreError:
    primary = getattr(error, "sqlite_errorcode", 0) & _PRIMARY
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    if primary == sqlite3.SQLITE_FULL or (name in _UNWRITTEN and no_room(path)):
        return StoreFullError(f"{path}: {error} ({name}): {said_of_room(path)}")
    kind, remedy = _REMEDIES.get(primary, _OTHERWISE)
    return kind(f"{path}: {error} ({name}){remedy}")


_UNWRITTEN = {
    "SQLITE_CANTOPEN",
    "SQLITE_IOERR_DIR_FSYNC",
    "SQLITE_IOERR_FSYNC",
    "SQLITE_IOERR_SHMMAP",
    "SQLITE_IOERR_SHMOPEN",
    "SQLITE_IOERR_SHMSIZE",
    "SQLITE_IOERR_TRUNCATE",
    "SQLITE_IOERR_WRITE",
}
"""What SQLite says of a quota or a limit, and of a disk that fails."""
_DAMAGED = f". The store is damaged, and was left untouched. {RESTORE}"
_PART_DAMAGED = (
    ". The store is damaged, and was left untouched. `clew doctor --fix` makes anew what is "
    f"derived from the records; where these are damaged: {RESTORE}"
)
_OTHERWISE = (StoreCorruptError, _DAMAGED)
"""All statements are ours and known to be good: SQLite finds fault with one when the tables are not
those that it speaks of, and with a row or text when it is not what was written.
"""
_REMEDIES: dict[int, tuple[type[StoreError], str]] = {
    sqlite3.SQLITE_READONLY: (
        ReadOnlyStoreError,
        ": the store cannot be written. Change its permissions, or open it with read_only=True",
    ),
    sqlite3.SQLITE_PERM: (ReadOnlyStoreError, ": the store cannot be opened with your rights"),
    sqlite3.SQLITE_CANTOPEN: (
        ReadOnlyStoreError,
        ": check that the folder and the files in it can be read and written",
    ),
    sqlite3.SQLITE_BUSY: (StoreLockedError, ": another process holds the store; try again later"),
    sqlite3.SQLITE_IOERR: (
        StoreError,
        (
            ": the file system failed; what was committed before is whole. See to the disk, then "
            "run `clew check`"
        ),
    ),
    sqlite3.SQLITE_PROTOCOL: (StoreLockedError, ": another process holds the store; try again"),
    sqlite3.SQLITE_NOMEM: (StoreError, ": no memory is left"),
    sqlite3.SQLITE_INTERRUPT: (StoreError, ": it was interrupted; nothing was changed"),
    sqlite3.SQLITE_TOOBIG: (StoreError, ": a text is longer than SQLite can hold"),
    sqlite3.SQLITE_MISUSE: (StoreError, ""),
}
