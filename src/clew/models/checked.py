"""An embedder that is called in batches and believed only after a look at what it returned.

A zero vector, a NaN, a missing row or a row of another length would make searches wrong in
silence, so each is an error that says which text it belongs to. Nothing is stored before the check.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from clew.errors import ClewError, EmbeddingError, ModelError
from clew.executors.concurrently import map_concurrently
from clew.models.base import Embedder, Span, SpanEmbedder, TextKind, Vectors
from clew.models.event_loop import EventLoopThread

_LENGTH_TOLERANCE = 1e-5
_SHOWN_CHARS = 60

Reply = TypeVar("Reply")


class CheckedEmbedder:
    """Wraps any :class:`Embedder`; results are float32 and of length 1.

    Raises :class:`EmbeddingError` for bad vectors, :class:`ModelError` for whatever else the
    embedder raises.
    """

    def __init__(
        self,
        embedder: Embedder,
        *,
        batch_size: int = 100,
        concurrency: int = 1,
        dimensions: int | None = None,
    ) -> None:
        self.embedder = embedder
        self.batch_size = batch_size
        self.concurrency = concurrency
        self._expected = dimensions
        self._dimensions: int | None = None
        self._loop = EventLoopThread()

    @property
    def fingerprint(self) -> str:
        return self.embedder.fingerprint

    @property
    def dimensions(self) -> int:
        if self._dimensions is None:
            self._dimensions = self._agreed(self.embedder.dimensions)
        return self._dimensions

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        def embed(start: int) -> Vectors:
            batch = texts[start : start + self.batch_size]
            rows = self._call(lambda: self.embedder.embed(batch, kind=kind), batch, start)
            return self._checked(rows, batch, start)

        return self._joined(self._by_batch(embed, len(texts)))

    def _by_batch(self, function: Callable[[int], Reply], texts: int) -> list[Reply]:
        return map_concurrently(function, range(0, texts, self.batch_size), self.concurrency)

    def _joined(self, parts: Sequence[Vectors]) -> Vectors:
        return np.concatenate([np.empty((0, self.dimensions), np.float32), *parts])

    def _call(self, function: Callable[[], Any], texts: Sequence[str], start: int) -> Any:
        try:
            return self._loop.resolve(function())
        except Exception as error:  # of any library: the cause is kept
            if isinstance(error, ClewError) and type(error) is not ModelError:
                raise
            reason = f"{error}" if type(error) is ModelError else f"{type(error).__name__}: {error}"
            raise ModelError(
                f"embedding texts {start} to {start + len(texts) - 1} "
                f"(first: {_beginning(texts[0])}) failed: {reason}"
            ) from error

    def _checked(self, rows: Any, texts: Sequence[str], start: int) -> Vectors:
        if not hasattr(rows, "__len__") or len(rows) != len(texts):
            count = len(rows) if hasattr(rows, "__len__") else type(rows).__name__
            raise EmbeddingError(
                f"{self.fingerprint} returned {count} vectors for {len(texts)} texts, "
                f"{start} to {start + len(texts) - 1} (first: {_beginning(texts[0])})"
            )
        for row, text in enumerate(texts):
            if np.ndim(rows[row]) != 1 or len(rows[row]) != self.dimensions:
                raise EmbeddingError(
                    f"{self.fingerprint} returned shape {np.shape(rows[row])} instead of "
                    f"({self.dimensions},) for {_place(start + row, text)}"
                )
        vectors = np.asarray(rows, np.float32)
        return _normalised(vectors, lambda row: _place(start + row, texts[row]), self.fingerprint)

    def _agreed(self, found: int) -> int:
        if self._expected is not None and found != self._expected:
            raise EmbeddingError(
                f"embedding_dimensions={self._expected}, but {self.fingerprint} gives vectors of "
                f"{found} dimensions; set embedding_dimensions={found} or leave it out"
            )
        return found


class CheckedSpanEmbedder(CheckedEmbedder):
    """Wraps a :class:`SpanEmbedder` and keeps its power."""

    embedder: SpanEmbedder

    def embed_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]]
    ) -> tuple[Vectors, Vectors]:
        def embed(start: int) -> tuple[Vectors, Vectors]:
            end = start + self.batch_size
            batch, inside = texts[start:end], spans[start:end]
            of_texts, of_spans = self._call(
                lambda: self.embedder.embed_spans(batch, inside), batch, start
            )
            cut = [
                text[slice(*span)] for text, own in zip(batch, inside, strict=True) for span in own
            ]
            return self._checked(of_texts, batch, start), self._checked(of_spans, cut, 0)

        pairs = self._by_batch(embed, len(texts))
        return self._joined([pair[0] for pair in pairs]), self._joined([pair[1] for pair in pairs])


def _normalised(vectors: Vectors, place: Callable[[int], str], fingerprint: str) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1)
    for row in np.flatnonzero(~np.isfinite(lengths) | (lengths == 0)):
        fault = "a zero vector" if lengths[row] == 0 else "NaN or infinity"
        raise EmbeddingError(f"{fingerprint} returned {fault} for {place(int(row))}")
    far = np.abs(lengths - 1) > _LENGTH_TOLERANCE
    if not far.any():
        return vectors
    normalised = vectors.copy()
    normalised[far] /= lengths[far, None]
    return normalised


def _place(number: int, text: str) -> str:
    return f"text {number} ({_beginning(text)})"


def _beginning(text: str) -> str:
    return repr(text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…")
