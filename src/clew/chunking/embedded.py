"""The stretches of one text as vectors, each embedded once, whoever asks.

Topics and metrics compare much the same stretches, and texts repeat themselves; an embedder may be
slow or paid for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from clew.chunking.outline import Outline
from clew.models.base import Embedder, Vectors


def embed_once(outline: Outline, embedder: Embedder) -> Callable[[Sequence[str]], Vectors]:
    """Return what gives the vectors of stretches of a text, in order; white space around them does
    not count, and white space alone is a zero vector. Raises :class:`clew.errors.ModelError`.
    """
    return outline.derive(("embedded", embedder.fingerprint), lambda _: _Embedded(embedder))


class _Embedded:
    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}

    def __call__(self, texts: Sequence[str]) -> Vectors:
        stripped = [text.strip() for text in texts]
        fresh = [text for text in dict.fromkeys(stripped) if text and text not in self._known]
        if fresh:
            self._known.update(zip(fresh, self._embedder.embed(fresh), strict=True))
        dimensions = len(next(iter(self._known.values()), (0.0,)))
        rows = np.zeros((len(texts), dimensions), np.float32)
        for row, text in enumerate(stripped):
            if text:
                rows[row] = self._known[text]
        return rows
