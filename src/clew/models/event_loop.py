"""Waiting for async models from sync code, whether or not the caller is inside an event loop.

Async clients keep connections that belong to the loop they were opened in, so all calls to one
model run in one loop: its own, in a thread of its own, begun when first needed and ended with the
object that holds it.
"""

from __future__ import annotations

import asyncio
import inspect
import weakref
from collections.abc import Awaitable
from threading import Lock, Thread, current_thread
from typing import Any

_STOP_TIMEOUT_S = 5.0


class EventLoopThread:
    """An event loop in a daemon thread. Safe to use from many threads at once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def resolve(self, value: Any) -> Any:
        """Return ``value``, or what it gives when it is awaited."""
        if not inspect.isawaitable(value):
            return value
        future = asyncio.run_coroutine_threadsafe(_waiting(value), self._running())
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                thread = Thread(
                    target=_serve, args=(self._loop,), name="clew-event-loop", daemon=True
                )
                thread.start()
                weakref.finalize(self, _stop, self._loop, thread)
            return self._loop


async def _waiting(value: Awaitable[Any]) -> Any:
    return await value


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def _stop(loop: asyncio.AbstractEventLoop, thread: Thread) -> None:
    loop.call_soon_threadsafe(loop.stop)
    if thread is not current_thread():
        thread.join(_STOP_TIMEOUT_S)
