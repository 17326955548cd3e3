"""A reranker made of an embedder: texts are embedded anew and compared with the question.

Exact where the sum of unit vectors is an approximation, at one embedding per path. A cross-encoder
with the same method takes its place where one is at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clew.models.base import Embedder


@dataclass(frozen=True, slots=True)
class Reembedding:
    """A :class:`clew.retrieval.base.Reranker` that costs no further model."""

    embedder: Embedder

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """Cosines of the texts with the question, negative ones as 0."""
        if not texts:
            return []
        query = self.embedder.embed([question], kind="query")[0]
        cosines = self.embedder.embed(list(texts), kind="document") @ query
        return [float(cosine) for cosine in np.clip(cosines, 0.0, 1.0)]
