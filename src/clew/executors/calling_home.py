"""What only the caller's process can do, called from wherever the work is done.

A worker on another machine must not write the store, and the limits of a paid model are one for
all workers: such calls go home. In the caller's own process they are ordinary calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Home = Callable[[str, tuple[Any, ...]], Any]

_HOME: ContextVar[Home | None] = ContextVar("clew_home", default=None)


class HomeLostError(BaseException):
    """Nobody is at home any more. Not an ``Exception``: no work is to go on as if a call had failed
    (a model that fails has its chunk read without it, for good).
    """


def call_home(name: str, *arguments: Any) -> Any:
    """Call the function that the caller offers as ``name``, and return or raise what it does."""
    home = _HOME.get()
    assert home is not None, "nobody offers anything here"
    return home(name, arguments)


@contextmanager
def at_home(home: Home) -> Iterator[None]:
    """Have calls go to ``home`` within the block, and in the threads that are started there by
    :mod:`clew.executors.concurrently`.
    """
    token = _HOME.set(home)
    try:
        yield
    finally:
        _HOME.reset(token)
