"""Do the work where it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable

from clew.executors.base import Item, Result


class InlineExecutor:
    """One item after the other, in the caller's thread."""

    def map(
        self, function: Callable[[Item], Result], items: Iterable[Item]
    ) -> Generator[Result, None, None]:
        yield from map(function, items)
