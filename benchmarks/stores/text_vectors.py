"""Vectors that are given by the text alone, the same in every process; numpy is all they need.

They stand for an embedder that takes no time: what was spent in them is subtracted.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

DIMENSIONS = 384
_ROWS = 50_000


class TextVectors:
    """Has the calls of an embedder of clew and of one of AtomicRAG."""

    fingerprint = "by-text-384"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        random = np.random.default_rng(11)
        rows = random.standard_normal((_ROWS, DIMENSIONS), dtype=np.float32)
        self._rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        self.cpu_s = 0.0

    def embed(self, texts: Sequence[str], *, kind: str = "document") -> Any:  # noqa: ARG002
        began = time.process_time()
        places = [zlib.crc32(text.encode()) % _ROWS for text in texts]
        vectors = self._rows[np.array(places, np.int64)]
        self.cpu_s += time.process_time() - began
        return vectors

    def embed_batch(self, texts: Sequence[str]) -> list[list[float]]:
        began = time.process_time()
        places = [zlib.crc32(text.encode()) % _ROWS for text in texts]
        rows: list[list[float]] = self._rows[np.array(places, np.int64)].tolist()
        self.cpu_s += time.process_time() - began
        return rows

    def embed_text(self, text: str) -> list[float]:
        return self.embed_batch([text])[0]
