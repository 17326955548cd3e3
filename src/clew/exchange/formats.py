"""Which format a file has, by its name or as it is told."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from clew.errors import StoreError, nearest

STREAM = Path("-")
"""Stands for standard output or standard input."""


class ExportFormat(StrEnum):
    JSONL = "jsonl"
    GRAPHML = "graphml"
    PARQUET = "parquet"


_BY_SUFFIX = {
    ".jsonl": ExportFormat.JSONL,
    ".ndjson": ExportFormat.JSONL,
    ".graphml": ExportFormat.GRAPHML,
    ".parquet": ExportFormat.PARQUET,
}
_READ = (ExportFormat.JSONL, ExportFormat.PARQUET)


def format_of(path: Path, given: str | None = None, *, reading: bool = False) -> ExportFormat:
    """The format that is ``given`` by name, else that of the suffix of ``path``; JSON Lines for a
    pipe or a device. A folder that is read is Parquet.

    Raises :class:`StoreError` for a name or a suffix that is none, and for a format that cannot be
    read back.
    """
    found = _named(given) if given is not None else _suffixed(path, reading=reading)
    if reading and found not in _READ:
        raise StoreError(
            f"{path}: {found} can be written and not read: it has no vectors, and some characters "
            f"are not in it. Export to {' or '.join(_READ)} and import that"
        )
    if path == STREAM and found is ExportFormat.PARQUET:
        raise StoreError("parquet is a folder of files and cannot go through a pipe; name a folder")
    return found


def _named(given: str) -> ExportFormat:
    try:
        return ExportFormat(given.casefold())
    except ValueError:
        names = [str(one) for one in ExportFormat]
        raise StoreError(
            f"the format {given!r} is not one of {', '.join(names)}{nearest(given, names)}"
        ) from None


def _suffixed(path: Path, *, reading: bool) -> ExportFormat:
    if path == STREAM or (path.exists() and not path.is_file() and not path.is_dir()):
        return ExportFormat.JSONL
    suffix = path.suffix.casefold()
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    if reading and path.is_dir():
        return ExportFormat.PARQUET
    if reading and path.is_file():
        return ExportFormat.JSONL
    raise StoreError(
        f"{path}: the suffix {suffix!r} says no format; valid are {', '.join(_BY_SUFFIX)}, or name "
        f"one with --format {'|'.join(ExportFormat)}{nearest(suffix, _BY_SUFFIX)}"
    )
