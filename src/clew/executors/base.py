"""The contract of executors: who does the work of a run, batch by batch, in order."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Executor(Protocol):
    """Does the same with many items; where that happens is its own affair."""

    def map(
        self, function: Callable[[Item], Result], items: Iterable[Item]
    ) -> Generator[Result, None, None]:
        """Yield ``function(item)`` for each item, in the order of ``items``.

        ``items`` are taken in the caller's thread, a few ahead of what was yielded. An error of
        ``function`` is raised when its turn comes. Closing the iterator gives up what has not been
        yielded. ``function`` and the items must be picklable where other processes do the work;
        the results are the same everywhere.
        """
        ...
