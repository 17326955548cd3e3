"""What PostgreSQL and the network say, as errors of clew. No message holds a password."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import psycopg_pool
from psycopg import errors

from clew.errors import (
    ReadOnlyStoreError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreNotFoundError,
)
from clew.stores.addresses import DatabaseAddress

_REMEDIES: tuple[tuple[tuple[type[psycopg.Error], ...], type[StoreError], str], ...] = (
    (
        (errors.LockNotAvailable,),
        StoreLockedError,
        (
            "another process is writing and did not finish in time. Try again, or wait longer with "
            "timeout_s="
        ),
    ),
    (
        (errors.DeadlockDetected, errors.SerializationFailure),
        StoreLockedError,
        "another program changed the same rows; nothing was written. Try again",
    ),
    (
        (errors.DiskFull, errors.OutOfMemory, errors.ConfigurationLimitExceeded),
        StoreFullError,
        "the server has no room left; what was committed before is whole. Make room",
    ),
    (
        (errors.TooManyConnections,),
        StoreLockedError,
        (
            "the server has no connection left: close some, raise max_connections, or put a pooler "
            "in front of it"
        ),
    ),
    (
        (errors.ReadOnlySqlTransaction,),
        ReadOnlyStoreError,
        (
            "the server lets nobody write here (a standby?). Name the primary server, or open the "
            "store with read_only=True"
        ),
    ),
    (
        (errors.InsufficientPrivilege,),
        ReadOnlyStoreError,
        "the user of this address may not do that. Grant it, or name another user",
    ),
    (
        (errors.InvalidCatalogName,),
        StoreNotFoundError,
        "make the database first: createdb NAME",
    ),
    (
        (errors.InvalidPassword, errors.InvalidAuthorizationSpecification),
        StoreError,
        "check user and password; special characters of a password are written as %XX",
    ),
    (
        (errors.DataCorrupted, errors.IndexCorrupted),
        StoreCorruptError,
        "the database is damaged. Restore it from a backup",
    ),
    (
        (errors.UndefinedTable, errors.UndefinedColumn, errors.InvalidSchemaName),
        StoreCorruptError,
        (
            "the tables of the store are not what they were. Restore them from a backup, or drop "
            "the schema and ingest again"
        ),
    ),
    (
        (errors.AdminShutdown, errors.CrashShutdown, errors.CannotConnectNow),
        StoreError,
        "the server went away; what was committed is whole. Try again when it is back",
    ),
)


@contextmanager
def postgres_errors(address: DatabaseAddress) -> Iterator[None]:
    """Turn what the driver says into errors of clew."""
    try:
        yield
    except psycopg_pool.PoolTimeout as error:
        raise StoreLockedError(
            f"{address.shown}: no connection became free in time ({error}). Read with fewer "
            "threads, or wait longer with timeout_s="
        ) from error
    except psycopg_pool.PoolClosed as error:
        raise StoreError(f"the store at {address.shown} is closed; open it again") from error
    except psycopg.Error as error:
        raise named(address, error) from None
    except UnicodeEncodeError as error:
        raise StoreError(
            f"{address.shown}: {error.object[error.start : error.start + 1]!r} cannot be stored: "
            "half of a surrogate pair is no character. Decode the text anew with errors='replace'"
        ) from error


def named(address: DatabaseAddress, error: psycopg.Error) -> StoreError:
    """The error of clew for one of the driver."""
    said = address.without_secrets(" ".join(str(error).split()))
    for kinds, kind, remedy in _REMEDIES:
        if isinstance(error, kinds):
            return kind(f"{address.shown}: {said}: {remedy}")
    if isinstance(error, errors.DataError) and "NUL" in said:
        return StoreError(
            f"{address.shown}: PostgreSQL keeps no NUL character (U+0000), and a text has one. "
            "Take it out of the document, or use a store in a folder"
        )
    if isinstance(error, psycopg.OperationalError):
        found = _by_words(said)
        return found[0](f"{address.shown}: {said}: {found[1]}")
    return StoreError(f"{address.shown}: {said} ({error.sqlstate or type(error).__name__})")


def _by_words(said: str) -> tuple[type[StoreError], str]:
    """Before there is a connection, the server's code is lost, and only its words are there."""
    if "does not exist" in said and "database" in said:
        return StoreNotFoundError, "make the database first: createdb NAME"
    if "password" in said or "authentication" in said or "role" in said:
        return StoreError, "check user and password in the address"
    if "too many" in said or "remaining connection slots" in said:
        return StoreLockedError, "the server has no connection left; close some"
    return StoreError, "check that the server runs and can be reached from here"
