"""Arrays as blobs: eight bytes that name the type, then the values, little-endian.

Whole numbers take the narrowest type that holds them, so that a store grows with what is in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from clew.errors import StoreCorruptError

_INTEGERS = ("<u1", "<i4", "<i8")
_TYPES = (*_INTEGERS, "<f4")
_HEADER_BYTES = 8


def pack(values: NDArray[np.generic]) -> bytes:
    kind = "<f4" if values.dtype.kind == "f" else _narrowest(values)
    return kind.encode().ljust(_HEADER_BYTES) + values.astype(kind).tobytes()


def _narrowest(values: NDArray[np.generic]) -> str:
    if not values.size:
        return _INTEGERS[0]
    low, high = int(values.min()), int(values.max())
    if low >= 0 and high < 1 << 8:
        return "<u1"
    return "<i4" if low >= -(1 << 31) and high < 1 << 31 else "<i8"


def unpack(blob: bytes) -> NDArray[Any]:
    """The array that was packed; read-only, without a copy."""
    kind = blob[:_HEADER_BYTES].rstrip().decode("ascii", "replace")
    size = len(blob) - _HEADER_BYTES
    if kind not in _TYPES or size < 0 or size % np.dtype(kind).itemsize:
        raise StoreCorruptError(f"an array of the index is damaged (type {kind!r})")
    return np.frombuffer(blob, kind, offset=_HEADER_BYTES)
