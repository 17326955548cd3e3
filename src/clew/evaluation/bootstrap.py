"""Is one system better than another on the same questions, or is it chance?

The paired bootstrap (Efron; Koehn 2004): draw the questions anew, with replacement, many times, and
see how the difference of the means moves. Pairing removes what is hard for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_BLOCK = 256


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """``mean`` is the first system's minus the second's; ``low`` and ``high`` bound it with the
    ``confidence`` asked for; ``not_better`` is the share of draws in which the first was no better.
    """

    mean: float
    low: float
    high: float
    confidence: float
    not_better: float

    @property
    def significant(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low > 0.0 or self.high < 0.0


def paired_bootstrap(
    first: Sequence[float],
    second: Sequence[float],
    *,
    draws: int = 10_000,
    confidence: float = 0.95,
    seed: int = 13,
) -> Difference:
    """Compare two systems by their value for each question, in the same order."""
    if len(first) != len(second):
        raise ValueError(
            f"the two systems must have answered the same questions: {len(first)} against "
            f"{len(second)} values"
        )
    if not len(first):
        raise ValueError("no questions to compare on")
    deltas = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    means = _drawn_means(deltas, draws, np.random.default_rng(seed))
    tail = (1.0 - confidence) / 2.0
    low, high = np.quantile(means, [tail, 1.0 - tail])
    return Difference(
        mean=float(deltas.mean()),
        low=float(low),
        high=float(high),
        confidence=confidence,
        not_better=float((means <= 0.0).mean()),
    )


def _drawn_means(
    deltas: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    draws: int,
    random: np.random.Generator,
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The mean of each draw, some hundred draws at a time to bound the memory."""
    blocks = []
    for start in range(0, draws, _BLOCK):
        size = (min(_BLOCK, draws - start), len(deltas))
        blocks.append(deltas[random.integers(0, len(deltas), size=size)].mean(axis=1))
    return np.concatenate(blocks)
