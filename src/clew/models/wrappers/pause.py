"""A pause that all calls of a model share: when one is told to wait, the others wait with it.

Otherwise nine of ten calls go on hammering a provider that has just asked the tenth for a minute's
rest, and each of them lengthens it.
"""

from __future__ import annotations

from threading import Lock

from clew.models.wrappers.clock import Clock
from clew.models.wrappers.layers import Proceed, Reply, Request
from clew.models.wrappers.stopping import go_on_unless_stopping


class Pause:
    """Until when nobody asks."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = Lock()
        self._until = 0.0

    def at_least(self, seconds: float) -> None:
        """From now on, ``seconds`` or what is left of a longer pause."""
        with self._lock:
            self._until = max(self._until, self._clock.now() + seconds)

    def wait(self) -> None:
        while (left := self._left()) > 0:
            self._clock.sleep(left)
            go_on_unless_stopping()

    def _left(self) -> float:
        with self._lock:
            return self._until - self._clock.now()


class PauseLayer:
    """Begins no call before the pause is over."""

    def __init__(self, pause: Pause) -> None:
        self._pause = pause

    def answer(self, request: Request, proceed: Proceed) -> Reply:
        self._pause.wait()
        yield from proceed(request)
