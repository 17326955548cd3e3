"""So many requests and so many tokens in a minute: a window that slides with the clock.

Tokens are estimated before a call and put right after it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from threading import Lock

from clew.models.base import Completion
from clew.models.wrappers.clock import Clock
from clew.models.wrappers.estimates import Estimates
from clew.models.wrappers.layers import Proceed, Reply, Request
from clew.models.wrappers.stopping import go_on_unless_stopping

WINDOW_S = 60.0
_LOOKS_EVERY_S = 1.0


@dataclass(slots=True)
class _Call:
    at: float
    tokens: int


class RateLayer:
    """Begins a call when the last minute has room for it; callers are served in turn. A call that
    is larger than a whole minute's tokens has a minute to itself.
    """

    def __init__(
        self,
        *,
        requests: int | None,
        tokens: int | None,
        estimates: Estimates,
        clock: Clock,
    ) -> None:
        self._requests = requests
        self._tokens = tokens
        self._estimates = estimates
        self._clock = clock
        self._turn = Lock()
        self._lock = Lock()
        self._calls: deque[_Call] = deque()

    def answer(self, request: Request, proceed: Proceed) -> Reply:
        estimate = self._estimates.of(request)
        call = _Call(0.0, estimate.input_tokens + estimate.output_tokens)
        with self._turn:
            while (wait := self._wait_s(call)) > 0:
                self._clock.sleep(min(wait, _LOOKS_EVERY_S))
                go_on_unless_stopping()
        for item in proceed(request):
            if isinstance(item, Completion):
                used = self._estimates.told(estimate, item.text, item.usage)
                with self._lock:
                    call.tokens = used.input_tokens + used.output_tokens
            yield item

    def _wait_s(self, call: _Call) -> float:
        """Enter the call and return 0, or return how long to wait for the next that leaves."""
        with self._lock:
            now = self._clock.now()
            while self._calls and self._calls[0].at <= now - WINDOW_S:
                self._calls.popleft()
            if self._has_room(call):
                call.at = now
                self._calls.append(call)
                return 0.0
            return self._calls[0].at + WINDOW_S - now

    def _has_room(self, call: _Call) -> bool:
        if not self._calls:
            return True
        if self._requests is not None and len(self._calls) >= self._requests:
            return False
        used = sum(other.tokens for other in self._calls)
        return self._tokens is None or used + call.tokens <= self._tokens
