"""Where graphs are kept: one protocol (:mod:`clew.stores.base`), several back ends."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clew.stores.base import Store

__all__ = ["open_store"]


def open_store(
    path: str | Path,
    *,
    create: bool = True,
    read_only: bool = False,
    timeout_s: float = 30.0,
    network_file_system: bool = False,
) -> Store:
    """Open the store at ``path``, a folder; it is created if absent, unless ``create`` is False.

    A second writer waits ``timeout_s`` for the first. On a network file system the store is refused
    unless ``network_file_system``: a second process that opens it can damage it there. Raises the
    store errors of :mod:`clew.errors`, and leaves what is there untouched then.
    """
    from clew.stores.sqlite import SQLiteStore  # noqa: PLC0415 - only those who open one need it

    return SQLiteStore.open(
        path,
        create=create,
        read_only=read_only,
        timeout_s=timeout_s,
        network_file_system=network_file_system,
    )
