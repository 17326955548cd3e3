"""What runs in the processes of a Ray cluster: workers, and the mailbox between them and home."""

from __future__ import annotations

import asyncio
import os
import platform
from typing import Any, NamedTuple

from clew.errors import ExecutorError
from clew.executors.calling_home import HomeLostError, at_home
from clew.executors.pickled_work import kept_function, pickled, unpickled


class Origin(NamedTuple):
    """Where and with what a worker works."""

    machine: str
    process: int
    python: str
    clew: str


def origin() -> Origin:
    from importlib.metadata import version  # noqa: PLC0415 - once in a process

    return Origin(platform.node(), os.getpid(), platform.python_version(), version("clew"))


class Worker:
    """Does items one after the other. What the function has loaded (an embedder) stays loaded."""

    def __init__(self, function: bytes, mailbox: Any) -> None:
        self._function = function
        self._mailbox = mailbox

    def hello(self) -> bytes:
        return pickled(origin())

    def work(self, item: bytes) -> bytes:
        """Return (True, result) or (False, what was raised), pickled."""
        try:
            with at_home(self._call):
                outcome = True, kept_function(self._function)(unpickled(item))
        except HomeLostError:
            os._exit(1)  # whoever wanted this is gone, or gives it to another worker
        except Exception as error:  # raised where the result is asked for
            return pickled_error(error)
        return pickled(outcome)

    def _call(self, name: str, arguments: tuple[Any, ...]) -> Any:
        import ray  # noqa: PLC0415 - this is its process

        try:
            answer = ray.get(self._mailbox.ask.remote(pickled((name, arguments))))
        except ray.exceptions.RayError as error:
            raise HomeLostError from error
        return opened(answer)


class Mailbox:
    """Calls on their way home, and answers on their way back. It runs nothing itself, so a worker
    that waits for an answer costs a future here and no thread.
    """

    def __init__(self) -> None:
        self._calls: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue()
        self._answers: dict[int, asyncio.Future[bytes]] = {}
        self._number = 0

    async def ask(self, call: bytes) -> bytes:
        self._number += 1
        number = self._number
        self._answers[number] = asyncio.get_running_loop().create_future()
        self._calls.put_nowait((number, call))
        try:
            return await self._answers[number]
        finally:
            del self._answers[number]

    async def take(self, most: int, patience_s: float) -> list[tuple[int, bytes]]:
        """Up to ``most`` calls; none when none comes within ``patience_s`` seconds."""
        try:
            taken = [await asyncio.wait_for(self._calls.get(), patience_s)]
        except TimeoutError:
            return []
        while len(taken) < most and not self._calls.empty():
            taken.append(self._calls.get_nowait())
        return taken

    async def answer(self, number: int, answer: bytes) -> None:
        """A number that is not known was asked for by a worker that is gone."""
        waiting = self._answers.get(number)
        if waiting is not None and not waiting.done():
            waiting.set_result(answer)


def pickled_error(error: Exception) -> bytes:
    """``(False, error)``, pickled; one that cannot be sent is told in words."""
    try:
        sent = pickled((False, error))
        unpickled(sent)
    except Exception:  # whatever an error of somebody else does when it is copied
        sent = pickled((False, ExecutorError(f"{type(error).__name__}: {error}")))
    return sent


def opened(outcome: bytes) -> Any:
    """The result, or what was raised instead."""
    fine, value = unpickled(outcome)
    if fine:
        return value
    raise value
