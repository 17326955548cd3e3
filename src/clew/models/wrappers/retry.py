"""Asking again, later, where that may help: a busy provider, a broken connection.

The waits grow twofold with some chance in them, so that callers who failed together do not come
back together; a provider that says how long to wait is taken at its word.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count

from clew.errors import ModelTimeoutError, ModelUnavailableError, RateLimitError
from clew.models.wrappers.clock import Clock
from clew.models.wrappers.layers import Proceed, Reply, Request
from clew.models.wrappers.pause import Pause
from clew.models.wrappers.stopping import go_on_unless_stopping

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0
"""Of the waits that the provider did not ask for."""

_Passing = RateLimitError | ModelUnavailableError


class RetryLayer:
    """Makes up to ``attempts`` calls. ``chance`` gives numbers in 0–1; ``longest_wait_s`` is the
    most that a provider may ask for. Nothing is asked again once a piece of a reply was given out.
    """

    def __init__(
        self,
        attempts: int,
        *,
        pause: Pause,
        clock: Clock,
        longest_wait_s: float = 300.0,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._attempts = attempts
        self._pause = pause
        self._clock = clock
        self._longest_wait_s = longest_wait_s
        self._chance = chance

    def answer(self, request: Request, proceed: Proceed) -> Reply:
        for attempt in count(1):
            begun = False
            try:
                for item in proceed(request):
                    begun = True
                    yield item
            except (RateLimitError, ModelUnavailableError) as error:
                if begun or self._attempts == 1:
                    raise
                if attempt == self._attempts:
                    raise _told(error, f"given up after {attempt} attempts") from error
                self._wait(error, attempt)
            else:
                return

    def _wait(self, error: _Passing, attempt: int) -> None:
        own = min(FIRST_WAIT_S * 2 ** (attempt - 1), LONGEST_WAIT_S)
        wait = max(own * (0.5 + self._chance() / 2), error.retry_after_s or 0.0)
        if wait > self._longest_wait_s:
            raise _told(
                error,
                f"it asks for a wait of {wait:.0f} s, and llm_longest_wait_s is "
                f"{self._longest_wait_s:g}",
            ) from error
        if isinstance(error, RateLimitError) or error.retry_after_s is not None:
            self._pause.at_least(wait)
            self._pause.wait()
        else:
            self._clock.sleep(wait)
        go_on_unless_stopping()


def _told(error: _Passing, more: str) -> _Passing:
    """The same kind of error, saying why nothing more is tried."""
    for kind in (RateLimitError, ModelTimeoutError, ModelUnavailableError):
        if isinstance(error, kind):
            return kind(f"{error} ({more})", retry_after_s=error.retry_after_s)
    raise AssertionError(error)
