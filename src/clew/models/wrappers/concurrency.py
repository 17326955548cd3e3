"""So many calls at the same time, whoever makes them."""

from __future__ import annotations

from threading import Semaphore

from clew.models.base import Completion
from clew.models.wrappers.layers import Proceed, Reply, Request


class ConcurrencyLayer:
    """At most ``most`` calls are under way; the others wait their turn. A call is over when its
    reply is whole: what is then done with it, such as keeping it, holds up no other.
    """

    def __init__(self, most: int) -> None:
        self._places = Semaphore(most)

    def answer(self, request: Request, proceed: Proceed) -> Reply:
        self._places.acquire()
        is_over = False
        try:
            for item in proceed(request):
                if isinstance(item, Completion) and not is_over:
                    self._places.release()
                    is_over = True
                yield item
        finally:
            if not is_over:
                self._places.release()
