"""Embedders for tests: one that always works, one that goes wrong when told to.

They know nothing about meaning and are never a default: without a real embedder, clew searches by
words and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import blake2b
from threading import Lock
from typing import Literal

import numpy as np

from clew.models.base import Span, TextKind, Vectors
from clew.text.words import terms

Fault = Literal["error", "zero", "nan", "missing", "narrow"]


class FakeEmbedder:
    """Texts that share words are near. Deterministic across processes and machines.

    Every word has a direction drawn from its hash and ``seed``; a text is the sum of its words.
    ``text_count`` counts the texts embedded, ``call_count`` the calls, ``texts`` holds the texts.
    It is a :class:`clew.models.base.SpanEmbedder` and a :class:`clew.models.base.BaseEmbedding`.
    """

    def __init__(self, dimensions: int = 64, *, seed: int = 0) -> None:
        self.dimensions: int = dimensions
        self.fingerprint: str = f"fake-embedder/{dimensions}/seed-{seed}"
        self.texts: list[str] = []
        self.call_count = 0
        self._seed = seed
        self._lock = Lock()

    @property
    def text_count(self) -> int:
        return len(self.texts)

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:  # noqa: ARG002
        self._count(texts)
        return self._vectors(texts)

    def embed_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]]
    ) -> tuple[Vectors, Vectors]:
        self._count(texts)
        inside = [
            text[start:end] or text
            for text, own in zip(texts, spans, strict=True)
            for start, end in own
        ]
        return self._vectors(texts), self._vectors(inside)

    def embed_text(self, text: str) -> list[float]:
        return self.embed_batch([text])[0]

    def embed_batch(self, texts: list[str]) -> list[list[float]]:
        rows: list[list[float]] = self.embed(texts).tolist()
        return rows

    def _count(self, texts: Sequence[str]) -> None:
        with self._lock:
            self.call_count += 1
            self.texts.extend(texts)

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        rows = [self._vector(text) for text in texts]
        return np.stack(rows) if rows else np.empty((0, self.dimensions), np.float32)

    def _vector(self, text: str) -> Vectors:
        words = sorted(terms(text)) or [text]
        total = np.sum([_direction(word, self._seed, self.dimensions) for word in words], axis=0)
        vector: Vectors = (total / np.linalg.norm(total)).astype(np.float32)
        return vector


class FlakyEmbedder(FakeEmbedder):
    """A :class:`FakeEmbedder` whose calls go wrong: all of them, or the one numbered ``at_call``
    (from 0).

    =============  ==============================================================
    ``fault``      the call
    =============  ==============================================================
    ``"error"``    raises :class:`ConnectionError`
    ``"zero"``     returns a zero vector for its last text
    ``"nan"``      returns a NaN in the vector of its last text
    ``"missing"``  returns one vector too few
    ``"narrow"``   returns vectors of half the dimensions
    =============  ==============================================================
    """

    def __init__(
        self, fault: Fault, *, at_call: int | None = None, dimensions: int = 64, seed: int = 0
    ) -> None:
        super().__init__(dimensions, seed=seed)
        self.fault = fault
        self.at_call = at_call

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        return self._spoiled(super().embed(texts, kind=kind))

    def embed_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]]
    ) -> tuple[Vectors, Vectors]:
        of_texts, of_spans = super().embed_spans(texts, spans)
        return self._spoiled(of_texts), of_spans

    def _spoiled(self, vectors: Vectors) -> Vectors:
        sound = self.at_call is not None and self.call_count - 1 != self.at_call
        return vectors if sound else _SPOIL[self.fault](vectors)


def _fail(vectors: Vectors) -> Vectors:
    raise ConnectionError(f"the server closed the connection ({len(vectors)} texts)")


def _with_last(value: float) -> Callable[[Vectors], Vectors]:
    def spoil(vectors: Vectors) -> Vectors:
        vectors[-1:] = value
        return vectors

    return spoil


_SPOIL: dict[Fault, Callable[[Vectors], Vectors]] = {
    "error": _fail,
    "zero": _with_last(0.0),
    "nan": _with_last(np.nan),
    "missing": lambda vectors: vectors[:-1],
    "narrow": lambda vectors: vectors[:, : vectors.shape[1] // 2],
}


@cache
def _direction(word: str, seed: int, dimensions: int) -> Vectors:
    content = f"{seed}\x1f{word}".encode("utf-8", "surrogatepass")
    number = int.from_bytes(blake2b(content, digest_size=8).digest(), "big")
    direction: Vectors = np.random.default_rng(number).standard_normal(dimensions, np.float32)
    return direction
