"""The ``llm`` method over one batch of documents, wherever its model and its memory are."""

from __future__ import annotations

from collections.abc import Container, Sequence

from clew.config import ClewConfig
from clew.extraction.base import Extraction
from clew.indexing.reply_memory import Memory, ReplyMemory
from clew.models.base import LLM
from clew.models.purpose import for_purpose
from clew.records import Chunk, Document


def extract_by_chunks(
    llm: LLM,
    store: Memory,
    config: ClewConfig,
    documents: Sequence[tuple[Document, Sequence[Chunk]]],
    only: Container[Chunk] | None,
) -> list[Extraction]:
    """Extract with ``llm``, remembering in ``store`` what it said; ``only`` are the chunks to ask
    about, None for all.
    """
    from clew.extraction.llm import LLMExtractor  # noqa: PLC0415 - where there is a model

    memory = ReplyMemory(store)
    keeps = config.llm_cache
    extractor = LLMExtractor(
        llm,
        config,
        memory.remember if keeps else None,
        memory.remembered if keeps else None,
        quality_mode=config.quality_mode,
        most_reply_tokens=config.llm_max_tokens,
        only=only,
    )
    try:
        with for_purpose(stage="extraction", documents=[document.id for document, _ in documents]):
            return extractor.extract(documents)
    finally:
        memory.write()
