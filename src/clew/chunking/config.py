"""Settings of the chunking stage."""

from __future__ import annotations

from dataclasses import dataclass

from clew.errors import ConfigError
from clew.settings import check_settings, setting

STRATEGIES = ("recursive", "sentence", "fixed")


@dataclass(frozen=True, kw_only=True)
class ChunkingConfig:
    chunk_size: int = setting(1000, "Most characters in a chunk; never exceeded.", minimum=1)
    chunk_overlap: int = setting(
        200, "Characters shared by neighbouring chunks, at most; 0 for none.", minimum=0
    )
    chunk_strategy: str = setting("recursive", "How texts are cut.", choices=STRATEGIES)
    chunk_separators: tuple[str, ...] | None = setting(
        None, "Separators of the recursive strategy, strongest first; None for structure."
    )

    def __post_init__(self) -> None:
        check_settings(self)
        if self.chunk_overlap >= self.chunk_size:
            raise ConfigError(
                f"chunk_overlap={self.chunk_overlap} must be smaller than "
                f"chunk_size={self.chunk_size}: otherwise no chunk would move on"
            )
