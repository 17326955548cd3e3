"""clew's chunking as a text splitter of LangChain (the extra ``langchain``)."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from clew.chunking.adaptive import AdaptiveChunker
from clew.chunking.choosing import chooser
from clew.chunking.config import ChunkingConfig
from clew.models.extras import import_extra
from clew.records import Chunk

if TYPE_CHECKING:
    from langchain_core.documents import Document
    from langchain_text_splitters import TextSplitter
else:
    TextSplitter = import_extra(
        "langchain_text_splitters", extra="langchain", purpose="the LangChain splitter"
    ).TextSplitter
    Document = import_extra(
        "langchain_core.documents", extra="langchain", purpose="the LangChain splitter"
    ).Document


class LangChainAdaptiveTextSplitter(TextSplitter):
    """Splits each text by the strategy that suits it.

    ``chunker`` is an :class:`clew.chunking.adaptive.AdaptiveChunker` of your own; without one,
    ``strategies`` compete (none: the usual candidates) at ``chunk_size`` and ``chunk_overlap``
    characters. Every piece is a slice of its text: ``metadata["start_index"]`` says where.
    """

    def __init__(
        self,
        chunker: AdaptiveChunker | None = None,
        *,
        strategies: Sequence[str] = (),
        chunk_size: int = 1000,
        chunk_overlap: int = 0,
        **options: Any,
    ) -> None:
        super().__init__(
            chunk_size=chunk_size,
            chunk_overlap=chunk_overlap,
            **options | {"add_start_index": True},
        )
        config = ChunkingConfig(chunk_size=chunk_size, chunk_overlap=chunk_overlap)
        self._chunker = chunker or chooser(config, strategies)

    def split_text(self, text: str) -> list[str]:
        return [chunk.text for chunk in self._chunks(text)]

    def create_documents(
        self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None
    ) -> list[Document]:
        """One document a chunk: the metadata of its text, and beside them ``start_index``,
        ``strategy``, ``heading_path`` and what else the strategy says.
        """
        given = metadatas or [{} for _ in texts]
        return [
            Document(page_content=chunk.text, metadata=_metadata(chunk, own))
            for text, own in zip(texts, given, strict=True)
            for chunk in self._chunks(text)
        ]

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        kept = list(documents)
        return self.create_documents(
            [document.page_content for document in kept], [document.metadata for document in kept]
        )

    def _chunks(self, text: str) -> tuple[Chunk, ...]:
        return self._chunker.chunk(text).chunks


def _metadata(chunk: Chunk, own: dict[Any, Any]) -> dict[Any, Any]:
    said = {
        "start_index": chunk.start,
        "chunk_index": chunk.index,
        "heading_path": list(chunk.heading_path),
        **chunk.metadata,
    }
    return said | copy.deepcopy(own)
