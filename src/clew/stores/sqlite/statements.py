"""The SQL of this store (:mod:`clew.stores.sql_files`)."""

from __future__ import annotations

from clew.stores.sql_files import migrations_in, statements_in, text_in

_PACKAGE = "clew.stores.sqlite"


def statements(file: str) -> dict[str, str]:
    """The statements of ``sql/<file>.sql`` by name."""
    return statements_in(_PACKAGE, file)


def script(file: str) -> str:
    """All of ``sql/<file>.sql``, where its statements have no names."""
    return text_in(_PACKAGE, file)


def migrations() -> tuple[str, ...]:
    """The scripts that make version 1, 2, … of a store out of the one before."""
    return migrations_in(_PACKAGE)
