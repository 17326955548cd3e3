"""Vectors in append-only files of float32 rows, read through ``mmap``.

The rows of a layer are numbered through all its files. How many of them count stands in
``main.db``: what a killed writer left behind them was never committed, no reader looks at it, and
the next writer cuts it off.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from clew.errors import StoreCorruptError
from clew.stores.base import Layer, Numbers, Scores
from clew.stores.files import named_errors, sync_folder
from clew.stores.sqlite import sign_file
from clew.stores.sqlite.sign_file import SUFFIX, SignFile
from clew.stores.sqlite.signs import MOST_DIMENSIONS, Signs

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


class SeenRows:
    """Which rows of a layer were compared with their sums in this process, while these files count:
    no row is summed twice.
    """

    def __init__(self, first_file: str) -> None:
        self.first_file = first_file
        self.flags: NDArray[np.bool_] = np.zeros(0, np.bool_)

    def extend(self, rows: int) -> None:
        """Make room for ``rows`` at least."""
        if rows > len(self.flags):
            flags = np.zeros(rows, np.bool_)
            flags[: len(self.flags)] = self.flags
            self.flags = flags


class MappedVectors:
    """The committed rows of one layer at one moment."""

    def __init__(
        self,
        parts: Sequence[Scores],
        paths: Sequence[Path],
        dimensions: int,
        seen: SeenRows,
        signs: Signs | None = None,
    ) -> None:
        self.parts = parts
        self.signs = signs
        self._paths = paths
        self._dimensions = dimensions
        self._seen = seen
        self._starts = np.cumsum([0, *(len(part) for part in parts)]).astype(np.int64)

    def __len__(self) -> int:
        return int(self._starts[-1])

    @property
    def seen(self) -> NDArray[np.bool_]:
        """Per row, whether it was compared with its sum; whoever compares says so here."""
        return self._seen.flags

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
        if len(self.parts) == 1:
            product: Scores = self.parts[0] @ query
            return product
        out = np.empty(len(self), np.float32)
        for part, start in zip(self.parts, self._starts.tolist(), strict=False):
            np.dot(part, query, out=out[start : start + len(part)])
        return out

    def rows(self, rows: Numbers) -> Scores:
        """Copy the given rows."""
        if len(self.parts) == 1:
            return self.parts[0][rows]
        out = np.empty((len(rows), self._dimensions), np.float32)
        owners = np.searchsorted(self._starts, rows, side="right") - 1
        for at, part in enumerate(self.parts):
            mine = owners == at
            out[mine] = part[rows[mine] - self._starts[at]]
        return out


class VectorReader:
    """Maps committed rows; a file is mapped once and again when it has grown."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._maps: dict[str, tuple[int, Scores]] = {}
        self._seen: dict[Layer, SeenRows] = {}

    def map(self, files: Sequence[VectorFile], dimensions: int) -> dict[Layer, MappedVectors]:
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
            layer: MappedVectors(
                parts,
                paths[layer],
                dimensions,
                self._seen_rows(layer, files),
                self._signs(layer, files, dimensions),
            )
            for layer, parts in found.items()
        }

    def extend_signs(self, files: Sequence[VectorFile], dimensions: int) -> None:
        """Bring the signs of large layers up to date; the caller is the only writer."""
        if dimensions > MOST_DIMENSIONS:
            return
        for layer in {file.layer for file in files}:
            file, rows = _sign_file(self._folder, layer, files, dimensions), _rows_of(layer, files)
            if sign_file.needs_signs(rows, file.rows()):
                file.extend(self.map(files, dimensions)[layer].parts)

    def cut_signs(self, files: Sequence[VectorFile], dimensions: int) -> None:
        """Forget the signs of rows that do not count (``main.db`` came back from a backup): others
        will take their places.
        """
        for layer in {file.layer for file in files}:
            _sign_file(self._folder, layer, files, dimensions).cut(_rows_of(layer, files))

    def _seen_rows(self, layer: Layer, files: Sequence[VectorFile]) -> SeenRows:
        first_file = next((file.name for file in files if file.layer == layer), "")
        with self._lock:
            seen = self._seen.get(layer)
            if seen is None or seen.first_file != first_file:
                seen = self._seen[layer] = SeenRows(first_file)
            seen.extend(_rows_of(layer, files))
        return seen

    def _signs(self, layer: Layer, files: Sequence[VectorFile], dimensions: int) -> Signs | None:
        rows = _rows_of(layer, files)
        if rows <= sign_file.MOST_SCANNED or dimensions > MOST_DIMENSIONS:
            return None
        return _sign_file(self._folder, layer, files, dimensions).map(rows)

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


def _sign_file(
    folder: Path, layer: Layer, files: Iterable[VectorFile], dimensions: int
) -> SignFile:
    """Named after the first vector file, so that new vectors never meet old signs."""
    first = next(file for file in files if file.layer == layer)
    return SignFile((folder / first.name).with_suffix(SUFFIX), dimensions)


def _rows_of(layer: Layer, files: Iterable[VectorFile]) -> int:
    return sum(file.rows for file in files if file.layer == layer)


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


def uncounted_bytes(
    folder: Path, files: Sequence[VectorFile], dimensions: int
) -> Iterator[tuple[Path, int]]:
    """The files in ``folder`` with bytes that no committed state counts, and how many those are."""
    counted = {file.name: file.rows * dimensions * _FLOAT_BYTES for file in files}
    for layer in {file.layer for file in files}:
        signs = _sign_file(folder, layer, files, dimensions)
        counted[signs.path.name] = signs.bytes_for(_rows_of(layer, files))
    for path in sorted(folder.glob("*")):
        if (beyond := path.stat().st_size - counted.get(path.name, 0)) > 0:
            yield path, beyond


def remove_strangers(folder: Path, files: Iterable[VectorFile]) -> None:
    """Remove vector files that no committed state speaks of, and their signs."""
    known = {Path(file.name).stem for file in files}
    for path in [*folder.glob("*.f32"), *folder.glob(f"*{SUFFIX}")]:
        if path.stem not in known:
            with suppress(FileNotFoundError):
                path.unlink()
