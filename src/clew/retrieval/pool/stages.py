"""What counts at each stage of linked evidence, as names for numbers.

Each stage is a logistic combination of features in 0–1; those named ``*_gap`` are the distance to
the best chunk (≤ 0), so that a score means the same for every question. ``slope`` and ``shift``
bring the score to the share of chunks that really support the answer (Platt scaling).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class FusionWeights:
    """How the evidence of a chunk by itself is combined (no graph)."""

    dense: float
    unit_dense: float
    words: float
    unit_words: float
    about: float
    mentions: float
    dense_gap: float
    unit_dense_gap: float
    words_gap: float
    bias: float
    slope: float = 1.0
    shift: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundWeights:
    """How a chunk's own evidence and the links that lead to it are combined."""

    about: float
    dense_gap: float
    unit_dense_gap: float
    words_gap: float
    about_link: float
    shared_link: float
    bias: float
    slope: float = 1.0
    shift: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class SelectionWeights:
    """What counts beside a chunk's own logit when the first results are chosen together."""

    new_words: float = 3.0
    source: float = 1.0
    sibling: float = 0.2


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkedWeights:
    """The weights of linked evidence: each chunk by itself, then round by round, then together."""

    alone: FusionWeights
    rounds: tuple[RoundWeights, ...]
    selection: SelectionWeights = SelectionWeights()
