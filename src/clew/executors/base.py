"""The contract of executors: who does the work of a run, batch by batch, in order."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, runtime_checkable

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


@dataclass(frozen=True, kw_only=True, slots=True)
class Caller:
    """What the caller of a remote executor does while others work.

    ``offers`` are functions that workers may call by name, as
    :func:`clew.executors.calling_home.call_home` does, ``at_once`` of them at a time, each in a
    thread of the caller's process. ``while_waiting`` is called in the caller's own thread as long
    as the next result is not there; what it raises is raised. ``when_over`` is called before calls
    that are under way are waited for.
    """

    offers: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    at_once: int = 1
    while_waiting: Callable[[], None] = lambda: None
    when_over: Callable[[], None] = lambda: None


@runtime_checkable
class RemoteExecutor(Executor, Protocol):
    """Whose workers may be other machines: they share no memory and no files with the caller, make
    their models themselves, and ask the caller for what only its process can do.
    """

    def attended(self, caller: Caller) -> Executor:
        """The same executor, with the caller at hand."""
        ...
