"""Does a confidence part what can be answered from what cannot."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def area_under_roc(scores: Sequence[float], positive: Sequence[bool]) -> float:
    """The chance that one of the positive has a higher score than one of the others; a tie counts
    half (the statistic of Mann and Whitney). Raises :class:`ValueError` without both kinds.

    >>> area_under_roc([0.9, 0.4, 0.6], [True, True, False])
    0.5
    """
    if len(scores) != len(positive):
        raise ValueError(f"{len(scores)} scores for {len(positive)} cases")
    values, labels = np.asarray(scores, dtype=np.float64), np.asarray(positive, dtype=bool)
    high, low = values[labels], np.sort(values[~labels])
    if not len(high) or not len(low):
        raise ValueError("an area needs answerable and unanswerable cases; one kind is missing")
    below = np.searchsorted(low, high, side="left")
    not_above = np.searchsorted(low, high, side="right")
    return float((below + not_above).mean() / 2 / len(low))
