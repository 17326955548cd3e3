"""Parquet (extra ``arrow``): a folder with one file for each table of :mod:`clew.exchange.tables`.

Files are written in row groups of some thousand rows and read back in batches, a document at a
time, so memory does not grow with the store. Vectors are lists of a fixed size. A file
``clew.json`` says what the folder is; it is written last.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from clew.errors import StoreCorruptError, StoreError
from clew.exchange.selection import Selection
from clew.exchange.sources import Header, Read
from clew.exchange.tables import (
    DECISIONS,
    DOCUMENTS,
    PARTS,
    TABLES,
    Kind,
    Row,
    Table,
    decision_rows,
    plain_of,
    rows_of,
)
from clew.models.extras import import_extra
from clew.stores import codec
from clew.stores.base import Scores
from clew.stores.files import named_errors, sync_folder

PARQUET_FORMAT = "clew.tables"
MANIFEST = "clew.json"
_GROUP: Final = 8192
_READ_AT_ONCE: Final = 1024


def write_parquet(selection: Selection, path: Path) -> None:
    """Write the selection into the folder ``path``: an earlier export there is replaced when all
    is written, and anything else is left alone.
    """
    arrow = _arrow()
    _require_ours(path)
    with named_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".new"))
        try:
            _write_tables(arrow, selection, fresh)
            manifest = {
                "format": PARQUET_FORMAT,
                "version": codec.FORMAT_VERSION,
                "embedding": codec.space_to_dict(selection.embedding),
                "documents": len(selection.listed),
            }
            (fresh / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
            sync_folder(fresh)
            _put_in_place(fresh, path)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)


def _put_in_place(fresh: Path, path: Path) -> None:
    fresh.chmod(0o755)
    if not path.exists():
        fresh.rename(path)
        return
    old = path.with_name(f".{path.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    path.rename(old)
    fresh.rename(path)
    shutil.rmtree(old)


def _require_ours(path: Path) -> None:
    if path.is_dir():
        names = {file.name for file in path.iterdir()}
        if not names or MANIFEST in names:
            return
    elif not path.exists():
        return
    raise StoreError(
        f"{path}: there is something else, and it was left alone. Parquet is written into a folder "
        "of its own: name one that is not there yet, or holds an earlier export"
    )


def _write_tables(arrow: Any, selection: Selection, folder: Path) -> None:
    with ExitStack() as opened:
        writers = {
            table.name: opened.enter_context(_TableWriter(arrow, table, folder, selection))
            for table in TABLES
        }
        for indexed in selection.documents():
            replies = selection.replies(indexed)
            for table, rows in rows_of(indexed, replies, vectors=selection.vectors):
                writers[table.name].add(rows)
        writers[DECISIONS.name].add(decision_rows(selection.decisions))


class _TableWriter:
    """Collects rows and writes them as row groups."""

    def __init__(self, arrow: Any, table: Table, folder: Path, selection: Selection) -> None:
        self._arrow = arrow
        self._schema = _schema(arrow, table, selection)
        self._rows: list[Row] = []
        self._writer = arrow.parquet.ParquetWriter(
            str(folder / f"{table.name}.parquet"), self._schema, compression="zstd"
        )

    def add(self, rows: list[Row]) -> None:
        self._rows += rows
        if len(self._rows) >= _GROUP:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
            self._rows = []

    def __enter__(self) -> _TableWriter:
        return self

    def __exit__(self, *failure: object) -> None:
        if failure[0] is None:
            self._flush()
        self._writer.close()


def _schema(arrow: Any, table: Table, selection: Selection) -> Any:
    space = selection.embedding
    kinds: dict[Kind, Any] = {
        "text": arrow.string(),
        "json": arrow.string(),
        "whole": arrow.int64(),
        "number": arrow.float64(),
        "flag": arrow.bool_(),
        "texts": arrow.list_(arrow.string()),
        "vector": arrow.list_(arrow.float32(), space.dimensions) if space else arrow.null(),
    }
    columns = [arrow.field(name, kinds[kind]) for name, kind in table.columns.items()]
    return arrow.schema(columns, metadata={"clew.format": PARQUET_FORMAT, "clew.table": table.name})


class ParquetSource:
    """:class:`clew.exchange.sources.Source` of a folder that :func:`write_parquet` wrote."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def header(self) -> Header:
        place = self.path / MANIFEST
        try:
            with named_errors(place):
                plain = json.loads(place.read_bytes())
        except (StoreError, ValueError) as error:
            raise StoreCorruptError(
                f"{self.path}: no {MANIFEST} that can be read ({error}): this is no whole export "
                "of clew. `clew export FOLDER --format parquet` writes one"
            ) from error
        codec.require_format(plain, PARQUET_FORMAT, str(place))
        rows = [row for _, row in self._rows(DECISIONS)]
        decisions = codec.decisions_from_list(plain_of(row, DECISIONS) for row in rows)
        try:
            return Header(
                embedding=codec.space_from_dict(plain["embedding"]),
                count=int(plain["documents"]),
                decisions=tuple(decisions),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise StoreCorruptError(f"{place}: the header is damaged: {error!r}") from error

    def documents(self) -> Iterator[Read]:
        dimensions = 0
        if (space := self.header().embedding) is not None:
            dimensions = space.dimensions
        parts = {name: _Grouped(self._rows(table)) for name, table in PARTS.items()}
        for place, head in self._rows(DOCUMENTS):
            try:
                yield self._document(head, parts, place, dimensions)
            except (KeyError, TypeError, ValueError, StoreCorruptError) as error:
                raise StoreCorruptError(f"{place}: {error}. Export again") from error
        for name, grouped in parts.items():
            if (left := grouped.left()) is not None:
                raise StoreCorruptError(
                    f"{left}: a row of a document that {DOCUMENTS.name}.parquet does not have at "
                    f"this place; {name} must stand in the order of the documents. Export again"
                )

    def _document(self, head: Row, parts: dict[str, _Grouped], place: str, dimensions: int) -> Read:
        rows = {name: grouped.of(head["id"]) for name, grouped in parts.items()}
        replies = {row["key"]: row["reply"] for row in rows.pop("replies")}
        plain: dict[str, Any] = {
            name: [plain_of(row, PARTS[name]) for row in some] for name, some in rows.items()
        }
        plain |= {
            "document": plain_of(head, DOCUMENTS),
            "reply_keys": head["reply_keys"],
            "chunk_vectors": None,
            "unit_vectors": None,
        }
        indexed = codec.indexed_from_dict(plain)
        if dimensions:
            indexed = replace(
                indexed,
                chunk_vectors=_matrix(rows["chunks"], dimensions),
                unit_vectors=_matrix(rows["units"], dimensions),
            )
        return Read(place=place, indexed=indexed, replies=replies)

    def _rows(self, table: Table) -> Iterator[tuple[str, Row]]:
        """(where it is, row) of each row of a table."""
        arrow = _arrow()
        path = self.path / f"{table.name}.parquet"
        number = 0
        try:
            with named_errors(path), arrow.parquet.ParquetFile(str(path)) as file:
                missing = sorted(set(table.columns) - set(file.schema_arrow.names))
                if missing:
                    raise StoreCorruptError(f"{path}: no column {missing[0]!r}. Export again")
                for batch in file.iter_batches(batch_size=_READ_AT_ONCE):
                    for row in batch.to_pylist():
                        number += 1
                        yield f"{path}: row {number}", row
        except (arrow.ArrowInvalid, arrow.ArrowException) as error:
            raise StoreCorruptError(
                f"{path}: behind row {number}: no whole Parquet ({error}). Nothing was written; "
                "export again, or fetch the whole folder"
            ) from error


class _Grouped:
    """The rows of one table, handed out a document at a time."""

    def __init__(self, rows: Iterator[tuple[str, Row]]) -> None:
        self._rows = rows
        self._next = next(rows, None)

    def of(self, document_id: str) -> list[Row]:
        found = []
        while self._next is not None and self._next[1]["document_id"] == document_id:
            found.append(self._next[1])
            self._next = next(self._rows, None)
        return found

    def left(self) -> str | None:
        """Where the next row is, if there is one."""
        return None if self._next is None else self._next[0]


def _matrix(rows: list[Row], dimensions: int) -> Scores:
    return np.array([row["vector"] for row in rows], np.float32).reshape(len(rows), dimensions)


def _arrow() -> Any:
    import_extra("pyarrow.parquet", extra="arrow", purpose="Parquet")
    return import_extra("pyarrow", extra="arrow", purpose="Parquet")
