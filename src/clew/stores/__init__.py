"""Where graphs are kept: one protocol (:mod:`clew.stores.base`), several back ends."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clew.stores.addresses import is_url, require_known

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
    """Open the store at ``path``: a folder, or a database by its URL
    (``postgresql://user@host/database?schema=NAME``, with the extra ``postgres``). It is created
    if absent, unless ``create`` is False.

    A second writer waits ``timeout_s`` for the first. On a network file system the store is refused
    unless ``network_file_system``: a second process that opens it can damage it there. Raises the
    store errors of :mod:`clew.errors`, and leaves what is there untouched then.
    """
    if isinstance(path, str):
        require_known(path)
        if is_url(path):
            return _open_database(path, create=create, read_only=read_only, timeout_s=timeout_s)
    from clew.stores.sqlite import SQLiteStore  # noqa: PLC0415 - only those who open one need it

    return SQLiteStore.open(
        path,
        create=create,
        read_only=read_only,
        timeout_s=timeout_s,
        network_file_system=network_file_system,
    )


def _open_database(url: str, *, create: bool, read_only: bool, timeout_s: float) -> Store:
    from clew.models.extras import import_extra  # noqa: PLC0415

    for module in ("psycopg", "psycopg_pool"):
        import_extra(module, extra="postgres", purpose="a store in PostgreSQL")
    from clew.stores.postgres import PostgresStore  # noqa: PLC0415 - needs the extra

    return PostgresStore.open(url, create=create, read_only=read_only, timeout_s=timeout_s)
