"""Which vector files count, and how many of their rows: the lines of ``vector_files``."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from clew.stores.base import EmbeddingSpace, Layer
from clew.stores.sqlite.statements import statements
from clew.stores.sqlite.vectors import VectorFile, VectorWriter

_SQL = statements("segments")


class VectorTable:
    """Appends vectors and notes them, inside the transaction of the connection."""

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        self._connection = connection
        self._folder = folder

    def files(self) -> list[VectorFile]:
        return [VectorFile(*row) for row in self._connection.execute(_SQL["vector_files"])]

    def writer(self, dimensions: int) -> VectorWriter:
        """A writer behind the committed rows."""
        return VectorWriter(self._folder, dimensions, self.files(), self._begin)

    def clear(self) -> None:
        """Forget all files. They stay on disk until the transaction is through."""
        self._connection.execute(_SQL["remove_vector_files"])

    def note(self, writer: VectorWriter) -> None:
        """Make what was appended durable, then count it."""
        writer.sync()
        self._connection.executemany(
            _SQL["set_vector_rows"], [(file.rows, file.number) for file in writer.files()]
        )

    def _begin(self, layer: Layer) -> int:
        number = self._connection.execute(_SQL["add_vector_file"], (layer,)).lastrowid
        assert number is not None
        return number


def space_of(connection: sqlite3.Connection) -> EmbeddingSpace | None:
    """Whose the vectors are."""
    _, fingerprint, dimensions = connection.execute(_SQL["state"]).fetchone()
    if fingerprint is None:
        return None
    return EmbeddingSpace(fingerprint=fingerprint, dimensions=dimensions)
