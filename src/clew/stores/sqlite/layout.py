"""The layout of ``main.db``: made whole for a new store, migrated step by step for an old one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from clew.stores.files import named_errors, sync_folder
from clew.stores.sqlite.connections import sqlite_errors
from clew.stores.sqlite.folder import APPLICATION_ID, StoreFolder, require_ours
from clew.stores.sqlite.lock import WriterLock
from clew.stores.sqlite.seals import seal
from clew.stores.sqlite.statements import migrations
from clew.text.names import name_key, without_accents

_PAGE_BYTES = 8192


def newest_version() -> int:
    return len(migrations())


def initialise(folder: StoreFolder, lock: WriterLock) -> None:
    """Make ``main.db`` beside its place and put it there when it is whole."""
    with lock.held():
        if folder.holds_database():
            return
        fresh = folder.database.with_name("main.db.new")
        with named_errors(fresh):
            for path in folder.path.glob("main.db.new*"):
                path.unlink()
            fresh.touch()
        with sqlite_errors(fresh), closing(sqlite3.connect(fresh, isolation_level=None)) as made:
            made.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
            made.execute("PRAGMA journal_mode = WAL")
            made.execute("PRAGMA synchronous = FULL")
            made.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            migrate(made, fresh)
        with named_errors(folder.database):
            fresh.replace(folder.database)
            sync_folder(folder.path)


def migrate(connection: sqlite3.Connection, path: Path, *, check_only: bool = False) -> bool:
    """Bring an older layout up to date; return whether there was anything to do."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    require_ours(path, application, version, newest_version())
    due = migrations()[version:]
    if not check_only:
        connection.create_function("without_accents", 1, without_accents, deterministic=True)
        connection.create_function("seal", -1, lambda *values: seal(values), deterministic=True)
        connection.create_function("name_key", 1, name_key, deterministic=True)
        for step, script in enumerate(due, start=version + 1):
            connection.executescript(
                f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {step};\nCOMMIT;"
            )
    return bool(due)
