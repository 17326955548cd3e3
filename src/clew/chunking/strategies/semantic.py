"""Topics: cut where neighbouring stretches are least alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from clew.chunking.base import Span
from clew.chunking.drift import topic_starts
from clew.chunking.outline import Outline
from clew.chunking.parts import Part, PartedChunker, parts_at
from clew.models.base import Embedder


@dataclass(frozen=True, kw_only=True)
class SemanticChunker(PartedChunker):
    """Likeness is that of the vectors of ``embedder``; without one, that of the words.

    Without a ``similarity_threshold``, cuts lie where likeness dips more than elsewhere in the same
    text: what counts as unlike differs from embedder to embedder. With one, they lie wherever
    likeness (the cosine of about ``min_size`` characters before and behind) is below it.
    """

    min_size: int = 350
    max_size: int = 1400
    similarity_threshold: float | None = None
    embedder: Embedder | None = None

    name: ClassVar[str] = "semantic"

    def with_embedder(self, embedder: Embedder) -> SemanticChunker:
        return replace(self, embedder=embedder)

    def parts(self, outline: Outline) -> list[Part]:
        starts = topic_starts(
            outline,
            least=min(self.min_size, self.max_size),
            threshold=self.similarity_threshold,
            embedder=self.embedder,
        )
        return parts_at(outline, starts)

    def describe(self, outline: Outline, span: Span) -> Mapping[str, Any]:  # noqa: ARG002 - one answer for all
        return {"similarity": "words" if self.embedder is None else self.embedder.fingerprint}
