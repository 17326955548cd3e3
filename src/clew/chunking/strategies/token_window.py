"""Windows of so many tokens, wherever they fall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from clew.chunking.base import Span
from clew.chunking.measures import Count, Measure, measure_of
from clew.chunking.outline import Outline
from clew.chunking.sizes import check_sizes
from clew.chunking.tokens import TokenMeasure, count_tokens
from clew.chunking.windows import window_spans


@dataclass(frozen=True, kw_only=True)
class TokenWindowChunker:
    """Windows of ``chunk_tokens`` that advance by ``chunk_tokens - overlap_tokens``.

    They end between tokens and part no grapheme. ``count`` is the counter of a tokenizer; the one
    here needs none, and for it ``max_chars`` and ``max_shared_chars`` are limits beside those in
    tokens.
    """

    chunk_tokens: int = 240
    overlap_tokens: int = 24
    count: Count = count_tokens
    max_chars: int | None = None
    max_shared_chars: int | None = None

    name: ClassVar[str] = "token-window"

    def __post_init__(self) -> None:
        check_sizes("chunk_tokens", self.chunk_tokens, "overlap_tokens", self.overlap_tokens)

    def cuts(self, outline: Outline) -> list[Span]:
        return window_spans(outline.text, self._measure(outline.text))

    def _measure(self, text: str) -> Measure:
        if self.count is count_tokens:
            return TokenMeasure(
                text,
                self.chunk_tokens,
                self.overlap_tokens,
                most_chars=self.max_chars,
                most_shared_chars=self.max_shared_chars,
            )
        return measure_of(
            text,
            chunk_size=self.chunk_tokens,
            chunk_overlap=self.overlap_tokens,
            count=self.count,
        )
