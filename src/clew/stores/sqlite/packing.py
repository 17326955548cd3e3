"""Arrays as blobs: four bytes that name the type, a CRC-32, then the values, little-endian.

Whole numbers take the narrowest type that holds them, so that a store grows with what is in it.
"""

from __future__ import annotations

from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from clew.stores.sqlite.seals import DamagedPartError

_INTEGERS = ("<u1", "<i4", "<i8")
_TYPES = (*_INTEGERS, "<f4")
_NAME_BYTES = 4
_HEADER_BYTES = 8
_UNSEALED = b"    "
"""Stands where the checksum does in blobs that were written before there was one."""


def pack(values: NDArray[np.generic]) -> bytes:
    kind = "<f4" if values.dtype.kind == "f" else _narrowest(values)
    name, data = kind.encode().ljust(_NAME_BYTES), values.astype(kind).tobytes()
    return name + crc32(data, crc32(name)).to_bytes(4, "little") + data


def _narrowest(values: NDArray[np.generic]) -> str:
    if not values.size:
        return _INTEGERS[0]
    low, high = int(values.min()), int(values.max())
    if low >= 0 and high < 1 << 8:
        return "<u1"
    return "<i4" if low >= -(1 << 31) and high < 1 << 31 else "<i8"


def unpack(blob: bytes) -> NDArray[Any]:
    """The array that was packed; read-only, without a copy. Raises :class:`DamagedPartError`."""
    name, given = blob[:_NAME_BYTES], blob[_NAME_BYTES:_HEADER_BYTES]
    kind = name.rstrip().decode("ascii", "replace")
    size = len(blob) - _HEADER_BYTES
    if kind not in _TYPES or size < 0 or size % np.dtype(kind).itemsize:
        raise DamagedPartError(f"an array of the index is damaged (type {kind!r})")
    found = crc32(memoryview(blob)[_HEADER_BYTES:], crc32(name)).to_bytes(4, "little")
    if given not in (found, _UNSEALED):
        raise DamagedPartError("an array of the index does not match its checksum")
    return np.frombuffer(blob, kind, offset=_HEADER_BYTES)
