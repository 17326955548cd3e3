"""A proof that nothing leaves the machine: while it holds, every connection is an error."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_FORBIDDEN = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo"})


class NetworkBlockedError(RuntimeError):
    """Something tried to reach the network."""


@contextmanager
def network_blocked() -> Iterator[None]:
    """Refuse all connections and name look-ups of this process inside the ``with`` block.

    It listens to the interpreter's own audit events instead of replacing functions, so no library
    gets around it by holding a reference. Such a hook cannot be removed: afterwards it stays, and
    lets everything through.
    """
    holding = True

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if holding and event in _FORBIDDEN:
            raise NetworkBlockedError(f"{event}{arguments[-1:]}: the network is blocked here")

    sys.addaudithook(refuse)
    try:
        yield
    finally:
        holding = False
