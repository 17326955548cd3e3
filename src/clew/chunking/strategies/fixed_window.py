"""Windows of one size, wherever they fall: the baseline that structure has to beat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from clew.chunking.base import Span
from clew.chunking.outline import Outline
from clew.chunking.sizes import Sizes
from clew.chunking.windows import window_spans


@dataclass(frozen=True, kw_only=True)
class FixedWindowChunker(Sizes):
    """Windows of ``chunk_size`` that advance by ``chunk_size - chunk_overlap``.

    Their ends give way to graphemes and to white space, nothing else. A window that would hold
    nothing but what its neighbour holds is left out.
    """

    chunk_overlap: int = 120

    name: ClassVar[str] = "fixed-window"

    def cuts(self, outline: Outline) -> list[Span]:
        return window_spans(outline.text, self.measure(outline.text))
