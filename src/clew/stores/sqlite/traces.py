"""Looking for a text in everything that a store keeps, down to the bytes of its files.

Rows are asked first, since they can say which of them it is. What then is found in the files alone
stands in freed pages, or in the log. Pages that SQLite has freed must be empty; vectors and arrays
of deleted documents cannot be told whose they were, so they are traces of any.
"""

from __future__ import annotations

import mmap
import sqlite3
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

from clew.stores.powers import Trace
from clew.stores.sqlite.arrays import GenerationArrays
from clew.stores.sqlite.folder import StoreFolder
from clew.stores.sqlite.vectors import VectorFile, uncounted_bytes
from clew.stores.written_forms import written_forms

_FREE = struct.Struct(">II")
_FREE_AT = 32
_ERASE = "`clew forget NAME` erases it"


def find_traces(
    connection: sqlite3.Connection,
    folder: StoreFolder,
    arrays: GenerationArrays,
    files: Sequence[VectorFile],
    texts: Sequence[str],
) -> Iterator[Trace]:
    """Yield all places, in order."""
    wanted = [form.encode("utf-8", "surrogatepass") for form in written_forms(texts)]
    in_rows = list(_in_rows(connection, wanted)) if wanted else []
    yield from in_rows
    yield from _of_the_dead(connection, arrays)
    yield from _behind_the_last(folder, arrays, files)
    yield from _in_files(folder, wanted, said=bool(in_rows))
    yield from _in_freed_pages(folder.database)


def _in_rows(connection: sqlite3.Connection, wanted: Sequence[bytes]) -> Iterator[Trace]:
    tables = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' "
        "ORDER BY name"
    ).fetchall()
    for (table,) in tables:
        columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
        # Every column of every table, as bytes: what a migration adds is looked at too.
        counted = ", ".join(
            "sum(" + " OR ".join(f'instr(CAST("{column}" AS BLOB), ?) > 0' for _ in wanted) + ")"
            for column in columns
        )
        found = connection.execute(
            f'SELECT {counted} FROM "{table}"', [*wanted] * len(columns)
        ).fetchone()
        for column, count in zip(columns, found, strict=True):
            if count:
                yield Trace(
                    where=f"main.db: {table}.{column}", message=f"it stands in {count} rows"
                )


def _of_the_dead(connection: sqlite3.Connection, arrays: GenerationArrays) -> Iterator[Trace]:
    (dead,) = connection.execute("SELECT count(*) FROM dead_documents").fetchone()
    if dead:
        yield Trace(
            where="main.db: segments",
            message=f"words of {dead} deleted documents are in the full text; {_ERASE}",
        )
    for layer in (arrays.chunks, arrays.units):
        if layer.vectors is not None and (gone := len(layer.vectors) - len(layer.numbers)):
            yield Trace(
                where=f"vectors: {layer.name}",
                message=f"{gone} vectors of deleted texts are in the files; {_ERASE}",
            )


def _behind_the_last(
    folder: StoreFolder, arrays: GenerationArrays, files: Sequence[VectorFile]
) -> Iterator[Trace]:
    dimensions = arrays.space.dimensions if arrays.space else 0
    for path, beyond in uncounted_bytes(folder.vectors, files, dimensions):
        yield Trace(
            where=f"vectors/{path.name}",
            message=f"{beyond} bytes that no committed state counts; {_ERASE}",
        )


def _in_files(folder: StoreFolder, wanted: Sequence[bytes], *, said: bool) -> Iterator[Trace]:
    """The rows are in the database file, so for it this says something new only without them."""
    for path in sorted(item for item in folder.path.rglob("*") if item.is_file()):
        if (said and path == folder.database) or not path.stat().st_size:
            continue
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as held:
            if any(held.find(form) >= 0 for form in wanted):
                name = path.relative_to(folder.path).as_posix()
                yield Trace(where=name, message=f"it stands in the bytes of the file; {_ERASE}")


def _in_freed_pages(database: Path) -> Iterator[Trace]:
    """Follow the list of free pages (https://sqlite.org/fileformat2.html#the_freelist)."""
    with database.open("rb") as file:
        header = file.read(100)
        page_bytes = struct.unpack(">H", header[16:18])[0]
        page_bytes = 1 << 16 if page_bytes == 1 else page_bytes
        trunk, left = _FREE.unpack(header[_FREE_AT : _FREE_AT + 8])
        unclean = 0
        while trunk and left > 0:
            file.seek((trunk - 1) * page_bytes)
            page = file.read(page_bytes)
            if len(page) < page_bytes:  # it is in the log still
                return
            following, count = _FREE.unpack(page[:8])
            for leaf in struct.unpack(f">{count}I", page[8 : 8 + 4 * count]):
                file.seek((leaf - 1) * page_bytes)
                unclean += any(file.read(page_bytes))
            trunk, left = following, left - count - 1
    if unclean:
        yield Trace(
            where="main.db: freed pages",
            message=f"{unclean} pages that are free are not empty; {_ERASE}",
        )
