"""What keeps a store in order and is no part of reading or writing."""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, suppress
from pathlib import Path
from typing import Self

import numpy as np

from clew.errors import ReadOnlyStoreError, StoreCorruptError, StoreFullError
from clew.records import IndexedDocument
from clew.stores.base import EmbeddingSpace, Problem
from clew.stores.delegation import DirectReads
from clew.stores.powers import (
    BackupReceipt,
    Leftover,
    RebuildReceipt,
    StageState,
    Tell,
    Trace,
)
from clew.stores.sqlite.arrays import GenerationArrays, LoadedSegment
from clew.stores.sqlite.backup import Backup
from clew.stores.sqlite.connections import (
    ConnectionPool,
    empty_log,
    sqlite_errors,
    transaction,
)
from clew.stores.sqlite.documents import RecordReader
from clew.stores.sqlite.folder import StoreFolder
from clew.stores.sqlite.leftovers import find_leftovers
from clew.stores.sqlite.orphans import find_orphans
from clew.stores.sqlite.reader import SQLiteReader
from clew.stores.sqlite.rebuilding import rebuild
from clew.stores.sqlite.seals import NO_SUM
from clew.stores.sqlite.segment_table import SegmentTable
from clew.stores.sqlite.segments import Card
from clew.stores.sqlite.staging import Stage, StagingDatabase
from clew.stores.sqlite.traces import find_traces
from clew.stores.sqlite.vector_table import VectorTable, space_of
from clew.stores.sqlite.vectors import VectorReader, remove_strangers
from clew.stores.sqlite.whole_documents import WholeDocuments
from clew.stores.sqlite.writer import StoreWriter

_ATTEMPTS = 20
_UNREADABLE = (StoreCorruptError, FileNotFoundError, ValueError, IndexError)


class StoreUpkeep(DirectReads):
    """The part of :class:`clew.stores.sqlite.SQLiteStore` that has the powers of
    :mod:`clew.stores.powers`.
    """

    path: Path
    read_only: bool
    _folder: StoreFolder
    _pool: ConnectionPool
    _timeout_s: float
    _vector_reader: VectorReader

    @classmethod
    @abstractmethod
    def open(cls, path: str | Path, *, timeout_s: float = 30.0) -> Self: ...

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def _begin(self, connection: sqlite3.Connection) -> GenerationArrays: ...

    @abstractmethod
    def _load(
        self, connection: sqlite3.Connection, generation: int, space: EmbeddingSpace | None
    ) -> GenerationArrays: ...

    @abstractmethod
    def _writer(self, connection: sqlite3.Connection) -> StoreWriter: ...

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

    def orphans(self) -> Iterator[Problem]:
        with self._pool.connection() as connection, sqlite_errors(self._folder.database):
            yield from find_orphans(connection)

    def leftovers(self) -> Iterator[Leftover]:
        with self._pool.connection() as connection, sqlite_errors(self._folder.database):
            files = VectorTable(connection, self._folder.vectors).files()
            space = space_of(connection)
            dimensions = 0 if space is None else space.dimensions
            stage = self.stage_state()
            yield from find_leftovers(connection, self._folder, files, dimensions, stage)

    def load_without_vectors(self, document_id: str) -> IndexedDocument | None:
        with self._pool.connection() as connection, sqlite_errors(self._folder.database):
            connection.execute("BEGIN")
            try:
                found = WholeDocuments(connection).indexed(document_id)
            finally:
                connection.execute("ROLLBACK")
        return None if found is None else found[1]

    def rebuild(self) -> RebuildReceipt:
        with self._locked() as connection:
            with suppress(sqlite3.DatabaseError):  # then whoever reads says what is damaged
                connection.execute("REINDEX")
            with self._pool.connection() as old, sqlite_errors(self._folder.database):
                try:
                    arrays = self._arrays_to_rebuild_from(old)
                    load = None if arrays is None else SQLiteReader(old, arrays).load_document
                    with transaction(connection, "IMMEDIATE"):
                        writer = self._writer(connection)
                        space = None if arrays is None else arrays.space
                        receipt = rebuild(old, connection, load, writer, space)
                finally:
                    if old.in_transaction:
                        old.execute("ROLLBACK")
            self._extend_signs(connection)
            self._remove_strangers(connection)
            empty_log(connection, self._timeout_s)
        return receipt

    def _arrays_to_rebuild_from(self, old: sqlite3.Connection) -> GenerationArrays | None:
        """Begin a read transaction. Return what says where vectors are, if it knows of every
        document.
        """
        try:
            arrays = _of_all_documents(self._begin(old), old)
        except _UNREADABLE:
            if not old.in_transaction:
                old.execute("BEGIN")
        else:
            return arrays
        # The lists of what belongs to this generation may be all that is damaged, or links: then
        # each vector has the sum that is told of it.
        reads: tuple[Callable[[], GenerationArrays], ...] = (
            lambda: self._load(old, -1, space_of(old)),
            lambda: self._places(old),
        )
        for read in reads:
            with suppress(*_UNREADABLE):
                arrays = _of_all_documents(read(), old)
                if arrays is not None and _matches_sums(arrays):
                    return arrays
        return None

    def _places(self, old: sqlite3.Connection) -> GenerationArrays:
        """Arrays that say where vectors are, and nothing else."""
        table, space = SegmentTable(old), space_of(old)
        vectors = {}
        if space is not None:
            files = VectorTable(old, self._folder.vectors).files()
            vectors = self._vector_reader.map(files, space.dimensions)
        segments = [
            LoadedSegment(line.number, table.places(line.number), 0) for line in table.lines()
        ]
        return GenerationArrays(-1, space, segments, table.dead(), vectors)

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

    def _extend_signs(self, connection: sqlite3.Connection) -> None:
        """For searches of large stores. Where there is no room for them, they are left to the next
        writer; until then more vectors are read.
        """
        space = space_of(connection)
        if space is not None:
            files = VectorTable(connection, self._folder.vectors).files()
            with suppress(StoreFullError):
                self._vector_reader.extend_signs(files, space.dimensions)

    def _cut_signs(self, connection: sqlite3.Connection) -> None:
        space = space_of(connection)
        if space is not None:
            files = VectorTable(connection, self._folder.vectors).files()
            self._vector_reader.cut_signs(files, space.dimensions)

    def _remove_strangers(self, connection: sqlite3.Connection) -> None:
        files = VectorTable(connection, self._folder.vectors).files()
        remove_strangers(self._folder.vectors, files)

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


def _of_all_documents(arrays: GenerationArrays, old: sqlite3.Connection) -> GenerationArrays | None:
    """These arrays, if they know of every document that has a record."""
    numbers = sorted(RecordReader(old).all_document_numbers().values())
    if arrays.document_numbers.tolist() == numbers:
        return arrays
    # Which documents are dead is derived too: those that have no record.
    held = [loaded.segment.cards[:, Card.NUMBER] for loaded in arrays.loaded]
    dead = np.setdiff1d(np.concatenate(held) if held else numbers, numbers)
    vectors = {
        layer.name: layer.vectors
        for layer in (arrays.chunks, arrays.units)
        if layer.vectors is not None
    }
    found = GenerationArrays(-1, arrays.space, arrays.loaded, dead, vectors)
    return found if found.document_numbers.tolist() == numbers else None


def _matches_sums(arrays: GenerationArrays) -> bool:
    """Has every vector a sum, and that one? Raises :class:`StoreCorruptError` when not."""
    for layer in (arrays.chunks, arrays.units):
        if layer.vectors is not None:
            if (layer.sums == NO_SUM).any():
                return False
            layer.require_sound()
    return True
