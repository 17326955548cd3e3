"""From a document to its chunks: analyse once, cut by a strategy, slice last."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from clew.chunking.base import Chunker
from clew.chunking.config import ChunkingConfig
from clew.chunking.fixed import FixedWindowChunker
from clew.chunking.measures import Count
from clew.chunking.outline import Outline
from clew.chunking.recursive import RecursiveChunker
from clew.chunking.sentence import SentenceChunker
from clew.errors import ConfigError, nearest
from clew.ids import chunk_id, occurrences
from clew.records import Chunk, Document, Page

CHUNKERS: dict[str, Callable[[ChunkingConfig, Count], Chunker]] = {
    RecursiveChunker.name: lambda config, count: RecursiveChunker(
        chunk_size=config.chunk_size,
        chunk_overlap=config.chunk_overlap,
        count=count,
        separators=config.chunk_separators,
    ),
    SentenceChunker.name: lambda config, count: SentenceChunker(
        chunk_size=config.chunk_size, chunk_overlap=config.chunk_overlap, count=count
    ),
    FixedWindowChunker.name: lambda config, count: FixedWindowChunker(
        chunk_size=config.chunk_size, chunk_overlap=config.chunk_overlap, count=count
    ),
}
"""How each strategy is made from the configuration, by name."""


def chunk_document(
    document: Document, config: ChunkingConfig, *, count: Count = len
) -> tuple[Chunk, ...]:
    """Return the chunks of a document by the strategy of ``config``, in order of the text.

    ``count`` measures sizes and overlaps: characters, or for instance the tokens of a model. A
    document of white space has no chunks.
    """
    return chunk_by(make_chunker(config, count=count), document)


def make_chunker(config: ChunkingConfig, *, count: Count = len) -> Chunker:
    """Return the strategy that ``config`` names."""
    name = config.chunk_strategy
    if name not in CHUNKERS:
        raise ConfigError(
            f"chunk_strategy={name!r} is not one of {', '.join(CHUNKERS)}{nearest(name, CHUNKERS)}"
        )
    return CHUNKERS[name](config, count)


def chunk_by(chunker: Chunker, document: Document) -> tuple[Chunk, ...]:
    """Return the chunks that a strategy makes of a document."""
    outline = Outline.of(document)
    spans = chunker.cuts(outline)
    texts = [document.text[span.start : span.end] for span in spans]
    metadata = {**document.metadata, "strategy": chunker.name}
    page_starts = [page.start for page in document.pages]
    return tuple(
        Chunk(
            id=chunk_id(document.id, text, occurrence),
            document_id=document.id,
            index=index,
            start=span.start,
            end=span.end,
            text=text,
            heading_path=outline.heading_path(span.start, span.end),
            page=_page_number(document.pages, page_starts, span.start),
            context=outline.table_header(span.start),
            metadata=metadata,
        )
        for index, (span, (text, occurrence)) in enumerate(
            zip(spans, occurrences(texts), strict=True)
        )
    )


def _page_number(pages: tuple[Page, ...], starts: list[int], offset: int) -> int | None:
    at = bisect_right(starts, offset) - 1
    return pages[at].number if at >= 0 and offset < pages[at].end else None
