"""The queue of a store in PostgreSQL (:class:`clew.stores.queues.WorkQueue`).

``FOR UPDATE SKIP LOCKED`` lets every worker take other rows without waiting for anybody. The
server's clock decides when a lease has run out, so the clocks of workers do not matter.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager

import numpy as np

from clew.records import Document
from clew.stores.codec import document_from_dict, document_to_dict
from clew.stores.postgres.connections import Session, transaction
from clew.stores.postgres.statements import Statements
from clew.stores.queues import QueueCounts, QueuedDocument

MOST_ATTEMPTS = 5
"""A document that so many workers did not come back from is set aside."""

_SQL = Statements("queue")


class PostgresQueue:
    """Documents wait in a table beside the store's; ``session`` gives a connection of it."""

    def __init__(self, session: Callable[[], AbstractContextManager[Session]]) -> None:
        self._session = session

    def put(self, documents: Iterable[Document]) -> int:
        latest = {document.id: document for document in documents}
        rows = [
            (item.id, item.doc_id, item.scope, item.source, json.dumps(document_to_dict(item)))
            for item in latest.values()
        ]
        if rows:
            with self._session() as session, transaction(session.connection):
                session.run(_SQL["remove"], {"ids": list(latest)})
                session.copy(_SQL["put"], rows)
        return len(rows)

    def take(
        self, most: int, *, scope: str, worker: str, lease_s: float
    ) -> Sequence[QueuedDocument]:
        reason = f"{MOST_ATTEMPTS} workers took it and did not come back"
        outlived = {"scope": scope, "reason": reason, "attempts": MOST_ATTEMPTS}
        asked = {"scope": scope, "worker": worker, "lease": lease_s, "most": most}
        with self._session() as session, transaction(session.connection):
            session.run(_SQL["set_aside"], outlived)
            rows = session.rows(_SQL["take"], asked)
        return [_queued(*row) for row in sorted(rows)]

    def hold(self, tickets: Sequence[int], *, worker: str, lease_s: float) -> None:
        self._change("hold", tickets, worker, lease=lease_s)

    def done(self, tickets: Sequence[int], *, worker: str, deleted: bool = False) -> None:
        self._change("done", tickets, worker, deleted=deleted)

    def give_back(self, tickets: Sequence[int], *, worker: str) -> None:
        self._change("give_back", tickets, worker)

    def fail(self, ticket: int, reason: str, *, worker: str) -> None:
        with self._session() as session:
            asked = {"ticket": ticket, "worker": worker, "reason": reason.replace("\0", "�")}
            session.run(_SQL["fail"], asked)

    def counts(self, *, scope: str) -> QueueCounts:
        with self._session() as session:
            waiting, taken, failed = session.row(_SQL["counts"], {"scope": scope})
        return QueueCounts(waiting=waiting, taken=taken, failed=failed)

    def failures(self, *, scope: str) -> Sequence[tuple[str, str]]:
        with self._session() as session:
            return session.rows(_SQL["failures"], {"scope": scope})

    def retry(self, *, scope: str) -> int:
        with self._session() as session:
            return session.run(_SQL["retry"], {"scope": scope})

    def listed(self, *, scope: str) -> list[Document]:
        with self._session() as session:
            rows = session.rows(_SQL["listed"], {"scope": scope})
        return [
            Document(id=id_, doc_id=doc_id, source=source, scope=scope, text="")
            for id_, doc_id, source in rows
        ]

    def withdraw(self, document_ids: Sequence[str]) -> int:
        if not document_ids:
            return 0
        asked = {"ids": list(document_ids)}
        with self._session() as session, transaction(session.connection):
            gone = session.run(_SQL["withdraw"], asked)
            return gone + session.run(_SQL["mark_deleted"], asked)

    def _change(self, name: str, tickets: Sequence[int], worker: str, **more: float) -> None:
        if tickets:
            asked = {"tickets": np.array(tickets, np.int64), "worker": worker, **more}
            with self._session() as session:
                session.run(_SQL[name], asked)


def _queued(
    ticket: int, id_: str, doc_id: str, scope: str, plain: str, attempt: int, is_deleted: bool
) -> QueuedDocument:
    document = (
        Document(id=id_, doc_id=doc_id, scope=scope, text="")
        if is_deleted
        else document_from_dict(json.loads(plain))
    )
    return QueuedDocument(ticket=ticket, document=document, attempt=attempt, is_deleted=is_deleted)
