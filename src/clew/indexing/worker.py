"""A worker: takes documents from a queue, indexes them, until there are no more.

Many work at one store. While a batch is under way its leases are renewed; when a worker dies they
run out and another takes what it had. A document that was committed and not yet taken out of the
queue is met again as unchanged, so nothing is done twice, and in whatever order documents come,
the graph is the same. What is deleted while a worker has it is deleted again when that one is done.
"""

from __future__ import annotations

import os
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from uuid import uuid4

from clew.errors import ConfigError, StoreError
from clew.indexing.pipeline import IndexPipeline
from clew.reports import IngestReport, Status
from clew.stores.base import Store
from clew.stores.queues import QueuedDocument, queue_of

LEASE_S = 60.0
"""How long a document stays with a worker that is not heard of any more."""

BATCH = 16
"""Taken at once: few enough that a death costs little, and none is left without work at the end."""

_LEAST_LEASE_S = 1.0
_RENEWED_PER_LEASE = 4
_POLL_S = 0.5

Stop = Callable[[], bool]
Heard = Callable[[IngestReport], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkReport:
    """What one worker did: how many documents ended in each status."""

    worker: str
    counts: Mapping[str, int] = field(default_factory=dict)
    knowledge_units: int = 0
    seconds: float = 0.0
    interrupted: bool = False

    @property
    def documents(self) -> int:
        return sum(self.counts.values())


class QueueWorker:
    """Works at ``store`` with the settings and models of ``pipeline``."""

    def __init__(
        self, pipeline: IndexPipeline, store: Store, *, lease_s: float = LEASE_S, name: str = ""
    ) -> None:
        if lease_s < _LEAST_LEASE_S:
            raise ConfigError(f"lease_s={lease_s:g} is too short: the least is {_LEAST_LEASE_S:g}")
        self.name = name or f"{socket.gethostname()}-{os.getpid()}-{uuid4().hex[:6]}"
        self._pipeline = pipeline
        self._store = store
        self._queue = queue_of(store)
        self._lease_s = lease_s
        self._scope = pipeline.config.scope

    def run(
        self,
        *,
        waits: bool = False,
        should_stop: Stop = lambda: False,
        heard: Heard = lambda _: None,
    ) -> WorkReport:
        """Work until the queue is empty and nobody holds anything of it; with ``waits``, for ever.

        ``heard`` gets the report of every batch; ``should_stop`` is asked between batches and
        inside of long ones. Raises what :meth:`IndexPipeline.index` raises; what was taken is
        given back then.
        """
        began = time.perf_counter()
        counts: Counter[str] = Counter()
        units = 0
        while not should_stop():
            taken = self._queue.take(
                BATCH, scope=self._scope, worker=self.name, lease_s=self._lease_s
            )
            if not taken:
                left = self._queue.counts(scope=self._scope)
                if not waits and not left.waiting and not left.taken:
                    break
                time.sleep(_POLL_S)
                continue
            report = self._index(taken, should_stop)
            counts.update(report.counts)
            units += sum(document.knowledge_units for document in report.documents)
            heard(report)
        return WorkReport(
            worker=self.name,
            counts=dict(sorted(counts.items())),
            knowledge_units=units,
            seconds=time.perf_counter() - began,
            interrupted=should_stop(),
        )

    def _index(self, taken: Sequence[QueuedDocument], should_stop: Stop) -> IngestReport:
        tickets = {item.document.doc_id: item.ticket for item in taken}
        with self._given_back_on_error(tickets), self._held(list(tickets.values())):
            self._delete([item for item in taken if item.is_deleted])
            report = self._pipeline.index(
                [item.document for item in taken if not item.is_deleted],
                self._store,
                should_stop=should_stop,
            )
        done = []
        for told in report.documents:
            if told.status is Status.FAILED:
                self._queue.fail(tickets[told.doc_id], told.reason, worker=self.name)
            else:
                done.append(tickets[told.doc_id])
        self._queue.done(done, worker=self.name)
        # What was not even tried; and what was deleted meanwhile, which is handed out as such.
        self._queue.give_back(list(tickets.values()), worker=self.name)
        return report

    def _delete(self, taken: Sequence[QueuedDocument]) -> None:
        """Again, since whoever had these may have committed them after they were deleted."""
        if taken:
            self._store.commit(delete=[item.document.id for item in taken])
            tickets = [item.ticket for item in taken]
            self._queue.done(tickets, worker=self.name, deleted=True)

    @contextmanager
    def _given_back_on_error(self, tickets: Mapping[str, int]) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._queue.give_back(list(tickets.values()), worker=self.name)
            raise

    @contextmanager
    def _held(self, tickets: Sequence[int]) -> Iterator[None]:
        """Renew the leases from a thread for as long as the block takes."""
        ended = Event()

        def renew() -> None:
            while not ended.wait(self._lease_s / _RENEWED_PER_LEASE):
                try:
                    self._queue.hold(tickets, worker=self.name, lease_s=self._lease_s)
                except StoreError:
                    continue  # the next renewal may get through; if none does, the lease runs out

        thread = Thread(target=renew, name=f"{self.name}-leases", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
