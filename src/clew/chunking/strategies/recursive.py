"""From strong to weak: sections, blocks, sentences, words, graphemes; or the user's separators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from clew.chunking.base import Span
from clew.chunking.levels import BlockLevel, InnerLevel, SectionLevel, SeparatorLevel
from clew.chunking.outline import Outline
from clew.chunking.packing import Packer
from clew.chunking.regions import regions
from clew.chunking.sizes import Sizes


@dataclass(frozen=True, kw_only=True)
class RecursiveChunker(Sizes):
    """Packs what belongs together.

    Without ``separators`` the structure of the document decides: a section begins a new chunk
    (:mod:`clew.chunking.regions` says when small ones share one), in a section whole blocks are
    packed, and only what is larger than a chunk is cut, between sentences or lines. A list or a
    table stays whole where it fits.

    With ``separators``, strongest first, the text is divided at those alone, and beyond the last of
    them between words. What is divided is packed again greedily.
    """

    separators: tuple[str, ...] | None = None

    name: ClassVar[str] = "recursive"

    def cuts(self, outline: Outline) -> list[Span]:
        if not outline.starts:
            return []
        measure = self.measure(outline.text)
        whole = (outline.starts[0], outline.ends[-1])
        if self.separators is not None:
            levels = [SeparatorLevel(outline, mark) for mark in self.separators if mark]
            return list(Packer(outline, measure, levels).pack(*whole))
        packer = Packer(
            outline,
            measure,
            (SectionLevel(outline), BlockLevel(outline), InnerLevel(outline)),
            loose=outline.loose_ends,
        )
        parts = regions(outline, measure, self.chunk_size) if len(outline.sections) > 1 else [whole]
        return [span for start, stop in parts for span in packer.pack(start, stop)]
