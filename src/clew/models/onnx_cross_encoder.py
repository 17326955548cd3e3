"""A reranker without PyTorch: an ONNX graph that reads question and text together and gives one
number, or two (unfit, fit).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from clew.errors import ModelError
from clew.models.onnx_pairs import Logits, ONNXPairs


class ONNXCrossEncoder:
    """A :class:`clew.models.base.Reranker`; for its options see
    :class:`clew.models.onnx_pairs.ONNXPairs`.
    """

    def __init__(
        self, path: str | Path, *, max_tokens: int | None = None, threads: int | None = None
    ) -> None:
        self._pairs = ONNXPairs(path, max_tokens=max_tokens, threads=threads)
        self.fingerprint: str = f"{self._pairs.files.name}/cross-encoder/{self._pairs.digest}"
        self.max_tokens: int = self._pairs.max_tokens

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [self._share(row) for row in self._pairs.logits([(question, t) for t in texts])]

    def _share(self, logits: Logits) -> float:
        """Of one logit its sigmoid; of two the share of the second."""
        if len(logits) not in {1, 2}:
            raise ModelError(
                f"{self._pairs.files.graph}: it gives {len(logits)} values for a pair; expected "
                "one score or two (unfit, fit), as a cross-encoder that ranks gives"
            )
        difference = logits[-1] - (logits[0] if len(logits) == 2 else 0.0)
        return float(1.0 / (1.0 + np.exp(-np.clip(difference, -60.0, 60.0))))
