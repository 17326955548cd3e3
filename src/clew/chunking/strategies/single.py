"""The whole text as one chunk: what every way of cutting has to be better than."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from clew.chunking.base import Span
from clew.chunking.outline import Outline


@dataclass(frozen=True, kw_only=True)
class SingleChunker:
    """One chunk, however long: this strategy alone has no size."""

    name: ClassVar[str] = "single"
    max_size: ClassVar[None] = None

    def cuts(self, outline: Outline) -> list[Span]:
        return [Span(outline.starts[0], outline.ends[-1])] if outline.starts else []
