"""Scoring the few names that a store's index gives for one that is not written as any of them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from rapidfuzz import fuzz

from clew.stores.base import Ranking
from clew.stores.scoring import best
from clew.stores.spelling import holds

NO_LIMIT = 2**40

Named = Iterable[tuple[int, str]]
"""(entity, key); an entity may come several times."""

Found = tuple[int, str, float]
"""An entity, the key by which it was found, and how well that fits."""


def lengths_like(key: str, threshold: float) -> tuple[int, int]:
    """The least and the most characters of a key that is similar enough to ``key``, even if the
    shorter of the two were a part of the longer.
    """
    length = len(key)
    shortest = threshold * length / (2 - threshold)
    longest = (2 - threshold) * length / threshold if threshold else NO_LIMIT
    return int(shortest), min(int(longest) + 1, NO_LIMIT)


def alike(key: str, threshold: float, named: Named) -> list[Found]:
    """Those that are spelled like ``key``."""
    cutoff = 100 * threshold - 1e-6
    scored = (
        (entity, name, fuzz.ratio(key, name, score_cutoff=cutoff) / 100) for entity, name in named
    )
    return [one for one in scored if one[2] >= threshold]


def holding(phrase: str, named: Named) -> list[Found]:
    """Those with a key that has the words of ``phrase``, and how much of it they are."""
    return [
        (entity, name, len(phrase) / len(name)) for entity, name in named if holds(name, phrase)
    ]


def best_of(found: Iterable[Found], k: int) -> Ranking:
    """The ``k`` best entities, each with the best of its scores."""
    scores: dict[int, float] = {}
    for entity, _, score in found:
        scores[entity] = max(score, scores.get(entity, 0.0))
    numbers = np.array(sorted(scores), np.int64)
    values = np.array([scores[number] for number in numbers.tolist()], np.float32)
    return best(numbers, values, k)
