"""The part of indexing that needs the documents alone: chunks, units, entities, topics.

It neither reads nor writes a store, so any process may do it, in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from clew.chunking import chunk_document
from clew.chunking.config import ChunkingConfig
from clew.errors import ClewError, MissingExtraError, ModelError, StoreError
from clew.extraction.base import Extraction, Extractor
from clew.indexing.transport import Columns, from_columns, to_columns
from clew.models.base import Embedder, Vectors
from clew.records import Chunk, Document

_LISTS = ("units", "mentions", "entities", "topics", "facts", "merges")
"""The records of an extraction."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a document says, or, in ``failure``, why that could not be found out. The vectors are
    there where they were made together with it: float32 ``[chunks, d]`` and ``[units, d]``.
    """

    chunks: tuple[Chunk, ...] = ()
    extraction: Extraction = Extraction()
    failure: str = ""
    chunk_vectors: Vectors | None = None
    unit_vectors: Vectors | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        lists = [to_columns(getattr(self.extraction, name)) for name in _LISTS]
        nothing: dict[str, Any] = dict.fromkeys(_LISTS, ())
        rest = replace(self.extraction, **nothing)
        vectors = self.chunk_vectors, self.unit_vectors
        return _restored, (to_columns(self.chunks), lists, rest, self.failure, vectors)


def _restored(
    chunks: Columns | None,
    lists: Sequence[Columns | None],
    rest: Extraction,
    failure: str,
    vectors: tuple[Vectors | None, Vectors | None],
) -> Extracted:
    records: dict[str, Any] = {
        name: from_columns(columns) for name, columns in zip(_LISTS, lists, strict=True)
    }
    return Extracted(from_columns(chunks), replace(rest, **records), failure, *vectors)


class Chunked(NamedTuple):
    """Documents, and the chunks of each, or, as a text, why they could not be found."""

    documents: Sequence[Document]
    chunks: Sequence[tuple[Chunk, ...] | str]

    @property
    def good(self) -> list[tuple[Document, tuple[Chunk, ...]]]:
        """The documents whose chunks were found, with these."""
        return [
            (document, chunks)
            for document, chunks in zip(self.documents, self.chunks, strict=True)
            if not isinstance(chunks, str)
        ]


@dataclass(frozen=True, slots=True)
class ChunkBatch:
    """Callable: documents → their chunks. One failing document does not cost the others; errors of
    the ``embedder``, which would cost them all, are raised.
    """

    config: ChunkingConfig
    embedder: Embedder | None = None

    def __call__(self, documents: Sequence[Document]) -> Chunked:
        return Chunked(documents, [self._chunk(document) for document in documents])

    def _chunk(self, document: Document) -> tuple[Chunk, ...] | str:
        try:
            return chunk_document(document, self.config, embedder=self.embedder)
        except Exception as error:  # one document must not cost the others
            if isinstance(error, ModelError) and not isinstance(error, MissingExtraError):
                raise
            return reason_of(error)


@dataclass(frozen=True, slots=True)
class ExtractBatch:
    """Callable: documents, chunked or not yet → one :class:`Extracted` each, in order. One failing
    document does not cost the others; errors of the store (a model's reply could not be kept) are
    raised.
    """

    config: ChunkingConfig
    extractor: Extractor

    def __call__(self, batch: Sequence[Document] | Chunked) -> list[Extracted]:
        chunked = batch if isinstance(batch, Chunked) else ChunkBatch(self.config)(batch)
        extractions = iter(self._extract(chunked.good))
        extracted = []
        for chunks in chunked.chunks:
            if isinstance(chunks, str):
                extracted.append(Extracted(failure=chunks))
                continue
            found = next(extractions)
            if isinstance(found, str):
                extracted.append(Extracted(chunks, failure=found))
            else:
                extracted.append(Extracted(chunks, found))
        return extracted

    def _extract(
        self, pairs: Sequence[tuple[Document, tuple[Chunk, ...]]]
    ) -> Sequence[Extraction | str]:
        try:
            return self.extractor.extract(pairs)
        except StoreError:
            raise
        except Exception:  # find out which one, and keep the others
            return [self._extract_one(pair) for pair in pairs]

    def _extract_one(self, pair: tuple[Document, tuple[Chunk, ...]]) -> Extraction | str:
        try:
            return self.extractor.extract([pair])[0]
        except StoreError:
            raise
        except Exception as error:
            return reason_of(error)


def reason_of(error: Exception) -> str:
    """What a report says of an error."""
    return str(error) if isinstance(error, ClewError) else f"{type(error).__name__}: {error}"
