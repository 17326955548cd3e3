"""Whole paragraphs, as many as fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from clew.chunking.outline import Outline
from clew.chunking.parts import Part, PartedChunker, whole


@dataclass(frozen=True, kw_only=True)
class ParagraphChunker(PartedChunker):
    """Packs whole blocks (paragraphs, list items, rows, fences) across sections.

    A heading stays with what it heads. Only a block larger than a chunk is cut, between sentences
    or lines.
    """

    min_size: int = 500
    max_size: int = 1600

    name: ClassVar[str] = "paragraph"

    def parts(self, outline: Outline) -> list[Part]:
        return [whole(outline)]
