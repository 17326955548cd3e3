"""SQLiteStore: a folder with one database as its source of truth and vectors beside it.

Many processes may read while one writes; a second writer waits. How a commit stays whole under
SIGKILL and full disks: the writer's lock is taken, vectors are appended behind those that count and
made durable, and one transaction writes the rows, the postings, the new counts of vectors and the
next generation. Until it is through nothing of it can be seen; what is left of a writer that died
is cut off by the next.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from clew.errors import NotFoundError, ReadOnlyStoreError, StoreCorruptError, StoreFullError
from clew.models.base import PaidReply, UsageEntry
from clew.records import EntityDecision, IndexedDocument
from clew.stores.base import CommitReceipt, EmbeddingSpace, Problem, Renaming, Scores
from clew.stores.delegation import DirectReads
from clew.stores.merging import without_merge
from clew.stores.revectoring import each_once
from clew.stores.sqlite.arrays import GenerationArrays, LoadedSegment
from clew.stores.sqlite.claims import Claims
from clew.stores.sqlite.connections import (
    ConnectionPool,
    connect,
    empty_log,
    sqlite_errors,
    transaction,
)
from clew.stores.sqlite.decision_table import DecisionTable
from clew.stores.sqlite.documents import RecordReader
from clew.stores.sqlite.folder import StoreFolder
from clew.stores.sqlite.layout import initialise, migrate, newest_version
from clew.stores.sqlite.lock import WriterLock
from clew.stores.sqlite.note import GenerationNote, require_whole_log
from clew.stores.sqlite.reader import SQLiteReader
from clew.stores.sqlite.revector import VectorReplacement, checked, living_vectors, wasteful
from clew.stores.sqlite.seals import RESTORE
from clew.stores.sqlite.segment_table import SegmentTable
from clew.stores.sqlite.statements import statements
from clew.stores.sqlite.upkeep import StoreUpkeep
from clew.stores.sqlite.usage_table import UsageTable
from clew.stores.sqlite.vector_table import VectorTable, space_of
from clew.stores.sqlite.vectors import VectorReader
from clew.stores.sqlite.writer import StoreWriter

_SQL = statements("segments")
_ATTEMPTS = 20

_QUICKLY_RENEWED = 8192
"""Vectors that are written anew in some hundredths of a second: 12 MB at 384 dimensions."""


class SQLiteStore(StoreUpkeep, DirectReads):
    """A store on disk (:class:`clew.stores.base.Store`); open it with :meth:`open`.

    Any thread may use it, and any process may open it; a forked child goes on with connections of
    its own.
    """

    def __init__(self, folder: StoreFolder, *, read_only: bool, timeout_s: float) -> None:
        self.path = folder.path
        self.read_only = read_only
        self._folder = folder
        self._timeout_s = timeout_s
        self._lock = WriterLock(folder.lock, timeout_s)
        # Where it can be written, even readers open it so: the last to close then takes away what
        # SQLite puts beside it. That they write nothing is seen to by the pool.
        self._pool = ConnectionPool(
            folder.database,
            read_only=not folder.is_writable(),
            immutable=read_only and folder.is_frozen(),
            timeout_s=timeout_s,
        )
        self._claims = Claims(folder.claims)
        self._note = GenerationNote(folder.note)
        self._writing_connection: sqlite3.Connection | None = None
        self._abandoned: sqlite3.Connection | None = None
        self._writing_process = os.getpid()
        self._vector_reader = VectorReader(folder.vectors)
        self._loaded: dict[int, LoadedSegment] = {}
        self._arrays: GenerationArrays | None = None

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        create: bool = True,
        read_only: bool = False,
        timeout_s: float = 30.0,
        network_file_system: bool = False,
    ) -> Self:
        """Open the store in the folder ``path``; make it if it is absent and ``create``.

        A writer waits ``timeout_s`` for another. On a network file system a store is refused unless
        ``network_file_system``: a second process that opens it can damage it there. Raises the
        store errors of :mod:`clew.errors`; what is there is left untouched then.
        """
        folder = StoreFolder(path)
        folder.prepare(create=create and not read_only, network=network_file_system)
        if not folder.holds_database():
            initialise(folder, WriterLock(folder.lock, timeout_s))
        folder.require_readable_header(newest_version())
        if not read_only:
            folder.require_writable()
        if folder.has_log():
            require_whole_log(folder, timeout_s)
        store = cls(folder, read_only=read_only, timeout_s=timeout_s)
        try:
            store._adopt()
        except BaseException:
            store.close()
            raise
        return store

    def _adopt(self) -> None:
        """Bring the layout up to date, and look whether the vectors are all there."""
        with sqlite_errors(self._folder.database), self._pool.connection() as connection:
            if migrate(connection, self._folder.database, check_only=True):
                if self.read_only:
                    raise ReadOnlyStoreError(
                        f"{self.path} has an older layout; open it once for writing to renew it"
                    )
                with self._lock.held():
                    migrate(self._writer_connection(), self._folder.database)
            (generation, *_) = connection.execute(_SQL["state"]).fetchone()
            if not self.read_only and generation < self._note.read():
                self._note.write(generation)  # `main.db` came back from a backup
            space = space_of(connection)
            if space is not None:
                files = VectorTable(connection, self._folder.vectors).files()
                self._vector_reader.require_whole(files, space.dimensions)

    def close(self) -> None:
        self._pool.close()
        self._claims.close()
        if self._writing_connection is not None:
            self._writing_connection.close()
            self._writing_connection = None
        self._arrays = None
        self._loaded = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # --- reading --------------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[SQLiteReader]:
        with sqlite_errors(self._folder.database), self._pool.connection() as connection:
            try:
                arrays = self._begin(connection)
                yield SQLiteReader(connection, arrays)
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def _begin(self, connection: sqlite3.Connection) -> GenerationArrays:
        """Begin a read transaction; return the arrays of its generation.

        A writer may replace vector files between the begin and the moment at which they are
        mapped; then there is a newer generation to begin with.
        """
        for _ in range(_ATTEMPTS):
            connection.execute("BEGIN")
            try:
                return self._arrays_of(connection)
            except FileNotFoundError as error:
                connection.execute("ROLLBACK")
                missing = error
        raise StoreCorruptError(
            f"{missing.filename} is missing, and {self._folder.database} counts on it. {RESTORE}"
        ) from missing

    def _arrays_of(self, connection: sqlite3.Connection) -> GenerationArrays:
        generation, fingerprint, dimensions = connection.execute(_SQL["state"]).fetchone()
        arrays = self._arrays
        if arrays is not None and arrays.generation == generation:
            return arrays
        space = None
        if fingerprint is not None:
            space = EmbeddingSpace(fingerprint=fingerprint, dimensions=dimensions)
        arrays = self._load(connection, generation, space)
        if self._arrays is None or self._arrays.generation < generation:
            self._arrays = arrays
            self._loaded = {segment.number: segment for segment in arrays.loaded}
        return arrays

    def _load(
        self, connection: sqlite3.Connection, generation: int, space: EmbeddingSpace | None
    ) -> GenerationArrays:
        table = SegmentTable(connection)
        if generation >= 0:
            table.require_sealed()
        known = self._loaded
        files = VectorTable(connection, self._folder.vectors).files()
        vectors_from = files[0].number if files else 0
        segments = []
        for line in table.lines():
            loaded = known.get(line.number)
            if loaded is None or loaded.vectors_from != vectors_from:
                loaded = LoadedSegment(line.number, table.load(line.number), vectors_from)
            segments.append(loaded)
        vectors = {}
        if space is not None:
            vectors = self._vector_reader.map(files, space.dimensions)
        return GenerationArrays(generation, space, segments, table.dead(), vectors)

    def check(self) -> Iterator[Problem]:
        try:
            yield from super().check()
        except StoreCorruptError as error:  # so damaged that there is nothing to look into
            yield Problem(kind="damage", where=str(self._folder.database), message=str(error))

    def remembered(self, keys: Sequence[str]) -> dict[str, str]:
        with sqlite_errors(self._folder.database), self._pool.connection() as connection:
            return RecordReader(connection).replies(keys)

    def claimed(self, key: str) -> AbstractContextManager[None]:
        """Hold the key of a reply that is asked for: no other process does meanwhile."""
        return nullcontext() if self.read_only else self._claims.held(key)

    def usage(self) -> list[UsageEntry]:
        with sqlite_errors(self._folder.database), self._pool.connection() as connection:
            return UsageTable(connection).entries()

    def decisions(self) -> list[EntityDecision]:
        with sqlite_errors(self._folder.database), self._pool.connection() as connection:
            return DecisionTable(connection).all()

    # --- writing --------------------------------------------------------------------------------

    def commit(
        self,
        documents: Sequence[IndexedDocument] = (),
        *,
        delete: Sequence[str] = (),
        renamed: Sequence[Renaming] = (),
        embedding: EmbeddingSpace | None = None,
    ) -> CommitReceipt:
        with self._locked() as connection:
            self._cut_signs(connection)
            with transaction(connection, "IMMEDIATE"):
                writer = self._writer(connection)
                receipt = writer.commit(documents, delete, renamed, embedding)
                if delete and receipt.removed and self._is_quickly_renewed(connection):
                    self._renew_vectors(connection)
                    SegmentTable(connection).set_seal()
            self._note.write(receipt.generation)
            if receipt.removed:
                self._clear_away(connection)
            self._extend_signs(connection)
            self._remove_strangers(connection)
        return receipt

    def replace_vectors(
        self, embedding: EmbeddingSpace | None, vectors: Iterable[tuple[str, Scores, Scores]]
    ) -> CommitReceipt:
        with self._locked() as connection:
            with transaction(connection, "IMMEDIATE"):
                replacement = VectorReplacement(connection, self._folder.vectors)
                if embedding is None:
                    replacement.replace(None, ())
                else:
                    numbers = RecordReader(connection).all_document_numbers()
                    given = checked(
                        each_once(vectors, numbers), numbers, replacement.counts(), embedding
                    )
                    replacement.replace(embedding, given)
                receipt = self._writer(connection).next_generation(embedding, {}, {})
            self._note.write(receipt.generation)
            self._extend_signs(connection)
            self._remove_strangers(connection)
        return receipt

    def remember(self, document_id: str, replies: Mapping[str, str]) -> None:
        with self._writing() as connection:
            self._writer(connection).remember(document_id, replies)

    def keep_reply(self, key: str, reply: str, *, documents: Sequence[str] = ()) -> None:
        self.keep_replies([PaidReply(key=key, text=reply, documents=tuple(documents))])

    def keep_replies(self, replies: Sequence[PaidReply], usage: Iterable[UsageEntry] = ()) -> None:
        with self._writing() as connection:
            self._writer(connection).keep_replies(replies)
            UsageTable(connection).add(usage)

    def record_usage(self, entries: Iterable[UsageEntry]) -> None:
        with self._writing() as connection:
            UsageTable(connection).add(entries)

    def decide(self, decision: EntityDecision) -> None:
        with self._writing() as connection:
            DecisionTable(connection).add(decision)

    def withdraw(self, decision_id: str) -> None:
        with self._writing() as connection:
            if not DecisionTable(connection).remove(decision_id):
                raise NotFoundError(f"no decision {decision_id!r}; decisions() lists them")

    def undo_merge(self, merge_id: str) -> None:
        with self._writing() as connection:
            document_id = RecordReader(connection).document_of_merge(merge_id)
            if document_id is None:
                raise NotFoundError(f"no merge {merge_id!r}; merges() lists them")
            arrays = self._arrays_of(connection)
            indexed = SQLiteReader(connection, arrays).load_document(document_id)
            assert indexed is not None
            changed = without_merge(indexed, merge_id)
            writer = self._writer(connection)
            writer.put([changed], [document_id], arrays.space)
            writer.keep_undone(document_id, merge_id)

    def compact(self) -> None:
        """Rewrite everything without what was deleted, and give the room back."""
        with self._locked() as connection:
            with transaction(connection, "IMMEDIATE"):
                SegmentTable(connection).compact()
                self._renew_vectors(connection)
                receipt = self._writer(connection).next_generation(space_of(connection), {}, {})
            self._note.write(receipt.generation)
            self._extend_signs(connection)
            self._remove_strangers(connection)
            connection.execute(_SQL["forget_trigrams"])
            connection.execute("VACUUM")
            empty_log(connection, self._timeout_s)

    def _is_quickly_renewed(self, connection: sqlite3.Connection) -> bool:
        """Whether vectors that were deleted can be taken off the disk at once."""
        files = VectorTable(connection, self._folder.vectors).files()
        return 0 < sum(file.rows for file in files) <= _QUICKLY_RENEWED

    def _renew_vectors(self, connection: sqlite3.Connection) -> None:
        space = space_of(connection)
        if space is None:
            VectorTable(connection, self._folder.vectors).clear()
            return
        arrays = self._load(connection, -1, space)
        VectorReplacement(connection, self._folder.vectors).replace(space, living_vectors(arrays))

    def _clear_away(self, connection: sqlite3.Connection) -> None:
        """Take what was deleted off the disk: the log at once, vectors when they are in the way.

        The removal itself is through by now. Where there is no room to tidy up in, it is left to
        the next removal.
        """
        with suppress(StoreFullError), sqlite_errors(self._folder.database):
            empty_log(connection, self._timeout_s)
            with transaction(connection, "IMMEDIATE"):
                space = space_of(connection)
                files = VectorTable(connection, self._folder.vectors).files()
                if space is not None and wasteful(connection, files):
                    self._renew_vectors(connection)
                    self._writer(connection).next_generation(space, {}, {})

    def _writer(self, connection: sqlite3.Connection) -> StoreWriter:
        return StoreWriter(connection, self._folder.vectors, space_of(connection))

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """The writer's lock and one transaction."""
        with self._locked() as connection, transaction(connection, "IMMEDIATE"):
            yield connection

    @contextmanager
    def _locked(self) -> Iterator[sqlite3.Connection]:
        """The writer's lock and its connection."""
        if self.read_only:
            raise ReadOnlyStoreError(f"{self.path} was opened with read_only=True")
        with self._lock.held(), sqlite_errors(self._folder.database):
            yield self._writer_connection()

    def _writer_connection(self) -> sqlite3.Connection:
        """Made when first needed, and again after a fork: a connection must not cross one."""
        if self._writing_connection is None or self._writing_process != os.getpid():
            connection = connect(self._folder.database, read_only=False, timeout_s=self._timeout_s)
            connection.execute("PRAGMA secure_delete = ON")
            self._abandoned, self._writing_connection = self._writing_connection, connection
            self._writing_process = os.getpid()
        return self._writing_connection
