"""So many calls at the same time, whoever makes them."""

from __future__ import annotations

from threading import Semaphore

from clew.models.wrappers.layers import Proceed, Reply, Request


class ConcurrencyLayer:
    """At most ``most`` calls are under way; the others wait their turn."""

    def __init__(self, most: int) -> None:
        self._places = Semaphore(most)

    def answer(self, request: Request, proceed: Proceed) -> Reply:
        with self._places:
            yield from proceed(request)
