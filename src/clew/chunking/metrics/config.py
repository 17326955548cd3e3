"""What counts how much, and the limits that metrics go by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from math import isfinite
from typing import Self

from clew.errors import ConfigError, nearest


@dataclass(frozen=True, kw_only=True)
class MetricWeights:
    """How much each metric counts; 0 leaves it out, and then it is not computed either."""

    references_completeness: float = 1.0
    intrachunk_cohesion: float = 1.2
    document_contextual_coherence: float = 1.0
    block_integrity: float = 0.8
    size_compliance: float = 1.0
    coverage: float = 1.0
    overlap_control: float = 0.7
    boundary_quality: float = 0.9
    semantic_drift: float = 0.9
    information_density: float = 0.6
    redundancy: float = 0.5
    sentence_integrity: float = 0.0

    def __post_init__(self) -> None:
        values = self.to_dict()
        for name, value in values.items():
            if not (isfinite(value) and value >= 0):
                raise ConfigError(f"weight {name}={value!r} must be a number from 0")
        if not any(values.values()):
            raise ConfigError("all weights are 0: at least one metric must count")

    @classmethod
    def only(cls, **weights: float) -> Self:
        """Return weights in which every metric that is not named counts 0."""
        names = [item.name for item in fields(cls)]
        for name in weights:
            if name not in names:
                raise ConfigError(f"{name!r} is not a metric{nearest(name, names)}")
        return cls(**{**dict.fromkeys(names, 0.0), **weights})

    def to_dict(self) -> dict[str, float]:
        return {item.name: getattr(self, item.name) for item in fields(self)}


LIFT = MetricWeights.only(
    block_integrity=1.0,
    sentence_integrity=1.0,
    intrachunk_cohesion=1.0,
    references_completeness=1.0,
)
PAPER = MetricWeights.only(
    references_completeness=0.2,
    intrachunk_cohesion=0.2,
    document_contextual_coherence=0.2,
    block_integrity=0.2,
    size_compliance=0.2,
)


@dataclass(frozen=True, kw_only=True)
class MetricConfig:
    """The limits of the metrics and their weights.

    ``lift`` counts each metric by how far it goes from its value for windows of equal length, as
    many as there are chunks, to 1: else the larger chunks win whatever they cut. ``count_tokens``
    counts the tokens of a text, such as those of a model; without it words are counted.
    """

    target_min_tokens: int = 120
    target_max_tokens: int = 320
    window_tokens: int = 3000
    boundary_tolerance_chars: int = 5
    reference_window_chars: int = 3000
    max_overlap_ratio: float = 0.2
    weights: MetricWeights = MetricWeights()
    lift: bool = False
    count_tokens: Callable[[str], int] | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.target_min_tokens <= self.target_max_tokens:
            raise ConfigError(
                f"target_min_tokens={self.target_min_tokens} must lie between 0 and "
                f"target_max_tokens={self.target_max_tokens}"
            )
        for name in ("window_tokens", "boundary_tolerance_chars", "reference_window_chars"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name}={getattr(self, name)} is too small: the least is 0")
        if not 0 <= self.max_overlap_ratio < 1:
            raise ConfigError(
                f"max_overlap_ratio={self.max_overlap_ratio} must be at least 0 and less than 1"
            )

    @classmethod
    def preset(cls, name: str) -> Self:
        """Return ``lift`` (the default of the selection), ``paper`` (the five metrics of arXiv
        2603.25333 with its limits and equal weights) or ``reference`` (eleven metrics, weighted as
        in the adaptive-oci-chunking package).
        """
        presets = {
            "lift": {"weights": LIFT, "lift": True},
            "paper": {"weights": PAPER, "target_min_tokens": 100, "target_max_tokens": 1100},
            "reference": {},
        }
        if name not in presets:
            raise ConfigError(
                f"weights={name!r} is not one of {', '.join(presets)}{nearest(name, presets)}"
            )
        return cls(**presets[name])  # type: ignore[arg-type]
