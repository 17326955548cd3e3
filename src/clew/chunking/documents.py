"""From a document to its chunks: analyse once, cut by a strategy, slice last."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, overload

from clew.chunking.base import Chunker, Describer, Reader, Span
from clew.chunking.config import ChunkingConfig
from clew.chunking.making import make_chunker
from clew.chunking.measures import Count
from clew.chunking.outline import Outline
from clew.ids import chunk_id, occurrences
from clew.models.base import Embedder
from clew.records import Chunk, Document, Page


def chunk_document(
    document: Document,
    config: ChunkingConfig,
    *,
    count: Count = len,
    embedder: Embedder | None = None,
) -> tuple[Chunk, ...]:
    """Return the chunks of a document by the strategy of ``config``, in order of the text.

    ``count`` measures sizes and overlaps: characters, or for instance the tokens of a model. A
    document of white space has no chunks. ``embedder`` goes to the strategies that compare what
    texts mean; without one they compare words.
    """
    return chunk_by(make_chunker(config, count=count, embedder=embedder), document)


def chunk_by(
    chunker: Chunker, document: Document, *, outline: Outline | None = None
) -> tuple[Chunk, ...]:
    """Return the chunks that a strategy makes of a document.

    ``outline`` is that of the document, where it is known already.
    """
    outline = Outline.of(document) if outline is None else outline
    return _sliced(chunker, document, outline, chunker.cuts(outline))


class ChunksOnDemand(Sequence[Chunk]):
    """The chunks that a strategy made of a document, sliced when the first of them is looked at.

    Most candidates of a selection are only counted.
    """

    def __init__(
        self, chunker: Chunker, document: Document, outline: Outline, spans: Sequence[Span]
    ) -> None:
        self._origin = (chunker, document, outline, spans)
        self._made: tuple[Chunk, ...] | None = None

    @overload
    def __getitem__(self, at: int) -> Chunk: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Chunk]: ...
    def __getitem__(self, at: int | slice) -> Chunk | Sequence[Chunk]:
        return self._chunks[at]

    def __iter__(self) -> Iterator[Chunk]:
        return iter(self._chunks)

    def __len__(self) -> int:
        return len(self._origin[3])

    def __repr__(self) -> str:
        return repr(self._chunks)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self._chunks,)

    @property
    def _chunks(self) -> tuple[Chunk, ...]:
        if self._made is None:
            self._made = _sliced(*self._origin)
        return self._made


def _sliced(
    chunker: Chunker, document: Document, outline: Outline, spans: Sequence[Span]
) -> tuple[Chunk, ...]:
    reading = chunker.reading(outline) if isinstance(chunker, Reader) else outline
    texts = [document.text[span.start : span.end] for span in spans]
    metadata = {**document.metadata, "strategy": chunker.name}
    describer = chunker if isinstance(chunker, Describer) else None
    page_starts = [page.start for page in document.pages]
    return tuple(
        Chunk(
            id=chunk_id(document.id, text, occurrence),
            document_id=document.id,
            index=index,
            start=span.start,
            end=span.end,
            text=text,
            heading_path=reading.heading_path(span.start, span.end),
            page=_page_number(document.pages, page_starts, span.start),
            context=reading.table_header(span.start),
            metadata={**metadata, **describer.describe(outline, span)} if describer else metadata,
        )
        for index, (span, (text, occurrence)) in enumerate(
            zip(spans, occurrences(texts), strict=True)
        )
    )


def _page_number(pages: tuple[Page, ...], starts: list[int], offset: int) -> int | None:
    at = bisect_right(starts, offset) - 1
    return pages[at].number if at >= 0 and offset < pages[at].end else None
