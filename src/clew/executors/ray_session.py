"""A connection to Ray: one that is there, a cluster by its address, or one of this machine's own.

Ray's own habits are kept in check: it takes over SIGTERM, prints what the cluster reports to
standard output, starts its logger, and counts its users. Here it does none of these.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from clew.errors import ConfigError, ExecutorError
from clew.models.extras import import_extra

_OBJECT_STORE_BYTES = 256 * 2**20
"""Of a Ray that is started here. Results wait there until they are fetched, a few batches at most;
where ``/dev/shm`` is smaller (64 MB in a container), Ray takes a file in ``/tmp``.
"""

_REACH_S = 10.0

_ATTEMPTS = 3
"""To start Ray here: it gives its own processes 30 seconds, which a busy machine may exceed."""

_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # as later versions do; without it, a warning
    "RAY_worker_niceness": "0",  # a worker works as hard as the processes of other executors
    "RAY_worker_register_timeout_seconds": "300",  # a busy machine is slow to start a process
}

_LOCAL_TOKEN = secrets.token_hex(32)
"""Who wants to talk to a Ray that is started here needs it. Given, Ray writes none into the home of
the user; it reads it once in a process."""


@contextmanager
def ray_session(address: str | None, *, cpus: float | None) -> Iterator[Any]:
    """Give the module ``ray``, connected: to the Ray that this process is connected to already,
    else to the cluster at ``address`` (``HOST:PORT``, or ``auto`` for the one that this machine
    belongs to), else to a new one on this machine that ends with the block. It gives as many
    ``cpus`` as it is told to have, by default those of the machine.

    Raises :class:`MissingExtraError` when Ray is not installed, :class:`ConfigError` when the
    address has another form, :class:`ExecutorError` when the cluster cannot be reached or Ray
    cannot be started.
    """
    with _environment(_ENVIRONMENT):
        ray = import_extra("ray", extra="ray", purpose="executor='ray'")
    if address is not None:
        _require_reachable(address)
    if ray.is_initialized():
        yield ray
        return
    with _quiet(ray):
        if address is None:
            _start(ray, cpus)
        else:
            _connect(ray, address)
    try:
        yield ray
    finally:
        ray.shutdown()


def _start(ray: Any, cpus: float | None) -> None:
    path = os.pathsep.join(filter(None, sys.path))  # what is imported here can be imported there
    with _environment(_ENVIRONMENT | {"RAY_AUTH_TOKEN": _LOCAL_TOKEN}, PYTHONPATH=path):
        for attempts_left in reversed(range(_ATTEMPTS)):
            try:
                ray.init(
                    address="local",
                    num_cpus=cpus,
                    include_dashboard=False,
                    object_store_memory=_OBJECT_STORE_BYTES,
                    **_OPTIONS,
                )
            except Exception as error:
                ray.shutdown()
                if attempts_left:
                    continue
                raise ExecutorError(
                    f"Ray could not be started on this machine ({_first_line(error)}); its logs "
                    "are in the folder ray/session_latest/logs of the temporary folder. "
                    "executor='processes' needs no Ray"
                ) from error
            return


def _connect(ray: Any, address: str) -> None:
    with _environment(_ENVIRONMENT):
        try:
            ray.init(address=address, **_OPTIONS)
        except Exception as error:
            raise ExecutorError(
                f"no Ray cluster at ray_address={address!r} ({_first_line(error)}): "
                "`ray status` says whether this machine belongs to one; without an address, Ray "
                "runs on this machine alone"
            ) from error


_OPTIONS: dict[str, Any] = {
    "log_to_driver": False,
    "configure_logging": False,
    "logging_level": logging.ERROR,
    "namespace": "clew",
}


def _require_reachable(address: str) -> None:
    """Ray itself tries for minutes, and then says little."""
    if address == "auto":
        return
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal() or "/" in host:
        raise ConfigError(
            f"ray_address={address!r}: give HOST:PORT of the head node (its port is 6379 unless "
            "`ray start` was told another), or 'auto' on a machine of the cluster"
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_REACH_S).close()
    except OSError as error:
        raise ExecutorError(
            f"no Ray cluster at ray_address={address!r}: nobody answers there ({error}). "
            "`ray start --head` prints the address of a cluster; a firewall may stand between"
        ) from error


@contextmanager
def _environment(defaults: dict[str, str], **values: str) -> Iterator[None]:
    """Set ``values``, and of ``defaults`` what is not set, for processes started in the block."""
    changes = {name: text for name, text in defaults.items() if name not in os.environ} | values
    before = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, text in before.items():
            if text is None:
                del os.environ[name]
            else:
                os.environ[name] = text


@contextmanager
def _quiet(ray: Any) -> Iterator[None]:
    """Connect without Ray's handlers of signals, its advice, and its thread that prints; a worker
    that is lost is told of by whoever asked for its work.
    """
    at_main = threading.current_thread() is threading.main_thread()
    kept = {number: signal.getsignal(number) for number in _SIGNALS} if at_main else {}
    logger = logging.getLogger("ray")
    level = logger.level
    logger.setLevel(logging.ERROR)
    worker = ray._private.worker  # noqa: SLF001 - Ray has no setting for it
    printing = getattr(worker, "listen_error_messages", None)
    if printing is not None:
        worker.listen_error_messages = lambda *_: None
    try:
        yield
    finally:
        if printing is not None:
            worker.listen_error_messages = printing
        logger.setLevel(level)
        for number, handler in kept.items():
            signal.signal(number, handler)


_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
