"""Connections to the database: opened with our settings, shared by threads, never across a fork."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from threading import Lock
from typing import Any

import psycopg
from psycopg import sql
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool

from clew.errors import StoreError
from clew.stores.addresses import DatabaseAddress
from clew.stores.postgres.adapting import adapt

Connection = psycopg.Connection[tuple[Any, ...]]
Parameters = Mapping[str, Any] | Sequence[Any] | None

MOST_CONNECTIONS = 16
"""Of one process: a server has a hundred for everybody."""

_NAME = "clew"


def connect(address: DatabaseAddress, timeout_s: float) -> Connection:
    """One connection with the settings of every other; transactions are begun by us alone."""
    connection = psycopg.connect(
        address.conninfo,
        autocommit=True,
        prepare_threshold=None,
        connect_timeout=_whole_seconds(timeout_s),
        application_name=_NAME,
    )
    try:
        _configure(connection, address.schema, timeout_s)
    except BaseException:
        connection.close()
        raise
    return connection


def _configure(connection: Connection, schema: str, timeout_s: float) -> None:
    """``jit`` costs more than the short statements here; plans are made for the numbers asked
    about, so nothing is prepared.
    """
    row = connection.execute(
        "SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
        "WHERE e.extname = 'vector'"
    ).fetchone()
    path = [schema, *([str(row[0])] if row else []), "public"]
    connection.execute(
        sql.SQL("SET search_path = {}").format(
            sql.SQL(", ").join(map(sql.Identifier, dict.fromkeys(path)))
        )
    )
    connection.execute(
        sql.SQL("SET lock_timeout = {}; SET jit = off; SET client_min_messages = warning").format(
            sql.Literal(int(timeout_s * 1000))
        )
    )
    adapt(connection)


def _whole_seconds(timeout_s: float) -> int:
    """What the driver counts in; it takes less than two for two."""
    return max(int(timeout_s), 2)


class Connections:
    """The pool of one store in this process; a forked child makes one of its own."""

    def __init__(self, address: DatabaseAddress, timeout_s: float) -> None:
        self._address = address
        self._timeout_s = timeout_s
        self._lock = Lock()
        self._process = os.getpid()
        self._closed = False
        self._abandoned: list[ConnectionPool[Connection]] = []
        self._pool: ConnectionPool[Connection] | None = None

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection for this block alone; whatever it began and did not end is rolled back."""
        pool = self._open_pool()
        with pool.connection(timeout=self._timeout_s) as connection:
            try:
                yield connection
            finally:
                if connection.info.transaction_status in _UNDER_WAY:
                    connection.execute("ROLLBACK")

    def _open_pool(self) -> ConnectionPool[Connection]:
        with self._lock:
            if self._closed:
                raise StoreError(f"the store at {self._address.shown} is closed; open it again")
            if self._process != os.getpid():
                if self._pool is not None:
                    self._abandoned.append(self._pool)
                self._pool, self._process = None, os.getpid()
            if self._pool is None:
                self._pool = ConnectionPool(
                    self._address.conninfo,
                    kwargs={
                        "autocommit": True,
                        "prepare_threshold": None,
                        "connect_timeout": _whole_seconds(self._timeout_s),
                        "application_name": _NAME,
                    },
                    min_size=1,
                    max_size=MOST_CONNECTIONS,
                    timeout=self._timeout_s,
                    configure=lambda made: _configure(made, self._address.schema, self._timeout_s),
                    num_workers=1,
                    open=True,
                )
            return self._pool

    def close(self) -> None:
        with self._lock:
            self._closed = True
            pool, self._pool = self._pool, None
        if pool is not None and self._process == os.getpid():
            pool.close()


_UNDER_WAY = (TransactionStatus.INTRANS, TransactionStatus.INERROR)


@contextmanager
def transaction(connection: Connection, begin: str = "BEGIN") -> Iterator[None]:
    """``BEGIN`` … ``COMMIT``; whatever is raised inside rolls back."""
    connection.execute(begin)
    try:
        yield
    except BaseException:
        if not connection.closed and connection.info.transaction_status in _UNDER_WAY:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


ONE_STATE: str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
"""All statements of the transaction see what was committed before its first one."""


class Session:
    """Statements on one connection; results come in binary form."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def rows(self, statement: str, parameters: Parameters = None) -> list[Any]:
        return self.connection.execute(statement, parameters, binary=True).fetchall()

    def row(self, statement: str, parameters: Parameters = None) -> tuple[Any, ...]:
        """The only row of a statement that always gives one."""
        found = self.connection.execute(statement, parameters, binary=True).fetchone()
        assert found is not None
        return found

    def one(self, statement: str, parameters: Parameters = None) -> Any:
        """The first row, or None."""
        return self.connection.execute(statement, parameters, binary=True).fetchone()

    def together(self, *asked: tuple[str, Parameters]) -> list[list[Any]]:
        """The rows of several statements that are sent at once: one way there and back for all."""
        with self.connection.pipeline():
            cursors = [
                self.connection.execute(statement, parameters, binary=True)
                for statement, parameters in asked
            ]
        return [cursor.fetchall() for cursor in cursors]

    def run_together(self, *asked: tuple[str, Parameters]) -> None:
        """Several statements that give no rows, sent at once and done in their order."""
        with self.connection.pipeline():
            for statement, parameters in asked:
                self.connection.execute(statement, parameters)

    def run(self, statement: str, parameters: Parameters = None) -> int:
        """The number of rows that were changed."""
        return self.connection.execute(statement, parameters).rowcount

    def many(self, statement: str, parameters: Sequence[Parameters]) -> int:
        """One statement for each of ``parameters``; the number of rows that were changed."""
        if not parameters:
            return 0
        with self.connection.cursor() as cursor:
            cursor.executemany(statement, [item or () for item in parameters])
            return cursor.rowcount

    def copy(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Put many rows into a table at once; without any, the server is not asked."""
        waiting = iter(rows)
        first = next(waiting, None)
        if first is None:
            return
        with self.connection.cursor() as cursor, cursor.copy(statement) as copy:
            copy.write_row(first)
            for row in waiting:
                copy.write_row(row)

    def copy_blocks(self, statement: str, blocks: Iterable[bytes]) -> None:
        """Put rows into a table that are already in the form of COPY."""
        with self.connection.cursor() as cursor, cursor.copy(statement) as copy:
            for block in blocks:
                copy.write(block)

    def stream(self, statement: str, parameters: Parameters) -> Iterator[Any]:
        """Rows as they are fetched, some at a time, by a cursor on the server."""
        with self.connection.cursor(name=f"clew_{next(_STREAMS)}", binary=True) as cursor:
            cursor.itersize = _ROWS_AT_A_TIME
            yield from cursor.execute(statement, parameters)


_ROWS_AT_A_TIME = 2000
_STREAMS = count(1)


def sayable(text: str) -> bool:
    """Whether PostgreSQL can hold ``text`` at all; what it cannot hold it never has."""
    if "\0" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
