"""Export and import, in the format that a path says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clew.exchange.formats import STREAM, ExportFormat, format_of
from clew.exchange.graphml import write_graphml
from clew.exchange.lines import LinesSource, write_lines
from clew.exchange.parquet import ParquetSource, write_parquet
from clew.exchange.selection import Tell, selected, silence
from clew.exchange.sources import Source, check_source, import_source
from clew.exchange.streams import readable_file
from clew.stores.base import Store

_WRITERS = {
    ExportFormat.JSONL: write_lines,
    ExportFormat.GRAPHML: write_graphml,
    ExportFormat.PARQUET: write_parquet,
}


def export_store(
    store: Store,
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the word for it
    scope: str | None = None,
    where: Mapping[str, Any] | None = None,
    vectors: bool = True,
    tell: Tell = silence,
) -> int:
    """Write the documents of ``scope`` (None: of all) that satisfy ``where``; return how many.

    ``path`` is written whole or not at all; ``-`` is standard output. Raises
    :class:`clew.errors.StoreError` where nothing says a format, :class:`clew.errors.FilterError`,
    and :class:`clew.errors.MissingExtraError` for Parquet without its extra.
    """
    path = Path(path)
    write = _WRITERS[format_of(path, format)]
    with selected(store, scope=scope, where=where, vectors=vectors, tell=tell) as selection:
        write(selection, path)
        return len(selection.listed)


def import_store(
    path: str | Path,
    store: Store,
    *,
    format: str | None = None,  # noqa: A002
    scope: str | None = None,
    tell: Tell = silence,
) -> int:
    """Put the documents of an export into ``store``; return how many. ``-`` is standard input.

    All is checked before anything is written. With a ``scope``, documents of another are refused.
    Raises :class:`clew.errors.StoreCorruptError`, :class:`clew.errors.StoreVersionError`,
    :class:`clew.errors.FingerprintMismatchError` and :class:`clew.errors.StoreError`.
    """
    with opened_source(path, format) as source:
        return import_source(source, store, scope=scope, tell=tell)


def check_export(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002
    scope: str | None = None,
) -> int:
    """Read an export from end to end, writing nothing; return the number of its documents."""
    with opened_source(path, format) as source:
        return check_source(source, scope=scope).count


@contextmanager
def opened_source(path: str | Path, given: str | None = None) -> Iterator[Source]:
    """What an export can be read from, as often as asked."""
    path = Path(path)
    found = format_of(path, given, reading=True)
    with readable_file(path) as file:
        if found is ExportFormat.PARQUET:
            yield ParquetSource(file)
        else:
            yield LinesSource(file, shown=Path("standard input") if path == STREAM else path)
