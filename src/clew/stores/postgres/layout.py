"""The tables of a store: made in one transaction, migrated step by step when they are older."""

from __future__ import annotations

import psycopg
from psycopg import errors, sql

from clew.errors import (
    NotAStoreError,
    ReadOnlyStoreError,
    StoreError,
    StoreNotFoundError,
    StoreVersionError,
)
from clew.stores.addresses import DatabaseAddress
from clew.stores.postgres.connections import Connection, connect, transaction
from clew.stores.postgres.statements import migrations

LEAST_SERVER = 14
LEAST_PGVECTOR = (0, 8, 0)
"""Iterative scans: with a filter, an index of vectors goes on until it has found enough."""

_LAYOUT_LOCK = 0x636C6577  # "clew": one at a time makes or migrates tables in a database


def newest_version() -> int:
    return len(migrations())


def prepare(address: DatabaseAddress, *, create: bool, read_only: bool, timeout_s: float) -> None:
    """Look whether a store of ours is there; make it, or bring it up to date.

    Raises :class:`StoreNotFoundError`, :class:`NotAStoreError`, :class:`StoreVersionError`,
    :class:`ReadOnlyStoreError`, and :class:`StoreError` for a server or an extension that will
    not do. What is there is left untouched then.
    """
    with connect(address, timeout_s) as connection:
        _require_server(address, connection)
        version = _version(address, connection)
        if version is not None and version > newest_version():
            raise StoreVersionError(
                f"{address.shown} was written by a newer clew (layout {version}; this one knows "
                f"up to {newest_version()}); it was left untouched. Upgrade clew: "
                "pip install --upgrade clew"
            )
        if version is None and not create:
            raise StoreNotFoundError(
                f"no store in the schema {address.schema!r} of {address.shown}. Create one with "
                "`clew ingest --store URL …`, or name another schema with ?schema="
            )
        if version != newest_version():
            if read_only:
                raise ReadOnlyStoreError(
                    f"{address.shown} has an older layout; open it once for writing to renew it"
                )
            _migrate(address, connection)
        _require_pgvector(address, connection)


def _require_server(address: DatabaseAddress, connection: Connection) -> None:
    version = connection.info.server_version
    if version < LEAST_SERVER * 10000:
        raise StoreError(
            f"{address.shown}: PostgreSQL {version // 10000} is too old: clew needs "
            f"{LEAST_SERVER} or newer"
        )
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreError(
            f"{address.shown}: the database keeps texts as {encoding}, which has not all "
            "characters. Make one with: createdb --encoding=UTF8 --template=template0 NAME"
        )


def _version(address: DatabaseAddress, connection: Connection) -> int | None:
    """The layout of the store in the schema, None when there is nothing."""
    tables = connection.execute(
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = %s AND c.relkind IN ('r', 'p', 'v', 'm') ORDER BY c.relname",
        (address.schema,),
    ).fetchall()
    if not tables:
        return None
    names = [str(name) for (name,) in tables]
    if "state" in names:
        try:
            row = connection.execute("SELECT application, layout FROM state").fetchone()
        except (errors.UndefinedColumn, errors.UndefinedTable):
            row = None
        if row is not None and row[0] == "clew":
            return int(row[1])
    raise NotAStoreError(
        f"the schema {address.schema!r} of {address.shown} has other tables in it "
        f"({', '.join(names[:3])}); it was left untouched. Name another schema with ?schema="
    )


def _migrate(address: DatabaseAddress, connection: Connection) -> None:
    """Make what is missing, all or nothing. Whoever came first has done it for the others."""
    with transaction(connection):
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LAYOUT_LOCK,))
        version = _version(address, connection)
        if version is None:
            _create_extension(address, connection)
            _require_pgvector(address, connection)
            schema = sql.Identifier(address.schema)
            connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(schema))
        for step, script in enumerate(migrations()[version or 0 :], start=(version or 0) + 1):
            connection.execute(script)
            connection.execute("UPDATE state SET layout = %s", (step,))


def _create_extension(address: DatabaseAddress, connection: Connection) -> None:
    """An extension of a database is there for all its schemas, so it goes to the common one."""
    if _pgvector(connection) is not None:
        return
    try:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
    except (errors.FeatureNotSupported, errors.UndefinedFile) as error:
        raise StoreError(
            f"{address.shown}: the server has no pgvector ({_first_line(error)}). Install it, or "
            "run a server that has it: docker run pgvector/pgvector:pg17"
        ) from None
    except errors.InsufficientPrivilege:
        raise StoreError(
            f"{address.shown}: the database has no pgvector yet, and this user may not add it. "
            "Let an administrator run there: CREATE EXTENSION vector"
        ) from None


def _require_pgvector(address: DatabaseAddress, connection: Connection) -> None:
    found = _pgvector(connection)
    needed = ".".join(map(str, LEAST_PGVECTOR))
    if found is None:
        raise StoreError(
            f"{address.shown}: the database has lost its extension vector. Let an administrator "
            "run there: CREATE EXTENSION vector"
        )
    if tuple(int(part) for part in found.split(".") if part.isdigit()) < LEAST_PGVECTOR:
        raise StoreError(
            f"{address.shown}: pgvector {found} is too old: clew needs {needed} or newer. Install "
            "it on the server, then run there: ALTER EXTENSION vector UPDATE"
        )


def _pgvector(connection: Connection) -> str | None:
    row = connection.execute(
        "SELECT extversion FROM pg_extension WHERE extname = 'vector'"
    ).fetchone()
    return str(row[0]) if row else None


def _first_line(error: psycopg.Error) -> str:
    return str(error).partition("\n")[0]
