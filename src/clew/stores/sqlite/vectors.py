"""Vectors in append-only files of float32 rows, read through ``mmap``.

The rows of a layer are numbered through all its files. How many of them count stands in
``main.db``: what a killed writer left behind them was never committed, no reader looks at it, and
the next writer cuts it off.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import numpy as np

from clew.errors import StoreCorruptError
from clew.stores.base import Layer, Numbers, Scores
from clew.stores.files import named_errors, sync_folder

_FLOAT_BYTES = 4
MOST_FILE_BYTES = 1 << 30

LAYERS: tuple[Layer, Layer] = ("chunk", "unit")


@dataclass(frozen=True, slots=True)
class VectorFile:
    """``rows`` committed rows of a layer; numbers are never used again."""

    number: int
    layer: Layer
    rows: int

    @property
    def name(self) -> str:
        return f"{self.layer}-{self.number:06d}.f32"


@dataclass(slots=True)
class Mark:
    """How many rows from the first on were compared with their sums, while these files count."""

    first_file: str
    rows: int = 0


class MappedVectors:
    """The committed rows of one layer at one moment."""

    def __init__(
        self, parts: Sequence[Scores], paths: Sequence[Path], dimensions: int, mark: Mark
    ) -> None:
        self._parts = parts
        self._paths = paths
        self._dimensions = dimensions
        self._mark = mark
        self._starts = np.cumsum([0, *(len(part) for part in parts)]).astype(np.int64)

    def __len__(self) -> int:
        return int(self._starts[-1])

    @property
    def sound(self) -> int:
        """The rows before this one were compared with their sums."""
        return self._mark.rows

    @sound.setter
    def sound(self, rows: int) -> None:
        self._mark.rows = max(rows, self._mark.rows)

    def damaged(self, row: int) -> StoreCorruptError:
        """What to raise for a row that has not its sum."""
        part = int(np.searchsorted(self._starts, row, side="right")) - 1
        return StoreCorruptError(
            f"{self._paths[part]} is damaged: its vector {row - int(self._starts[part])} does not "
            "match its checksum. Embed the texts anew with `clew reembed`, or restore the store "
            "from a backup"
        )

    def scores(self, query: Scores) -> Scores:
        """Inner products with every row."""
        if len(self._parts) == 1:
            product: Scores = self._parts[0] @ query
            return product
        out = np.empty(len(self), np.float32)
        for part, start in zip(self._parts, self._starts.tolist(), strict=False):
            np.dot(part, query, out=out[start : start + len(part)])
        return out

    def rows(self, rows: Numbers) -> Scores:
        """Copy the given rows."""
        if len(self._parts) == 1:
            return self._parts[0][rows]
        out = np.empty((len(rows), self._dimensions), np.float32)
        owners = np.searchsorted(self._starts, rows, side="right") - 1
        for at, part in enumerate(self._parts):
            mine = owners == at
            out[mine] = part[rows[mine] - self._starts[at]]
        return out


class VectorReader:
    """Maps committed rows; a file is mapped once and again when it has grown."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._maps: dict[str, tuple[int, Scores]] = {}
        self._marks: dict[Layer, Mark] = {}

    def map(self, files: Iterable[VectorFile], dimensions: int) -> dict[Layer, MappedVectors]:
        """Raises ``FileNotFoundError`` when a file has been replaced by now."""
        found: dict[Layer, list[Scores]] = {layer: [] for layer in LAYERS}
        paths: dict[Layer, list[Path]] = {layer: [] for layer in LAYERS}
        names = set()
        for file in files:
            names.add(file.name)
            if file.rows:
                found[file.layer].append(self._rows(file, dimensions))
                paths[file.layer].append(self._folder / file.name)
        with self._lock:
            self._maps = {name: item for name, item in self._maps.items() if name in names}
        return {
            layer: MappedVectors(parts, paths[layer], dimensions, self._mark(layer, paths[layer]))
            for layer, parts in found.items()
        }

    def _mark(self, layer: Layer, paths: Sequence[Path]) -> Mark:
        first_file = paths[0].name if paths else ""
        mark = self._marks.get(layer)
        if mark is None or mark.first_file != first_file:
            mark = self._marks[layer] = Mark(first_file)
        return mark

    def require_whole(self, files: Iterable[VectorFile], dimensions: int) -> None:
        """Raise :class:`StoreCorruptError` when a file is shorter than what counts of it."""
        for file in files:
            path = self._folder / file.name
            with suppress(FileNotFoundError):  # replaced a moment ago, or found missing later
                _require_size(path, path.stat().st_size, file.rows * dimensions * _FLOAT_BYTES)

    def _rows(self, file: VectorFile, dimensions: int) -> Scores:
        with self._lock:
            rows, mapped = self._maps.get(file.name, (0, np.empty((0, dimensions), np.float32)))
            if rows < file.rows:
                mapped = _map_file(self._folder / file.name, file.rows, dimensions)
                self._maps[file.name] = (file.rows, mapped)
        return mapped[: file.rows]


def _map_file(path: Path, rows: int, dimensions: int) -> Scores:
    size = rows * dimensions * _FLOAT_BYTES
    with path.open("rb") as file:
        _require_size(path, os.fstat(file.fileno()).st_size, size)
        mapped = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
    return np.frombuffer(mapped, "<f4").reshape(rows, dimensions)


def _require_size(path: Path, there: int, needed: int) -> None:
    if there < needed:
        raise StoreCorruptError(
            f"{path} was truncated: {there} of {needed} bytes are there; it was left untouched. "
            "Restore it from a backup, or delete the folder and ingest again"
        )


class VectorWriter:
    """Appends rows behind the committed ones. Nothing counts until ``main.db`` says so."""

    def __init__(
        self,
        folder: Path,
        dimensions: int,
        files: Sequence[VectorFile],
        begin: Callable[[Layer], int],
    ) -> None:
        """``begin`` gives the number of a new file."""
        self._folder = folder
        self._row_bytes = dimensions * _FLOAT_BYTES
        self._begin = begin
        self._files: dict[Layer, list[VectorFile]] = {
            layer: [file for file in files if file.layer == layer] for layer in LAYERS
        }
        self._changed: set[Path] = set()

    def files(self) -> list[VectorFile]:
        return [file for layer in LAYERS for file in self._files[layer]]

    def append(self, layer: Layer, vectors: Scores) -> int:
        """Write rows; return the row of the first."""
        files = self._files[layer]
        first_row = sum(file.rows for file in files)
        if not len(vectors):
            return first_row
        if not files or files[-1].rows * self._row_bytes >= MOST_FILE_BYTES:
            files.append(VectorFile(self._begin(layer), layer, 0))
        file = files[-1]
        path = self._folder / file.name
        with named_errors(path):
            self._write(path, file.rows, vectors)
        files[-1] = VectorFile(file.number, layer, file.rows + len(vectors))
        return first_row

    def _write(self, path: Path, rows: int, vectors: Scores) -> None:
        start = rows * self._row_bytes
        with path.open("r+b" if rows else "wb") as file:
            there = file.seek(0, os.SEEK_END)
            _require_size(path, there, start)
            file.truncate(start)
            file.seek(start)
            file.write(np.ascontiguousarray(vectors, "<f4").data.cast("B"))
        self._changed.add(path)

    def sync(self) -> None:
        """Make all that was appended durable."""
        for path in sorted(self._changed):
            with named_errors(path), path.open("r+b") as file:
                getattr(os, "fdatasync", os.fsync)(file.fileno())
        if self._changed:
            with named_errors(self._folder):
                sync_folder(self._folder)
        self._changed.clear()


def remove_strangers(folder: Path, files: Iterable[VectorFile]) -> None:
    """Remove vector files that no committed state speaks of."""
    known = {file.name for file in files}
    for path in folder.glob("*.f32"):
        if path.name not in known:
            with suppress(FileNotFoundError):
                path.unlink()
