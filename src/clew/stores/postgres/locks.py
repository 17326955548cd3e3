"""What writers hold while they write.

Many write at once: each takes the locks of its documents, writes what is theirs alone (texts,
vectors, postings: most of the work) and only then takes the lock of what all documents share
(entities and their names, totals, the generation). Every writer takes its locks in ascending
order, so none can wait for one that waits for it: there are no deadlocks to recover from.

The locks are PostgreSQL's advisory ones, which end with their transaction, however it ends.
Documents share a fixed number of locks, since a server has room for so many only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np

from clew.stores.postgres.connections import Session
from clew.stores.postgres.statements import Statements

_SQL = Statements("state")
_DOCUMENT_LOCKS = 1024
_SHARED = _DOCUMENT_LOCKS
_BOOKS = _DOCUMENT_LOCKS + 1
STAGE = _DOCUMENT_LOCKS + 2
"""Held by a connection, not by a transaction: while the vectors of another embedder are made."""


def lock_documents(session: Session, document_ids: Iterable[str]) -> None:
    _lock(session, sorted({_lock_of(document_id) for document_id in document_ids}))


def lock_shared(session: Session) -> None:
    """Wait until no other writer changes what all documents share. Taking it twice is fine."""
    _lock(session, [_SHARED])


def lock_books(session: Session) -> None:
    """Wait until no other writer changes replies, books or decisions."""
    _lock(session, [_BOOKS])


def _lock(session: Session, numbers: Sequence[int]) -> None:
    """Taken one after another, in this order."""
    if numbers:
        session.run(_SQL["lock"], {"numbers": np.array(numbers, np.int64)})


def _lock_of(document_id: str) -> int:
    digest = blake2b(document_id.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest) % _DOCUMENT_LOCKS
