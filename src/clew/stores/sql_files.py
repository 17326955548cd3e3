"""SQL lives in ``.sql`` files; each statement is named by a line ``-- name: …`` above it.

A store keeps them in the folder ``sql`` of its package, and its migrations in ``sql/migrations``.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def text_in(package: str, file: str) -> str:
    """All of ``sql/<file>.sql``."""
    return resources.files(package).joinpath("sql", f"{file}.sql").read_text(encoding="utf-8")


@cache
def statements_in(package: str, file: str) -> dict[str, str]:
    """The statements of ``sql/<file>.sql`` by name."""
    pieces = _NAME.split(text_in(package, file))
    return {
        name: text.strip().removesuffix(";")
        for name, text in zip(pieces[1::2], pieces[2::2], strict=True)
    }


@cache
def migrations_in(package: str) -> tuple[str, ...]:
    """The scripts that make version 1, 2, … of a store out of the one before."""
    folder = resources.files(package).joinpath("sql", "migrations")
    scripts = sorted(
        (item for item in folder.iterdir() if item.name.endswith(".sql")),
        key=lambda item: item.name,
    )
    for expected, script in enumerate(scripts, start=1):
        assert int(script.name.split("_")[0]) == expected, f"{script.name} is out of order"
    return tuple(script.read_text(encoding="utf-8") for script in scripts)
