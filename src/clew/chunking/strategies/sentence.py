"""Whole sentences, as many as fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from clew.chunking.base import Span
from clew.chunking.levels import InnerLevel, SentenceLevel
from clew.chunking.outline import Outline
from clew.chunking.packing import Packer
from clew.chunking.sizes import Bounds


@dataclass(frozen=True, kw_only=True)
class SentenceChunker(Bounds):
    """Packs whole sentences, across paragraphs and sections; the overlap is whole sentences too.

    A fence or a row of a table counts as a sentence. Only a sentence larger than a chunk is cut,
    between words. The last chunk holds ``min_size`` where the one before it can spare that.
    """

    min_size: int = 400
    max_size: int = 1400

    name: ClassVar[str] = "sentence"

    def cuts(self, outline: Outline) -> list[Span]:
        if not outline.starts:
            return []
        packer = Packer(
            outline,
            self.measure(outline.text),
            (SentenceLevel(outline), InnerLevel(outline)),
            word_overlap=False,
            least=min(self.min_size, self.max_size),
        )
        return list(packer.pack(outline.starts[0], outline.ends[-1]))
