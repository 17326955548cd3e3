"""A clock for tests: sleeping takes no time and is written down."""

from __future__ import annotations

from threading import Lock


class FakeClock:
    """``now`` moves only while somebody sleeps; ``sleeps`` are the lengths, in order."""

    def __init__(self) -> None:
        self.sleeps: list[float] = []
        self._now = 0.0
        self._lock = Lock()

    def now(self) -> float:
        with self._lock:
            return self._now

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self.sleeps.append(seconds)
            self._now += seconds
