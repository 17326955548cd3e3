"""So many calls at the same time, whoever makes them."""

from __future__ import annotations

from threading import Semaphore

from clew.models.wrappers.layers import Proceed, Reply, Request


class ConcurrencyLayer:
    """At most ``most`` calls are under way; the others wait their turn. A call gives its place back
    when its reply has been taken through all layers outside this one: inside the cache, the next
    call begins when this one's reply is safe, and a process that is killed loses ``most`` at most.
    """

    def __init__(self, most: int) -> None:
        self._places = Semaphore(most)

    def answer(self, request: Request, proceed: Proceed) -> Reply:
        with self._places:
            yield from proceed(request)
