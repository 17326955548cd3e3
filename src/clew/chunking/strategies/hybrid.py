"""Structure first, topics second, sentences last."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from clew.chunking.drift import topic_starts
from clew.chunking.outline import Outline
from clew.chunking.parts import Part, divided, section_parts
from clew.chunking.section_metadata import SectionedChunker
from clew.models.base import Embedder


@dataclass(frozen=True, kw_only=True)
class HybridChunker(SectionedChunker):
    """A section a chunk where it fits; a larger one is cut where its topic changes, and what is
    still larger than a chunk between blocks, sentences, words.
    """

    min_size: int = 500
    max_size: int = 1800
    similarity_threshold: float | None = None
    embedder: Embedder | None = None

    name: ClassVar[str] = "hybrid"

    def with_embedder(self, embedder: Embedder) -> HybridChunker:
        return replace(self, embedder=embedder)

    def parts(self, outline: Outline) -> list[Part]:
        measure = self.measure(outline.text)
        sections = section_parts(outline)
        large = [not measure.fits(part.start, part.end) for part in sections]
        if not any(large):
            return sections
        starts = topic_starts(
            outline,
            least=min(self.min_size, self.max_size),
            threshold=self.similarity_threshold,
            embedder=self.embedder,
        )
        return [
            piece
            for part, is_large in zip(sections, large, strict=True)
            for piece in (divided(outline, part, starts) if is_large else [part])
        ]
