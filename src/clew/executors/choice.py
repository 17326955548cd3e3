"""Which executor a setting means."""

from __future__ import annotations

import os

from clew.executors.base import Executor
from clew.executors.inline import InlineExecutor
from clew.executors.processes import ProcessExecutor
from clew.executors.ray_cluster import RayExecutor
from clew.executors.threads import ThreadExecutor

_MOST_WORKERS = 3
"""More than these wait for the process that commits."""


def executor_of(
    name: str,
    workers: int | None,
    *,
    separable: bool,
    address: str | None = None,
    cpus: float = 1.0,
    gpus: float = 0.0,
) -> Executor:
    """Return the executor called ``name`` with ``workers`` threads or processes, by default as many
    as there are cores to spare, at most three; with ``ray`` one for each core of the cluster at
    ``address``, each with so many ``cpus`` and ``gpus``.

    ``auto`` takes ``ray`` where there is an address, and processes where the work is ``separable``
    (it needs nothing but this machine) and there is a second core.
    """
    spare = min(_cores() - 1, _MOST_WORKERS)
    if means_ray(name, address):
        return RayExecutor(workers, address=address, cpus=cpus, gpus=gpus)
    if name == "threads":
        return ThreadExecutor(workers or max(spare, 1))
    if name == "processes" or (name == "auto" and separable and (workers or spare) > 0):
        return ProcessExecutor(workers or max(spare, 1))
    return InlineExecutor()


def means_ray(name: str, address: str | None) -> bool:
    return name == "ray" or (name == "auto" and address is not None)


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
