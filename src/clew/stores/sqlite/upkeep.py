"""What keeps a store in order and is no part of reading or writing: copies, traces."""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Self

from clew.errors import ReadOnlyStoreError, StoreCorruptError
from clew.stores.base import EmbeddingSpace
from clew.stores.delegation import DirectReads
from clew.stores.powers import BackupReceipt, StageState, Tell, Trace
from clew.stores.sqlite.arrays import GenerationArrays
from clew.stores.sqlite.backup import Backup
from clew.stores.sqlite.connections import ConnectionPool, empty_log, sqlite_errors
from clew.stores.sqlite.folder import StoreFolder
from clew.stores.sqlite.staging import Stage, StagingDatabase
from clew.stores.sqlite.traces import find_traces
from clew.stores.sqlite.vector_table import VectorTable

_ATTEMPTS = 20


class StoreUpkeep(DirectReads):
    """The part of :class:`clew.stores.sqlite.SQLiteStore` that has the powers of
    :mod:`clew.stores.powers`.
    """

    path: Path
    read_only: bool
    _folder: StoreFolder
    _pool: ConnectionPool
    _timeout_s: float

    @classmethod
    @abstractmethod
    def open(cls, path: str | Path, *, timeout_s: float = 30.0) -> Self: ...

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def _begin(self, connection: sqlite3.Connection) -> GenerationArrays: ...

    @abstractmethod
    def _locked(self) -> AbstractContextManager[sqlite3.Connection]: ...

    def traces(self, texts: Sequence[str]) -> Iterator[Trace]:
        if not self.read_only:
            with self._locked() as connection:
                empty_log(connection, self._timeout_s)
        with self._pool.connection() as connection, sqlite_errors(self._folder.database):
            arrays = self._begin(connection)
            try:
                files = VectorTable(connection, self._folder.vectors).files()
                yield from find_traces(connection, self._folder, arrays, files, texts)
            finally:
                connection.execute("ROLLBACK")

    def backup(
        self, path: Path, *, force: bool = False, tell: Tell = lambda *_: None
    ) -> BackupReceipt:
        backup = Backup(self._folder, path, force=force)
        try:
            size = self._copy_to(backup, tell)
            with closing(self.open(backup.folder.path, timeout_s=self._timeout_s)) as made:
                if problem := next(made.check(), None):
                    raise StoreCorruptError(
                        f"{self.path}: the copy is not sound, so it was thrown away: "
                        f"{problem.where}: {problem.message}. `clew check` looks at the store"
                    )
                generation, documents = made.generation, made.stats()["documents"]
            backup.put()
        finally:
            backup.discard()
        return BackupReceipt(path=str(path), generation=generation, documents=documents, bytes=size)

    def _copy_to(self, backup: Backup, tell: Tell) -> int:
        with sqlite_errors(self._folder.database), self._pool.connection() as connection:
            for _ in range(_ATTEMPTS):
                self._begin(connection)
                try:
                    return backup.copy(connection, tell)
                except FileNotFoundError as error:
                    missing = error
                finally:
                    connection.execute("ROLLBACK")
        raise StoreCorruptError(f"{missing.filename} is missing") from missing

    def staged(self, space: EmbeddingSpace) -> AbstractContextManager[Stage]:
        if self.read_only:
            raise ReadOnlyStoreError(f"{self.path} was opened with read_only=True")
        return StagingDatabase(self._folder).opened(space)

    def stage_state(self) -> StageState | None:
        return StagingDatabase(self._folder).state()

    def unstage(self, keys: Iterable[str] | None = None) -> None:
        stage = StagingDatabase(self._folder)
        if keys is None:
            stage.discard()
        else:
            stage.forget(keys)
