"""How many of the passages that a question needs are found, and how early.

Figures are averaged over questions by :func:`mean`; a single question's value is kept so that two
systems can be compared question by question (:mod:`clew.evaluation.bootstrap`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence


def recall_at(k: int, found: Sequence[str], wanted: Collection[str]) -> float:
    """The share of ``wanted`` among the first ``k`` of ``found``.

    >>> recall_at(2, ["a", "x", "b"], {"a", "b"})
    0.5
    """
    _require(wanted)
    return len(set(wanted) & set(found[:k])) / len(set(wanted))


def all_recall_at(k: int, found: Sequence[str], wanted: Collection[str]) -> float:
    """1.0 when *all* of ``wanted`` are among the first ``k``: one missing hop spoils an answer."""
    return float(recall_at(k, found, wanted) == 1.0)


def reciprocal_rank(found: Sequence[str], wanted: Collection[str]) -> float:
    """1 / the place of the first that is wanted; 0.0 when none is there. Averaged, it is MRR."""
    _require(wanted)
    targets = set(wanted)
    places = (place for place, name in enumerate(found, start=1) if name in targets)
    return 1.0 / next(places, float("inf"))


def mean(values: Iterable[float]) -> float:
    """The plain mean; 0.0 of nothing."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0


def _require(wanted: Collection[str]) -> None:
    if not wanted:
        raise ValueError("a question without supporting passages has no recall; leave it out")
