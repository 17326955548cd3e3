"""Which executor a setting means."""

from __future__ import annotations

import os

from clew.executors.base import Executor
from clew.executors.inline import InlineExecutor
from clew.executors.processes import ProcessExecutor

_MOST_WORKERS = 3
"""More than these wait for the process that commits."""


def executor_of(name: str, workers: int | None, *, separable: bool) -> Executor:
    """Return the executor called ``name`` with ``workers`` processes, by default as many as there
    are cores to spare, at most three.

    ``auto`` takes processes where the work is ``separable`` (it needs nothing but this machine) and
    there is a second core.
    """
    spare = min(_cores() - 1, _MOST_WORKERS)
    if name == "processes" or (name == "auto" and separable and (workers or spare) > 0):
        return ProcessExecutor(workers or max(spare, 1))
    return InlineExecutor()


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
