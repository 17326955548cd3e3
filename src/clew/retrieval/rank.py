"""From evidence to an ordered list: scores of units make those of chunks, the best come first.

Aggregations keep 0–1: ``max`` and ``mean`` do by themselves; ``sum`` adds up as independent pieces
of evidence do, ``1 − Π(1 − s)``, so that more evidence always counts more and never exceeds 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from clew.retrieval.base import Evidence
from clew.retrieval.config import RetrievalConfig
from clew.stores.base import GraphReader, Numbers, Scores

_DIGITS = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranked:
    """One place in the ranking. ``unit`` is -1 where whole chunks are ranked; ``units`` are the
    scored units behind it, best first; ``parts`` what a second stage made the score of.
    """

    chunk: int
    unit: int
    score: float
    units: tuple[int, ...]
    parts: Mapping[str, float] = field(default_factory=dict)


def rank(
    reader: GraphReader, evidence: Evidence, config: RetrievalConfig, *, top_n: int
) -> list[Ranked]:
    """The ``top_n`` best at or above ``min_score_threshold``; equal scores by id."""
    if config.group_by_chunk:
        scores, numbers = aggregate(evidence, config.score_aggregation), evidence.chunks
    else:
        scores, numbers = evidence.unit_scores, evidence.units
    rounded = scores.astype(np.float64).round(_DIGITS)
    rows = _best_rows(rounded, numbers, top_n, config.min_score_threshold)
    ids = _ids(reader, numbers[rows], grouped=config.group_by_chunk)
    ordered = sorted(
        zip(rows.tolist(), ids, strict=True), key=lambda pair: (-rounded[pair[0]], pair[1])
    )
    return [_place(evidence, row, float(rounded[row]), config) for row, _ in ordered[:top_n]]


def aggregate(evidence: Evidence, how: str) -> Scores:
    """The scores of chunks from those of their units; one without scored units keeps its own."""
    rows, count = evidence.unit_rows, len(evidence.chunks)
    held = np.bincount(rows, minlength=count)
    if how == "max" or not len(rows):
        return evidence.chunk_scores
    if how == "mean":
        sums = np.bincount(rows, weights=evidence.unit_scores, minlength=count)
        values = sums / np.maximum(held, 1)
    else:
        left = np.log1p(-np.minimum(evidence.unit_scores, 1.0 - 1e-7))
        values = 1.0 - np.exp(np.bincount(rows, weights=left, minlength=count))
    return np.where(held > 0, values, evidence.chunk_scores).astype(np.float32)


def _best_rows(
    scores: NDArray[np.float64], numbers: Numbers, top_n: int, threshold: float
) -> Numbers:
    """The rows of the best, and all that tie with the last of them."""
    order: Numbers = np.lexsort((numbers, -scores))
    order = order[scores[order] >= threshold]
    if len(order) <= top_n:
        return order
    tied: Numbers = order[scores[order] >= scores[order[top_n - 1]]]
    return tied


def _ids(reader: GraphReader, numbers: Numbers, *, grouped: bool) -> list[str]:
    if grouped:
        return [chunk.id for chunk in reader.get_chunks(numbers)]
    return [unit.id for unit in reader.get_units(numbers)]


def _place(evidence: Evidence, row: int, score: float, config: RetrievalConfig) -> Ranked:
    if not config.group_by_chunk:
        chunk = int(evidence.chunks[evidence.unit_rows[row]])
        unit = int(evidence.units[row])
        return Ranked(chunk=chunk, unit=unit, score=score, units=(unit,))
    mine = np.flatnonzero(evidence.unit_rows == row)
    order = np.lexsort((evidence.units[mine], -evidence.unit_scores[mine]))
    return Ranked(
        chunk=int(evidence.chunks[row]),
        unit=-1,
        score=score,
        units=tuple(evidence.units[mine[order]].tolist()),
    )
