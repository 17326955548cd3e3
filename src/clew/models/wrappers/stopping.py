"""Whether the run that a call belongs to is to end: waits are cut short then.

The layers that wait (for a provider that is busy, for a minute that is full) are shared by all runs
of a model, so each call brings the sign of its own run along, beside the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from clew.errors import ModelError

STOPPED = "not asked: the run was stopped"


def _never() -> bool:
    return False


_STOPPED: ContextVar[Callable[[], bool]] = ContextVar("clew_stopped", default=_never)


def is_stopping() -> bool:
    return _STOPPED.get()()


def go_on_unless_stopping() -> None:
    """Raise :class:`ModelError` where the call should not be made any more."""
    if is_stopping():
        raise ModelError(STOPPED)


@contextmanager
def stopped_by(sign: Callable[[], bool]) -> Iterator[None]:
    """Calls in the ``with`` block belong to a run that ends when ``sign`` says so."""
    token = _STOPPED.set(sign)
    try:
        yield
    finally:
        _STOPPED.reset(token)
