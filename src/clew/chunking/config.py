"""Settings of the chunking stage."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from clew.chunking.registry import STRATEGIES, check_strategy
from clew.errors import ConfigError
from clew.settings import check_settings, setting

__all__ = ["STRATEGIES", "ChunkingConfig"]

SIMILARITIES = ("auto", "words", "vectors")


def _check_pattern(name: str, value: Any) -> None:
    try:
        re.compile(value)
    except re.error as error:
        raise ConfigError(f"{name}={value!r} is no regular expression: {error}") from error


@dataclass(frozen=True, kw_only=True)
class ChunkingConfig:
    chunk_size: int = setting(1000, "Most characters in a chunk; never exceeded.", minimum=1)
    chunk_overlap: int = setting(
        200, "Characters shared by neighbouring chunks, at most; 0 for none.", minimum=0
    )
    chunk_strategy: str = setting(
        "recursive",
        f"How texts are cut: {', '.join(STRATEGIES)}, or a strategy of your own; single has no "
        "size.",
        check=check_strategy,
    )
    chunk_separators: tuple[str, ...] | None = setting(
        None, "Separators of the recursive strategy, strongest first; None for structure."
    )
    chunk_delimiter: str | None = setting(
        None,
        "What the delimiter strategy cuts at; None for a line of three dashes.",
    )
    chunk_heading_pattern: str | None = setting(
        None,
        "Regular expression for the lines that begin a section of the regex-section strategy; None "
        "for the usual kinds of headings.",
        check=_check_pattern,
    )
    chunk_similarity: str = setting(
        "auto",
        "What the semantic, hybrid and adaptive strategies compare texts by: words; vectors of the "
        "embedder; auto for vectors where there is an embedder, and words in adaptive.",
        choices=SIMILARITIES,
    )
    chunk_similarity_threshold: float | None = setting(
        None,
        "The semantic and hybrid strategies cut where neighbours are less alike than this; None "
        "for where likeness dips.",
        minimum=0.0,
        maximum=1.0,
    )

    def __post_init__(self) -> None:
        check_settings(self)
        if self.chunk_overlap >= self.chunk_size:
            raise ConfigError(
                f"chunk_overlap={self.chunk_overlap} must be smaller than "
                f"chunk_size={self.chunk_size}: otherwise no chunk would move on"
            )
        if self.chunk_delimiter == "":
            raise ConfigError("chunk_delimiter='' divides nothing: give a text that stands between")
