"""Writing replies and books together, so that many callers wait for one disk, not each for its own.

What comes while a write is under way is written by the next one: ten calls that end at the same
time take two transactions, not twenty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Protocol, runtime_checkable

from clew.errors import ReadOnlyStoreError, StoreError, StoreLockedError
from clew.models.base import PaidReply, UsageEntry
from clew.models.wrappers.layers import Proceed, Reply, Request


class Keeper(Protocol):
    """Where replies and books are kept; every store does it (:class:`clew.stores.base.Store`)."""

    def remembered(self, keys: Sequence[str]) -> Mapping[str, str]:
        """The replies that are kept for these keys."""
        ...

    def keep_replies(self, replies: Sequence[PaidReply], usage: Iterable[UsageEntry] = ()) -> None:
        """Keep them, durably when this returns."""
        ...


@runtime_checkable
class Claiming(Protocol):
    """A :class:`Keeper` that other processes may use at the same time."""

    def claimed(self, key: str) -> AbstractContextManager[None]:
        """Hold ``key``, after who holds it elsewhere has let go."""
        ...


@dataclass(slots=True)
class _Job:
    reply: PaidReply | None
    done: Event = field(default_factory=Event)
    error: Exception | None = None


class Keeping:
    """Keeps replies in ``keeper``, and enters what calls used.

    Entries are written with the next reply, at the latest by :meth:`finish`. While ``keeper``
    cannot be written (another process holds the store, or it may only be read), they wait: no
    answer fails for them.
    """

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._lock = Lock()
        self._jobs: list[_Job] = []
        self._entries: list[UsageEntry] = []
        self._writing = False

    def remembered(self, key: str) -> str | None:
        return self._keeper.remembered([key]).get(key)

    def claimed(self, key: str) -> AbstractContextManager[None]:
        """While it is held, no other process that can be known of asks the same."""
        keeper = self._keeper
        return keeper.claimed(key) if isinstance(keeper, Claiming) else nullcontext()

    def enter(self, entries: Iterable[UsageEntry]) -> None:
        """Add to the books, with the next reply that is kept."""
        with self._lock:
            self._entries += entries

    def keep(self, reply: PaidReply) -> None:
        """Keep a reply, durably when this returns. Raises the errors of the store."""
        self._do(_Job(reply))

    def finish(self) -> None:
        """Write the entries that no reply came after."""
        if not self._entries:
            return
        try:
            self._do(_Job(None))
        except (StoreLockedError, ReadOnlyStoreError):
            return  # they wait on

    def answer(self, request: Request, proceed: Proceed) -> Reply:
        """As a layer: write the entries of a call when its reply is through."""
        yield from proceed(request)
        self.finish()

    def _do(self, job: _Job) -> None:
        with self._lock:
            self._jobs.append(job)
            leads, self._writing = not self._writing, True
        if leads:
            self._write_all()
        job.done.wait()
        if job.error is not None:
            raise job.error

    def _write_all(self) -> None:
        while True:
            with self._lock:
                jobs, self._jobs = self._jobs, []
                if not jobs:
                    self._writing = False
                    return
                entries, self._entries = self._entries, []
            try:
                error = self._written([job.reply for job in jobs if job.reply], entries)
            except BaseException:  # Ctrl-C: whoever waits must not wait for ever
                self._give_up(jobs)
                raise
            if error is not None:
                with self._lock:
                    self._entries = entries + self._entries
            for job in jobs:
                job.error = error
                job.done.set()

    def _give_up(self, jobs: list[_Job]) -> None:
        with self._lock:
            jobs, self._jobs = jobs + self._jobs, []
            self._writing = False
        for job in jobs:
            job.error = StoreError("a reply was not kept: the write was broken off")
            job.done.set()

    def _written(
        self, replies: Sequence[PaidReply], entries: Sequence[UsageEntry]
    ) -> Exception | None:
        try:
            self._keeper.keep_replies(replies, entries)
        except Exception as error:  # raised by each that waits for it
            return error
        return None
