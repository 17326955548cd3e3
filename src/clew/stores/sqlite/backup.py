"""A copy of a store while others read and write.

One read transaction is one generation for as long as it lasts, whatever is committed meanwhile: the
database is copied out of it by SQLite's own backup, and of the vector files as many rows as it
counts. The copy is made beside its place, checked as any store is, and put there when it is whole.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import BinaryIO

from clew.errors import NotAStoreError, StoreError
from clew.stores.files import named_errors, sync_folder
from clew.stores.powers import Tell
from clew.stores.sqlite.connections import sqlite_errors
from clew.stores.sqlite.folder import StoreFolder, refuse_network
from clew.stores.sqlite.vector_table import VectorTable
from clew.stores.sqlite.vectors import VectorFile

_PAGES = 4096
_BLOCK = 1 << 20
_FLOAT_BYTES = 4


class Backup:
    """A copy on its way to ``target``: made in ``folder``, checked by the caller, put in place."""

    def __init__(self, source: StoreFolder, target: Path, *, force: bool) -> None:
        """Raises the store errors of :mod:`clew.errors` where the copy could not stand there."""
        self._source = source
        self._target = target.resolve()
        _require_place(source.path.resolve(), self._target, force=force)
        with named_errors(self._target.parent):
            made = tempfile.mkdtemp(
                dir=self._target.parent, prefix=f".{self._target.name}.", suffix=".new"
            )
        self.folder = StoreFolder(made)

    def copy(self, connection: sqlite3.Connection, tell: Tell) -> int:
        """Copy the generation that ``connection`` is reading; return how many bytes that took.

        Raises ``FileNotFoundError`` when a vector file was replaced before it could be opened.
        """
        state = connection.execute("SELECT generation, dimensions FROM state").fetchone()
        row_bytes = (state[1] or 0) * _FLOAT_BYTES
        files = VectorTable(connection, self._source.vectors).files()
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (page_bytes,) = connection.execute("PRAGMA page_size").fetchone()
        vector_bytes = sum(file.rows for file in files) * row_bytes
        total = pages * page_bytes + vector_bytes
        with ExitStack() as opened:
            sources = [
                opened.enter_context((self._source.vectors / file.name).open("rb"))
                for file in files
            ]
            self._copy_database(
                connection, lambda left: tell((pages - left) * page_bytes, total, "copy")
            )
            self._copy_vectors(files, sources, row_bytes)
        tell(total, total, "copy")
        return int(total)

    def put(self) -> None:
        """Make the copy what stands at the target, in the place of what stood there."""
        with named_errors(self._target):
            shutil.copymode(self._source.path, self.folder.path)
            sync_folder(self.folder.path)
            aside = self.folder.path.with_suffix(".old")
            replaces = self._target.exists()
            if replaces:
                self._target.rename(aside)
            try:
                self.folder.path.rename(self._target)
            except BaseException:
                if replaces:
                    aside.rename(self._target)
                raise
            sync_folder(self._target.parent)
            if replaces:
                shutil.rmtree(aside, ignore_errors=True)

    def discard(self) -> None:
        shutil.rmtree(self.folder.path, ignore_errors=True)

    def _copy_database(self, connection: sqlite3.Connection, left: Callable[[int], None]) -> None:
        database = self.folder.database
        with sqlite_errors(database), closing(sqlite3.connect(database)) as made:
            connection.backup(
                made,
                pages=_PAGES,
                progress=lambda _status, remaining, _pages: left(remaining),
            )

    def _copy_vectors(
        self, files: Sequence[VectorFile], sources: Sequence[BinaryIO], row_bytes: int
    ) -> None:
        folder = self.folder.vectors
        with named_errors(folder):
            folder.mkdir(exist_ok=True)
            for file, source in zip(files, sources, strict=True):
                with (folder / file.name).open("wb") as copied:
                    _copy_bytes(source, copied, file.rows * row_bytes)
                    copied.flush()
                    os.fsync(copied.fileno())
            sync_folder(folder)


def _copy_bytes(source: BinaryIO, target: BinaryIO, count: int) -> None:
    while count and (block := source.read(min(_BLOCK, count))):
        target.write(block)
        count -= len(block)


def _require_place(source: Path, target: Path, *, force: bool) -> None:
    if target == source or source in target.parents or target in source.parents:
        raise StoreError(f"{target}: a backup must stand beside the store {source}, not in it")
    with named_errors(target):
        if not target.parent.is_dir():
            raise StoreError(f"{target.parent}: there is no such folder to put the backup in")
        refuse_network(target)
        if not target.exists():
            return
        if not force:
            raise StoreError(
                f"{target} exists; choose another place, or replace it with --force (force=True)"
            )
        is_store = target.is_dir() and StoreFolder(target).holds_database()
        if not is_store and not (target.is_dir() and not any(target.iterdir())):
            raise NotAStoreError(
                f"{target} is no store of clew, so it is not replaced; choose another place"
            )
