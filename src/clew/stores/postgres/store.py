"""PostgresStore: one schema of a database, read and written by many processes at once.

A reading block is one repeatable-read transaction, so it sees one state for as long as it lasts and
keeps no writer waiting. A commit is one transaction (:mod:`clew.stores.postgres.writer`): until it
is through nothing of it can be seen, and what a writer that died had begun, the server rolls back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from clew.errors import NotFoundError, ReadOnlyStoreError
from clew.models.base import PaidReply, UsageEntry
from clew.records import EntityDecision, IndexedDocument
from clew.stores.addresses import DatabaseAddress, parse_address
from clew.stores.base import CommitReceipt, EmbeddingSpace, Problem, Renaming, Scores
from clew.stores.delegation import DirectReads
from clew.stores.postgres.books import Books
from clew.stores.postgres.connections import ONE_STATE, Connections, Session, transaction
from clew.stores.postgres.failures import postgres_errors
from clew.stores.postgres.indexes import tidy_indexes
from clew.stores.postgres.kept import KeptAnswers
from clew.stores.postgres.layout import prepare
from clew.stores.postgres.locks import lock_books, lock_shared
from clew.stores.postgres.queue import PostgresQueue
from clew.stores.postgres.reader import PostgresReader
from clew.stores.postgres.rebuilding import find_orphans, rebuild
from clew.stores.postgres.records import RecordReader
from clew.stores.postgres.staging import Stage, stage_state, staged, unstage
from clew.stores.postgres.state import read_state
from clew.stores.postgres.vectors import EXACT_UP_TO
from clew.stores.postgres.writer import StoreWriter
from clew.stores.powers import RebuildReceipt, StageState


class PostgresStore(DirectReads):
    """A store in PostgreSQL (:class:`clew.stores.base.Store`); open it with :meth:`open`.

    Any thread may use it, and any process may open it; a forked child goes on with connections of
    its own.
    """

    def __init__(self, address: DatabaseAddress, *, read_only: bool, timeout_s: float) -> None:
        self.address = address
        self.read_only = read_only
        self.exact_up_to = EXACT_UP_TO
        self._connections = Connections(address, timeout_s)
        self._kept = KeptAnswers(-1)

    @classmethod
    def open(
        cls,
        url: str,
        *,
        create: bool = True,
        read_only: bool = False,
        timeout_s: float = 30.0,
    ) -> Self:
        """Open the store at ``postgresql://user@host/database?schema=NAME`` (``clew`` where no
        schema is named); make it if it is absent and ``create``.

        A writer waits ``timeout_s`` for another. Raises the store errors of :mod:`clew.errors`;
        what is there is left untouched then.
        """
        address = parse_address(url)
        with postgres_errors(address):
            prepare(
                address,
                create=create and not read_only,
                read_only=read_only,
                timeout_s=timeout_s,
            )
        return cls(address, read_only=read_only, timeout_s=timeout_s)

    def close(self) -> None:
        self._connections.close()

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
    def reading(self) -> Iterator[PostgresReader]:
        with (
            postgres_errors(self.address),
            self._connections.connection() as connection,
            transaction(connection, ONE_STATE),
        ):
            session = Session(connection)
            state = read_state(session)
            kept = self._kept
            if kept.generation != state.generation:
                kept = KeptAnswers(state.generation)
                if state.generation > self._kept.generation:
                    self._kept = kept
            yield PostgresReader(session, state, kept, exact_up_to=self.exact_up_to)

    @contextmanager
    def _session(self) -> Iterator[Session]:
        """A connection outside of any transaction."""
        with postgres_errors(self.address), self._connections.connection() as connection:
            yield Session(connection)

    def remembered(self, keys: Sequence[str]) -> dict[str, str]:
        with self._session() as session:
            return RecordReader(session).replies(keys)

    def usage(self) -> list[UsageEntry]:
        with self._session() as session:
            return Books(session).usage()

    def decisions(self) -> list[EntityDecision]:
        with self._session() as session:
            return Books(session).decisions()

    def queue(self) -> PostgresQueue:
        """Documents that wait to be indexed (:class:`clew.stores.queues.WorkQueue`)."""
        return PostgresQueue(self._writing)

    # --- writing --------------------------------------------------------------------------------

    def commit(
        self,
        documents: Sequence[IndexedDocument] = (),
        *,
        delete: Sequence[str] = (),
        renamed: Sequence[Renaming] = (),
        embedding: EmbeddingSpace | None = None,
    ) -> CommitReceipt:
        with self._writing() as session:
            receipt = StoreWriter(session).commit(documents, delete, renamed, embedding)
            tidy_indexes(session, self.exact_up_to)
        return receipt

    def replace_vectors(
        self, embedding: EmbeddingSpace | None, vectors: Iterable[tuple[str, Scores, Scores]]
    ) -> CommitReceipt:
        with self._writing() as session:
            receipt = StoreWriter(session).replace_vectors(embedding, vectors)
            tidy_indexes(session, self.exact_up_to)
        return receipt

    def undo_merge(self, merge_id: str) -> None:
        with self._writing() as session:
            StoreWriter(session).undo_merge(merge_id)

    def remember(self, document_id: str, replies: Mapping[str, str]) -> None:
        with self._books() as books:
            books.remember(document_id, replies)

    def keep_reply(self, key: str, reply: str, *, documents: Sequence[str] = ()) -> None:
        self.keep_replies([PaidReply(key=key, text=reply, documents=tuple(documents))])

    def keep_replies(self, replies: Sequence[PaidReply], usage: Iterable[UsageEntry] = ()) -> None:
        with self._books() as books:
            books.keep_replies(replies)
            books.add_usage(usage)

    def record_usage(self, entries: Iterable[UsageEntry]) -> None:
        with self._books() as books:
            books.add_usage(entries)

    def decide(self, decision: EntityDecision) -> None:
        with self._books() as books:
            books.decide(decision)

    def withdraw(self, decision_id: str) -> None:
        with self._books() as books:
            if not books.withdraw(decision_id):
                raise NotFoundError(f"no decision {decision_id!r}; decisions() lists them")

    # --- what is derived (:class:`clew.stores.powers.Rebuilding`) --------------------------------

    def orphans(self) -> Iterator[Problem]:
        with self._session() as session:
            yield from find_orphans(session)

    def rebuild(self) -> RebuildReceipt:
        with self._writing() as session:
            with transaction(session.connection):
                lock_shared(session)
                with (
                    self._connections.connection() as connection,
                    transaction(connection, ONE_STATE),
                ):
                    receipt = rebuild(Session(connection), session, StoreWriter(session))
            tidy_indexes(session, self.exact_up_to)
        return receipt

    # --- vectors on their way (:class:`clew.stores.powers.Staging`) ------------------------------

    @contextmanager
    def staged(self, space: EmbeddingSpace) -> Iterator[Stage]:
        with self._writing() as session, staged(session, space, self.address.shown) as stage:
            yield stage

    def stage_state(self) -> StageState | None:
        with self._session() as session:
            return stage_state(session)

    def unstage(self, keys: Iterable[str] | None = None) -> None:
        with self._writing() as session:
            unstage(session, keys, self.address.shown)

    @contextmanager
    def _books(self) -> Iterator[Books]:
        with self._writing() as session, transaction(session.connection):
            lock_books(session)
            yield Books(session)

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        if self.read_only:
            raise ReadOnlyStoreError(f"{self.address.shown} was opened with read_only=True")
        with self._session() as session:
            yield session
