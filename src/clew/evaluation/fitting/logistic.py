"""Logistic regression with weights ≥ 0: a sign for an answer must never count against it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RIDGE = 3.0
_STEPS = 4000

Matrix = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Examples:
    """Rows of features, with a label (0 or 1) and a weight each."""

    features: Matrix
    labels: Matrix
    weights: Matrix


def logistic(
    examples: Examples, *, ridge: float = RIDGE, steps: int = _STEPS
) -> tuple[Matrix, float]:
    """The weights, none below 0, and the bias, by accelerated projected gradient descent (Nesterov;
    Beck and Teboulle 2009). The ridge pulls on standardised features, and not on the bias.
    """
    scale = np.maximum(examples.features.std(axis=0), 1e-9)
    rows = examples.features / scale
    share = examples.weights / examples.weights.sum()
    pull = ridge / float(examples.weights.sum())
    step = 1.0 / (0.25 * float((share @ (rows**2)).sum() + 1.0) + pull)
    now = ahead = np.zeros(rows.shape[1] + 1)
    for number in range(steps):
        logits = rows @ ahead[:-1] + ahead[-1]
        error = share * (1.0 / (1.0 + np.exp(-logits)) - examples.labels)
        gradient = np.append(rows.T @ error + pull * ahead[:-1], error.sum())
        following = ahead - step * gradient
        following[:-1] = np.maximum(following[:-1], 0.0)
        ahead = following + (number / (number + 3)) * (following - now)
        now = following
    return now[:-1] / scale, float(now[-1])
