"""What one metric says of one plan."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Outcome:
    """``value`` lies in 0–1; None where the metric has nothing to say. ``error`` is the standard
    error of a value that is a mean over parts of the text.
    """

    value: float | None
    explanation: str
    error: float = 0.0

    @classmethod
    def share(cls, good: int, total: int, what: str) -> Outcome:
        value = good / total
        error = sqrt(value * (1 - value) / total)
        return cls(value, f"{good:,} of {total:,} {what}", error)

    @classmethod
    def mean(cls, values: NDArray[np.floating], what: str) -> Outcome:
        """Return the mean of one or more values, clipped to 0–1."""
        mean = float(np.clip(values.mean(dtype=np.float64), 0.0, 1.0))
        error = float(values.std(dtype=np.float64)) / sqrt(len(values))
        return cls(mean, f"{what}, over {len(values):,}", error)
