"""Adaptive chunking: for each document the strategy that suits it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import Any, ClassVar

from clew.chunking.base import Chunker, Describer, Reader, Span
from clew.chunking.documents import chunk_by
from clew.chunking.outline import Outline
from clew.chunking.result import ChunkingResult, Selection
from clew.chunking.selector import AdaptiveSelector
from clew.errors import DocumentError
from clew.ids import document_id as id_of
from clew.models.base import Embedder
from clew.records import DEFAULT_SCOPE, Document


class AdaptiveChunker:
    """Chunks each document by the strategy that ``selector`` chooses for it.

    It is a strategy like the others; its chunks say in their metadata which one was chosen.
    """

    name: ClassVar[str] = "adaptive"

    def __init__(self, selector: AdaptiveSelector | None = None) -> None:
        self.selector = selector or AdaptiveSelector()

    def with_embedder(self, embedder: Embedder) -> AdaptiveChunker:
        """Return one whose strategies and metrics compare vectors of ``embedder``, not words."""
        return AdaptiveChunker(self.selector.with_embedder(embedder))

    def chunk(
        self, text: str, document_id: str = "document", *, media_type: str = "text/markdown"
    ) -> ChunkingResult:
        """Return the chunks of a text and why they were cut so; each is a slice of ``text``."""
        name = id_of(DEFAULT_SCOPE, document_id)
        return self.chunk_document(
            Document(id=name, doc_id=document_id, text=text, media_type=media_type)
        )

    def chunk_file(
        self, path: str | PathLike[str], document_id: str | None = None
    ) -> ChunkingResult:
        """Read a file of any format and chunk it. Raises :class:`DocumentError` when it cannot be
        read or holds more than one document.
        """
        from clew.documents import LoadFailure, load_file  # noqa: PLC0415

        found = list(load_file(path))
        if len(found) != 1:
            raise DocumentError(
                f"{path}: it holds {len(found):,} documents; chunk each with chunk_document"
            )
        document = found[0]
        if isinstance(document, LoadFailure):
            raise DocumentError(document.reason)
        return self.chunk_document(document, document_id)

    def chunk_document(self, document: Document, document_id: str | None = None) -> ChunkingResult:
        """Chunk a document; the result names it ``document_id``, else by its own ``doc_id``."""
        outline = Outline.of(document)
        found = outline.derive(("selection", self), self.selector.select)
        chunks = chunk_by(self, document, outline=outline)
        selection = self.selector.of_document(found, document, outline)
        chosen, *others = selection.candidates
        return ChunkingResult(
            document_id=document.doc_id if document_id is None else document_id,
            strategy_name=chosen.strategy_name,
            chunks=chunks,
            score=chosen.score,
            metrics=chosen.metrics,
            candidates=(replace(chosen, chunks=chunks), *others),
            note=selection.note,
        )

    def selection(self, outline: Outline) -> Selection:
        """Return what was chosen for a text; found once for each outline.

        Where one chunk holds all, the other candidates are not tried.
        """
        return outline.derive(("selection", self), self.selector.choose)

    def cuts(self, outline: Outline) -> list[Span]:
        return list(self.selection(outline).chosen.spans)

    def describe(self, outline: Outline, span: Span) -> Mapping[str, Any]:
        chosen = self.selection(outline).chosen
        chunker = self._chosen(outline)
        described = chunker.describe(outline, span) if isinstance(chunker, Describer) else {}
        return {
            "strategy": chosen.strategy_name,
            "strategy_score": round(chosen.score, 4),
            "chosen_by": self.name,
            **described,
        }

    def reading(self, outline: Outline) -> Outline:
        chunker = self._chosen(outline)
        return chunker.reading(outline) if isinstance(chunker, Reader) else outline

    def _chosen(self, outline: Outline) -> Chunker:
        return self.selector.chunker(self.selection(outline).chosen.strategy_name)
