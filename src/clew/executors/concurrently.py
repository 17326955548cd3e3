"""Waiting for many things at once, in order: the one place where clew starts threads to wait.

Everything that waits (a model over the network, a file) or that leaves the interpreter while it
computes (a model on this machine) goes through here, so that order, errors and the number of
threads are settled once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextvars import copy_context
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_concurrently(
    function: Callable[[Item], Result], items: Iterable[Item], concurrency: int
) -> list[Result]:
    """Return ``[function(item) for item in items]``, at most ``concurrency`` of them at a time.

    Results are in the order of ``items``. When calls fail, the error of the first one in that order
    is raised, after the running calls have ended; calls that had not begun never begin. With one
    item, or a concurrency of 1, no thread is started.
    """
    waiting = list(items)
    workers = min(concurrency, len(waiting))
    if workers <= 1:
        return [function(item) for item in waiting]
    with ThreadPoolExecutor(workers, thread_name_prefix="clew") as pool:
        futures = [pool.submit(copy_context().run, function, item) for item in waiting]
        try:
            return [future.result() for future in futures]
        except BaseException:
            for future in futures:
                future.cancel()
            raise


def as_they_finish(
    function: Callable[[Item], Result], items: Iterable[Item], concurrency: int
) -> Iterator[tuple[int, Result]]:
    """Yield (place in ``items``, result) as soon as each call has ended, in the caller's thread.

    For results that must be kept safe at once: whoever is killed meanwhile loses only what was
    still running. An error is raised when its turn comes; calls that had not begun never begin.
    """
    waiting = list(items)
    workers = min(concurrency, len(waiting))
    if workers <= 1:
        for place, item in enumerate(waiting):
            yield place, function(item)
        return
    with ThreadPoolExecutor(workers, thread_name_prefix="clew") as pool:
        futures = {
            pool.submit(copy_context().run, function, item): place
            for place, item in enumerate(waiting)
        }
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            for future in futures:
                future.cancel()
