"""Do the work on threads of this process: for work that waits, such as for a model elsewhere."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from itertools import islice

from clew.executors.base import Item, Result


class ThreadExecutor:
    """``workers`` items at the same time, and one more at hand, while the caller is away with the
    results. ``while_waiting`` is called in the caller's thread, every ``every_s`` seconds as long
    as the next result is not there; what it raises is raised. ``when_over`` is called before the
    threads are waited for: after the last result, and when somebody gives up before.
    """

    def __init__(
        self,
        workers: int,
        *,
        while_waiting: Callable[[], None] = lambda: None,
        when_over: Callable[[], None] = lambda: None,
        every_s: float = 0.25,
    ) -> None:
        self._workers = workers
        self._while_waiting = while_waiting
        self._when_over = when_over
        self._every_s = every_s

    def map(
        self, function: Callable[[Item], Result], items: Iterable[Item]
    ) -> Generator[Result, None, None]:
        source = iter(items)
        line: deque[Future[Result]] = deque()
        with ThreadPoolExecutor(self._workers, thread_name_prefix="clew-work") as pool:

            def fill() -> None:
                for item in islice(source, self._workers + 1 - len(line)):
                    line.append(pool.submit(copy_context().run, function, item))

            try:
                fill()
                while line:
                    yield self._result(line.popleft())
                    fill()
            finally:
                self._when_over()
                for future in line:
                    future.cancel()

    def _result(self, future: Future[Result]) -> Result:
        while not wait([future], timeout=self._every_s).done:
            self._while_waiting()
        return future.result()
