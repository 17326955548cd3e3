"""Vectors kept on disk, so that a set is read by the model once and not for every measurement.

They lie in ``$CLEW_BENCHMARK_CACHE`` (a folder; ``off`` for none), else in the user's cache folder.
Measurements of time go without: :mod:`benchmarks.multihop.index` never uses this.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from clew.models.base import Span, SpanEmbedder, TextKind, Vectors

_SLICE = 512


class CachedEmbedder:
    """Another embedder that is asked only for what it was not asked before."""

    def __init__(self, inner: SpanEmbedder, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.inner = inner
        name = hashlib.sha256(inner.fingerprint.encode()).hexdigest()[:16]
        self._file = sqlite3.connect(folder / f"{name}.db", timeout=120.0, isolation_level=None)
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, rows BLOB)")

    @property
    def fingerprint(self) -> str:
        return self.inner.fingerprint

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        return self.inner.embed(texts, kind=kind)

    def embed_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]]
    ) -> tuple[Vectors, Vectors]:
        """Each text with its spans is one entry: the text's row, then one row a span."""
        keys = [_key(text, own) for text, own in zip(texts, spans, strict=True)]
        rows = {key: found for key in keys if (found := self._read(key)) is not None}
        missing = [place for place, key in enumerate(keys) if key not in rows]
        for start in range(0, len(missing), _SLICE):
            part = missing[start : start + _SLICE]
            rows |= self._ask(keys, texts, spans, part)
        whole = [rows[key] for key in keys]
        of_spans = [found[1:] for found in whole]
        nothing = np.empty((0, self.dimensions), dtype=np.float32)
        return (
            np.stack([found[0] for found in whole]) if whole else nothing,
            np.concatenate(of_spans) if of_spans else nothing,
        )

    def _ask(
        self,
        keys: Sequence[bytes],
        texts: Sequence[str],
        spans: Sequence[Sequence[Span]],
        places: Sequence[int],
    ) -> dict[bytes, Vectors]:
        chunks, units = self.inner.embed_spans(
            [texts[place] for place in places], [spans[place] for place in places]
        )
        fresh, at = {}, 0
        for row, place in zip(chunks, places, strict=True):
            count = len(spans[place])
            fresh[keys[place]] = np.concatenate([row[None], units[at : at + count]])
            at += count
        self._file.executemany(
            "INSERT OR IGNORE INTO vector VALUES (?, ?)",
            [(key, rows.astype("<f4").tobytes()) for key, rows in fresh.items()],
        )
        return fresh

    def _read(self, key: bytes) -> Vectors | None:
        found = self._file.execute("SELECT rows FROM vector WHERE key = ?", (key,)).fetchone()
        if found is None:
            return None
        rows: Vectors = np.frombuffer(found[0], dtype="<f4").reshape(-1, self.dimensions)
        return rows


def cached(inner: SpanEmbedder) -> SpanEmbedder:
    """``inner`` behind the cache, unless the cache is off."""
    place = os.environ.get("CLEW_BENCHMARK_CACHE", "")
    if place == "off":
        return inner
    return CachedEmbedder(inner, Path(place) if place else Path.home() / ".cache/clew-benchmarks")


def _key(text: str, spans: Sequence[Span]) -> bytes:
    parts = [text, *(f"{start}:{end}" for start, end in spans)]
    return hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).digest()
