"""Documents that wait to be indexed, shared by workers on many machines.

Only some stores have a queue; :func:`queue_of` gives it, or says which have one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from clew.errors import StoreError
from clew.records import Document
from clew.stores.base import Store


@dataclass(frozen=True, kw_only=True, slots=True)
class QueuedDocument:
    """A document that was taken. ``ticket`` is that of this putting: the same document put again
    has another. ``attempt`` counts from 1. One that ``is_deleted`` has no text any more: a worker
    had it when it was deleted, and may have committed it since.
    """

    ticket: int
    document: Document
    attempt: int
    is_deleted: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class QueueCounts:
    """``waiting`` can be taken now; ``taken`` are with a worker; ``failed`` stay until put again
    or retried.
    """

    waiting: int
    taken: int
    failed: int


class WorkQueue(Protocol):
    """Every document is with one worker at a time, for as long as its lease is renewed. A worker
    that dies lets its leases run out, and then others take what it had. All methods are atomic
    and durable when they return; ``worker`` is the name of who asks, another for each process.
    """

    def put(self, documents: Iterable[Document]) -> int:
        """Add documents, each in place of what waits under its id; returns how many."""
        ...

    def take(
        self, most: int, *, scope: str, worker: str, lease_s: float
    ) -> Sequence[QueuedDocument]:
        """Up to ``most`` documents of the scope that nobody has, oldest first, for ``lease_s``
        seconds. A document that outlived too many workers fails instead.
        """
        ...

    def hold(self, tickets: Sequence[int], *, worker: str, lease_s: float) -> None:
        """Renew the leases that the worker still has."""
        ...

    def done(self, tickets: Sequence[int], *, worker: str, deleted: bool = False) -> None:
        """Take out what was indexed, where the worker still has it and nobody deleted it
        meanwhile; or what was, and has been deleted from the store too.
        """
        ...

    def give_back(self, tickets: Sequence[int], *, worker: str) -> None:
        """Let others take what was not even tried."""
        ...

    def fail(self, ticket: int, reason: str, *, worker: str) -> None:
        """Set a document aside that cannot be indexed."""
        ...

    def listed(self, *, scope: str) -> Sequence[Document]:
        """All that was put and not deleted, without texts, oldest first."""
        ...

    def withdraw(self, document_ids: Sequence[str]) -> int:
        """Delete documents, whatever has become of them; returns how many were there. One that a
        worker has is handed out once more when that one is done with it, as ``is_deleted``.
        """
        ...

    def counts(self, *, scope: str) -> QueueCounts: ...

    def failures(self, *, scope: str) -> Sequence[tuple[str, str]]:
        """(``doc_id``, why) of those that were set aside, oldest first."""
        ...

    def retry(self, *, scope: str) -> int:
        """Let what failed be taken again; returns how many."""
        ...


@runtime_checkable
class HasQueue(Protocol):
    """A store that has a queue beside it."""

    def queue(self) -> WorkQueue: ...


def queue_of(store: Store) -> WorkQueue:
    """The queue of a store; raises :class:`StoreError` where there is none."""
    if isinstance(store, HasQueue):
        return store.queue()
    raise StoreError(
        "this store has no queue: only one in PostgreSQL does, which several workers can write at "
        "once (--store postgresql://user@host/database)"
    )
