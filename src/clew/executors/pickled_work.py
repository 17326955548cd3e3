"""Functions, items and results on their way to another process and back: bytes both ways.

Who hands them over (the threads of a pool, an object store) has nothing to pickle, and does not
compete with the caller for the interpreter.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import lru_cache
from typing import Any


def pickled_function(function: Callable[[Any], Any]) -> bytes:
    """With what it closes over: lambdas and functions of a script can be sent too."""
    import cloudpickle  # noqa: PLC0415 - comes with loky

    pickled: bytes = cloudpickle.dumps(function)
    return pickled


def pickled(value: object) -> bytes:
    return pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)


def unpickled(value: bytes) -> Any:
    """Only for what our own processes made."""
    return pickle.loads(value)  # noqa: S301


def work(function: bytes, item: bytes) -> bytes:
    """In the worker: the pickled result."""
    return pickled(kept_function(function)(unpickled(item)))


@lru_cache(maxsize=2)
def kept_function(function: bytes) -> Callable[[Any], Any]:
    """Kept from item to item with all that it has loaded."""
    found: Callable[[Any], Any] = unpickled(function)
    return found
