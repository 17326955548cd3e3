"""SQL lives in ``.sql`` files; each statement is named by a line ``-- name: …`` above it."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


@cache
def statements(file: str) -> dict[str, str]:
    """The statements of ``sql/<file>.sql`` by name."""
    pieces = _NAME.split(read_sql(f"{file}.sql"))
    return {
        name: text.strip().removesuffix(";")
        for name, text in zip(pieces[1::2], pieces[2::2], strict=True)
    }


def read_sql(name: str) -> str:
    return resources.files(__package__).joinpath("sql", name).read_text(encoding="utf-8")


@cache
def migrations() -> tuple[str, ...]:
    """The scripts that make version 1, 2, … of a store out of the one before."""
    folder = resources.files(__package__).joinpath("sql", "migrations")
    scripts = sorted(
        (item for item in folder.iterdir() if item.name.endswith(".sql")),
        key=lambda item: item.name,
    )
    for expected, script in enumerate(scripts, start=1):
        assert int(script.name.split("_")[0]) == expected, f"{script.name} is out of order"
    return tuple(script.read_text(encoding="utf-8") for script in scripts)
