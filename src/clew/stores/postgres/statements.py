"""The SQL of this store (:mod:`clew.stores.sql_files`).

Where a statement speaks of a layer, or of a vector space, its text has ``{layer}``, ``{space}``:
names and whole numbers of ours, never what somebody typed. Everything else is a parameter.
"""

from __future__ import annotations

from clew.stores.sql_files import migrations_in, statements_in

_PACKAGE = "clew.stores.postgres"


class Statements:
    """The statements of ``sql/<file>.sql`` by name."""

    def __init__(self, file: str) -> None:
        self._file = file

    def __getitem__(self, name: str) -> str:
        return statements_in(_PACKAGE, self._file)[name]

    def named(self, name: str, /, **places: str | int) -> str:
        """A statement with its places filled."""
        text = statements_in(_PACKAGE, self._file)[name]
        for place, value in places.items():
            text = text.replace(f"{{{place}}}", str(value))
        return text


def migrations() -> tuple[str, ...]:
    """The scripts that make version 1, 2, … of a store out of the one before."""
    return migrations_in(_PACKAGE)
