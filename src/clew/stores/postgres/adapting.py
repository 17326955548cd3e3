"""Arrays to the database and back, without a Python object for each number.

PostgreSQL sends an array as a header (dimensions, flags, type of the items; length, lower bound)
and then each item behind its length; all big-endian (``array_send`` in its sources). That is a
structured array of NumPy. pgvector sends a vector as two small numbers (dimensions, unused) and
then its values (``vector_send``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from struct import pack
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray
from psycopg import pq
from psycopg.abc import Buffer
from psycopg.adapt import Dumper, Loader

from clew.stores.base import Numbers, Scores

_INT8, _INT8_ARRAY = 20, 1016
_FLOAT4, _FLOAT4_ARRAY = 700, 1021
_HEADER_BYTES = 20
_INT8_ITEM = np.dtype([("bytes", ">i4"), ("value", ">i8")])
_FLOAT4_ITEM = np.dtype([("bytes", ">i4"), ("value", ">f4")])
_COPY_HEADER = b"PGCOPY\n\xff\r\n\x00" + bytes(8)
_COPY_TRAILER = b"\xff\xff"
_VECTOR_HEADER_BYTES = 4


def adapt(connection: psycopg.Connection[Any]) -> None:
    """Teach a connection int64 arrays as parameters, int64 and float32 arrays as results."""
    connection.adapters.register_dumper(np.ndarray, _NumbersDumper)
    connection.adapters.register_loader(_INT8_ARRAY, _NumbersLoader)
    connection.adapters.register_loader(_FLOAT4_ARRAY, _ScoresLoader)


class _NumbersDumper(Dumper):
    format = pq.Format.BINARY
    oid = _INT8_ARRAY

    def dump(self, obj: Any) -> Buffer:
        numbers = np.asarray(obj, np.int64)
        if not len(numbers):
            return pack(">iii", 0, 0, _INT8)
        items = np.empty(len(numbers), _INT8_ITEM)
        items["bytes"], items["value"] = 8, numbers
        return pack(">iiiii", 1, 0, _INT8, len(numbers), 1) + items.tobytes()


class _NumbersLoader(Loader):
    format = pq.Format.BINARY

    def load(self, data: Buffer) -> Numbers:
        return _values(data, _INT8_ITEM).astype(np.int64)


class _ScoresLoader(Loader):
    format = pq.Format.BINARY

    def load(self, data: Buffer) -> Scores:
        return _values(data, _FLOAT4_ITEM).astype(np.float32)


def _values(data: Buffer, item: np.dtype[Any]) -> NDArray[Any]:
    if len(data) <= _HEADER_BYTES:
        return np.empty(0, item)["value"]
    values: NDArray[Any] = np.frombuffer(data, item, offset=_HEADER_BYTES)["value"]
    return values


# --- vectors --------------------------------------------------------------------------------------


def vector_text(vector: Scores) -> str:
    """A vector as a parameter; every float32 comes through as it is."""
    return "[" + ",".join(map(repr, vector.tolist())) + "]"


def vectors_from_rows(rows: Sequence[bytes], dimensions: int) -> Scores:
    """What ``vector_send`` gave of each row, as float32 ``[len(rows), dimensions]``."""
    if not rows:
        return np.empty((0, dimensions), np.float32)
    raw = np.frombuffer(b"".join(rows), ">u1")
    table = raw.reshape(len(rows), -1)[:, _VECTOR_HEADER_BYTES:]
    return np.ascontiguousarray(table).view(">f4").astype(np.float32)


def copy_of_vectors(space: int, parts: Iterable[tuple[int, int, Scores]]) -> Iterator[bytes]:
    """Rows (space, number, document, vector) in the binary form of COPY. ``parts``: (document,
    number of its first vector, its vectors).
    """
    yield _COPY_HEADER
    for document, first, vectors in parts:
        yield _vector_rows(space, document, first, vectors)
    yield _COPY_TRAILER


def _vector_rows(space: int, document: int, first: int, vectors: Scores) -> bytes:
    count, dimensions = vectors.shape
    row = np.dtype(
        [
            ("fields", ">i2"),
            *[("a", ">i4"), ("space", ">i4"), ("b", ">i4"), ("number", ">i8")],
            *[("c", ">i4"), ("document", ">i8"), ("d", ">i4")],
            *[("dimensions", ">i2"), ("unused", ">i2"), ("vector", ">f4", (dimensions,))],
        ]
    )
    rows = np.zeros(count, row)
    rows["fields"], rows["a"], rows["b"], rows["c"] = 4, 4, 8, 8
    rows["d"] = _VECTOR_HEADER_BYTES + 4 * dimensions
    rows["space"], rows["document"], rows["dimensions"] = space, document, dimensions
    rows["number"] = np.arange(first, first + count)
    rows["vector"] = vectors
    return rows.tobytes()
