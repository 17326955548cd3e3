"""A section a chunk, as far as sizes allow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from clew.chunking.outline import Outline
from clew.chunking.parts import Part, section_parts
from clew.chunking.section_metadata import SectionedChunker


@dataclass(frozen=True, kw_only=True)
class SectionAwareChunker(SectionedChunker):
    """Every heading begins a chunk; sections smaller than ``min_size`` share one, and nothing joins
    the end of the chapter before.
    """

    min_size: int = 500
    max_size: int = 1800

    name: ClassVar[str] = "section-aware"

    def parts(self, outline: Outline) -> list[Part]:
        return section_parts(outline)
