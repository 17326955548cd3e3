"""The options that every strategy of a given size shares."""

from __future__ import annotations

from dataclasses import dataclass

from clew.chunking.measures import Count, Measure, measure_of
from clew.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """``chunk_size`` is never exceeded, the overlap included; ``count`` says in what it counts."""

    chunk_size: int = 1000
    chunk_overlap: int = 0
    count: Count = len

    def __post_init__(self) -> None:
        if self.chunk_size < 1:
            raise ConfigError(f"chunk_size={self.chunk_size} is too small: the least is 1")
        if not 0 <= self.chunk_overlap < self.chunk_size:
            raise ConfigError(
                f"chunk_overlap={self.chunk_overlap} must be 0 or more and smaller than "
                f"chunk_size={self.chunk_size}: otherwise no chunk would move on"
            )

    def measure(self, text: str) -> Measure:
        return measure_of(
            text,
            chunk_size=self.chunk_size,
            chunk_overlap=self.chunk_overlap,
            count=self.count,
        )
