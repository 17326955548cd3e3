"""Do the work in other processes of this machine, with the caller lending a hand.

Processes are those of loky: they are started afresh (no fork, which is unsafe beside the threads
of a model) and do not import the caller's main module, so a script needs no ``__main__`` guard.
They are started when a second item shows that there is more than one to do.
"""

from __future__ import annotations

import os
import signal
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor as Pool
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from threading import Thread
from typing import Any, Generic

from clew.executors.base import Item, Result
from clew.executors.pickled_work import pickled, pickled_function, unpickled, work

_WITH_A_WORKER = 6
"""Items that a worker has at hand: enough for the time that the caller is away with the results."""

_WHILE_WORKERS_START = 3


class ProcessExecutor:
    """``workers`` processes beside the caller's own.

    While the next result in order is not there yet, the caller does an item that nobody has begun:
    as many cores are busy as there are processes, whoever is faster. When a process dies (killed,
    out of memory), a warning says so and the caller does what is left; nothing is lost.
    """

    def __init__(self, workers: int = 1) -> None:
        self._workers = workers

    def map(
        self, function: Callable[[Item], Result], items: Iterable[Item]
    ) -> Generator[Result, None, None]:
        source = iter(items)
        first = list(islice(source, 2))
        if len(first) < 2:
            yield from map(function, first)
            return
        pool = _pool(self._workers)
        try:
            yield from _Line(function, pool, self._workers).work(first, source)
        finally:
            pool.shutdown(wait=True, kill_workers=True)


@dataclass(eq=False, slots=True)
class _Slot(Generic[Item, Result]):
    """An item in line: not begun, with a worker (``future``), or ``done``."""

    item: Item
    future: Future[bytes] | None = None
    done: list[Result] | None = None

    @property
    def is_waiting(self) -> bool:
        return self.future is None and self.done is None

    @property
    def is_underway(self) -> bool:
        return self.future is not None and not self.future.done()


class _Line(Generic[Item, Result]):
    """The items between the one taken last and the one yielded last."""

    def __init__(self, function: Callable[[Item], Result], pool: Pool, workers: int) -> None:
        self._function = function
        self._pickled_function = pickled_function(function)
        self._pool: Pool | None = pool
        self._workers = workers
        self._has_received = False
        self._slots: deque[_Slot[Item, Result]] = deque()

    def work(self, first: Iterable[Item], source: Iterator[Item]) -> Iterator[Result]:
        self._slots.extend(map(_Slot[Item, Result], first))
        while self._slots:
            self._take(source)
            yield self._next()
            self._slots.popleft()
            if not self._slots:
                self._take(source)

    def _take(self, source: Iterator[Item]) -> None:
        """Take two more items, and as many as there is room for while the next result is awaited:
        reading far ahead of what is done would put off the first results for nothing.
        """
        most = 2 + _WITH_A_WORKER * self._workers
        taken = 0
        while len(self._slots) < most and (
            taken < 2 or (self._slots and self._slots[0].is_underway)
        ):
            more = [_Slot[Item, Result](item) for item in islice(source, 1)]
            if not more:
                break
            self._slots.extend(more)
            taken += 1
            self._hand_out()
        self._hand_out()

    def _hand_out(self) -> None:
        """Keep every worker busy and its next item at hand. The one due now is the caller's, and so
        are the first few, while the workers start.
        """
        own = 1 if self._has_received else _WHILE_WORKERS_START
        underway = sum(slot.is_underway for slot in self._slots)
        for slot in islice(self._slots, own, None):
            if self._pool is None or underway >= _WITH_A_WORKER * self._workers:
                return
            if slot.is_waiting:
                try:
                    item = pickled(slot.item)
                    slot.future = self._pool.submit(work, self._pickled_function, item)
                except BrokenProcessPool as error:
                    self._lose_pool(error)
                underway += 1

    def _next(self) -> Result:
        due = self._slots[0]
        while due.is_underway:
            spare = next((slot for slot in self._slots if slot.is_waiting), None)
            if spare is None:
                break
            spare.done = [self._function(spare.item)]
            self._hand_out()
        if due.done is not None:
            return due.done[0]
        return self._function(due.item) if due.future is None else self._received(due.future, due)

    def _received(self, future: Future[bytes], slot: _Slot[Item, Result]) -> Result:
        try:
            received = future.result()
        except BrokenProcessPool as error:
            self._lose_pool(error)
            return self._function(slot.item)
        self._has_received = True
        result: Result = unpickled(received)
        return result

    def _lose_pool(self, error: Exception) -> None:
        if self._pool is not None:
            self._pool = None
            what = str(error).partition("\n")[0]
            warnings.warn(
                f"a worker process ended before its work was done ({what}); this process does the "
                "rest",
                stacklevel=2,
            )


def _pool(workers: int) -> Any:
    from loky import ProcessPoolExecutor  # noqa: PLC0415 - most runs need no other process

    pool = ProcessPoolExecutor(max_workers=workers, initializer=_begin, initargs=(os.getpid(),))
    for _ in range(workers):
        pool.submit(_nothing)  # they start now, while the caller does the first item
    return pool


def _nothing() -> None: ...


def _begin(caller: int) -> None:
    """In the worker. Ctrl-C goes to all processes of a terminal; the caller alone decides what it
    means. A worker whose caller was killed ends too.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(caller,), daemon=True).start()


def _end_with(caller: int) -> None:
    while os.getppid() == caller:
        time.sleep(1.0)
    os._exit(1)
