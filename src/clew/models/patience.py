"""Asking a busy or broken provider again, for calls that carry no conversation: embeddings.

A batch that fails for a moment must not cost a run that has paid for thousands. Language models
have wrappers of their own, see :mod:`clew.models.wrappers`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from clew.errors import ModelUnavailableError, RateLimitError

Reply = TypeVar("Reply")

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0
"""Of the waits that the provider did not ask for."""

MOST_ASKED_WAIT_S = 120.0
"""A provider that asks for a longer one is given up."""


def asked_again(
    call: Callable[[], Reply], *, attempts: int, sleep: Callable[[float], None] | None = None
) -> Reply:
    """Return what ``call`` returns, in up to ``attempts`` of them: those that fail with
    :class:`RateLimitError` or :class:`ModelUnavailableError` are followed by a wait, as long as the
    provider says, else twice as long as the one before. The last error is raised.
    """
    for attempt in range(1, attempts):
        try:
            return call()
        except (RateLimitError, ModelUnavailableError) as error:
            own = min(FIRST_WAIT_S * 2 ** (attempt - 1), LONGEST_WAIT_S)
            wait = own if error.retry_after_s is None else error.retry_after_s
            if wait > MOST_ASKED_WAIT_S:
                raise
            (sleep or time.sleep)(wait)
    return call()
