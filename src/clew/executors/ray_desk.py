"""The caller's end of the mailbox: does what workers call home for, in threads of this process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

from clew.errors import ExecutorError
from clew.executors.base import Caller
from clew.executors.pickled_work import pickled, unpickled
from clew.executors.ray_actors import Mailbox, pickled_error

_PATIENCE_S = 0.5
_CALLS_WAITING = 100_000
"""More than all workers together ever have under way."""


class Desk:
    """Open while workers work. ``mailbox`` is what they get."""

    def __init__(self, ray: Any, caller: Caller) -> None:
        self._ray = ray
        self._caller = caller
        self._over = Event()
        self._failure: Exception | None = None
        kind = ray.remote(
            num_cpus=0,
            max_restarts=-1,
            max_task_retries=-1,  # a call that was lost with the mailbox is sent again
            max_concurrency=_CALLS_WAITING,
        )(Mailbox)
        self.mailbox = kind.remote()

    def require_open(self) -> None:
        """Raise :class:`ExecutorError` when calls cannot be answered any more."""
        if self._failure is not None:
            raise ExecutorError(
                f"the workers cannot reach this process any more ({self._failure})"
            ) from self._failure

    def serve(self) -> None:
        try:
            with ThreadPoolExecutor(self._caller.at_once, thread_name_prefix="clew-desk") as pool:
                while not self._over.is_set():
                    for number, asked in self._taken():
                        pool.submit(self._answer, number, asked)
        except self._ray.exceptions.RayError as error:
            self._failure = error

    def _taken(self) -> list[tuple[int, bytes]]:
        """What is in the mailbox. One that is being restarted, or cannot be, keeps nobody waiting
        at the end.
        """
        call = self.mailbox.take.remote(self._caller.at_once, _PATIENCE_S)
        while not self._over.is_set():
            ready, _ = self._ray.wait([call], timeout=_PATIENCE_S)
            if ready:
                taken: list[tuple[int, bytes]] = self._ray.get(call)
                return taken
        return []

    def close(self) -> None:
        self._over.set()

    def _answer(self, number: int, asked: bytes) -> None:
        self.mailbox.answer.remote(number, _outcome(self._caller.offers, asked))


@contextmanager
def open_desk(ray: Any, caller: Caller) -> Iterator[Desk | None]:
    """None where nothing is offered. Calls that are under way at the end are done to their end:
    what they brought may have been paid for.
    """
    if not caller.offers:
        try:
            yield None
        finally:
            caller.when_over()
        return
    desk = Desk(ray, caller)
    thread = Thread(target=desk.serve, name="clew-desk", daemon=True)
    thread.start()
    try:
        yield desk
    finally:
        caller.when_over()
        desk.close()
        thread.join()
        ray.kill(desk.mailbox)


def _outcome(offers: Mapping[str, Any], asked: bytes) -> bytes:
    try:
        name, arguments = unpickled(asked)
        return pickled((True, offers[name](*arguments)))
    except Exception as error:  # raised where it was called for
        return pickled_error(error)
