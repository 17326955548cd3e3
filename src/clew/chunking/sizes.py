"""The sizes that strategies are given: one limit that always holds, and what is asked beside it."""

from __future__ import annotations

from dataclasses import InitVar, dataclass

from clew.chunking.measures import Count, Measure, measure_of
from clew.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """``chunk_size`` is never exceeded, the overlap included; ``count`` says in what it counts.

    ``overlap`` is another name for ``chunk_overlap``: the one that strategies with bounds have.
    """

    chunk_size: int = 1200
    chunk_overlap: int = 0
    count: Count = len
    overlap: InitVar[int | None] = None

    def __post_init__(self, overlap: int | None) -> None:
        if overlap is not None:
            object.__setattr__(self, "chunk_overlap", overlap)
        check_sizes("chunk_size", self.chunk_size, "chunk_overlap", self.chunk_overlap)

    def measure(self, text: str) -> Measure:
        return measure_of(
            text,
            chunk_size=self.chunk_size,
            chunk_overlap=self.chunk_overlap,
            count=self.count,
        )


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """``max_size`` is never exceeded, the overlap included; ``count`` says in what it counts.

    ``min_size`` is asked for and not promised: pieces smaller than that join a neighbour where both
    fit. One above ``max_size`` counts as ``max_size``.
    """

    min_size: int = 0
    max_size: int = 1800
    overlap: int = 0
    count: Count = len

    def __post_init__(self) -> None:
        check_sizes("max_size", self.max_size, "overlap", self.overlap)
        if self.min_size < 0:
            raise ConfigError(f"min_size={self.min_size} is too small: the least is 0")

    def measure(self, text: str) -> Measure:
        return measure_of(
            text, chunk_size=self.max_size, chunk_overlap=self.overlap, count=self.count
        )


def check_sizes(size_name: str, size: int, overlap_name: str, overlap: int) -> None:
    if size < 1:
        raise ConfigError(f"{size_name}={size} is too small: the least is 1")
    if not 0 <= overlap < size:
        raise ConfigError(
            f"{overlap_name}={overlap} must be 0 or more and smaller than "
            f"{size_name}={size}: otherwise no chunk would move on"
        )
