"""From documents to records and vectors, on a machine that has neither the store nor the embedder
of the caller: it makes an embedder of its own, and has what it needs sent along.

What comes back is what the caller would have made itself, so the graph does not tell where it was
made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from clew.chunking.making import embedder_for
from clew.config import ClewConfig
from clew.errors import FingerprintMismatchError
from clew.extraction.base import Extractor
from clew.indexing.embedding import KnownVectors, embed_documents
from clew.indexing.extracting import ChunkBatch, Chunked, ExtractBatch, Extracted
from clew.models.base import Embedder
from clew.models.default import default_embedder
from clew.records import Document, IndexedDocument


@dataclass(frozen=True, kw_only=True, slots=True)
class Errand:
    """A batch for a worker: ``batch``, or, where the caller has extracted it already, what it
    found. ``known[i]`` are the vectors that ``documents[i]`` had before.
    """

    documents: Sequence[Document]
    batch: Sequence[Document] | Chunked
    extracted: Sequence[Extracted] | None = None
    known: Sequence[KnownVectors]


class RemoteBatch:
    """Callable: errand → one :class:`Extracted` for each document, in order, with vectors where
    ``fingerprint`` names an embedder that the settings lead to; ``""`` leaves them to the caller.

    Raises :class:`FingerprintMismatchError` when the worker's embedder is another one.
    """

    def __init__(self, config: ClewConfig, extractor: Extractor | None, fingerprint: str) -> None:
        self._config = config
        self._extractor = extractor
        self._fingerprint = fingerprint
        self._made: Embedder | None = None

    def __call__(self, errand: Errand) -> list[Extracted]:
        embedder = self._embedder()
        extracted = errand.extracted
        if extracted is None:
            assert self._extractor is not None, "a caller without an extractor to send extracts"
            batch = errand.batch
            if not isinstance(batch, Chunked):
                batch = ChunkBatch(self._config, embedder_for(self._config, embedder))(batch)
            extracted = ExtractBatch(self._config, self._extractor)(batch)
        if embedder is None:
            return list(extracted)
        return self._embedded(embedder, errand, extracted)

    def __getstate__(self) -> tuple[object, ...]:
        return self._config, self._extractor, self._fingerprint

    def __setstate__(self, state: tuple[ClewConfig, Extractor | None, str]) -> None:
        self.__init__(*state)  # type: ignore[misc]  # without what it had loaded

    def _embedder(self) -> Embedder | None:
        if self._fingerprint and self._made is None:
            made = default_embedder(self._config)
            found = "no embedder" if made is None else made.fingerprint
            if found != self._fingerprint:
                raise FingerprintMismatchError(
                    f"a worker has {found}, this process {self._fingerprint}: install the same "
                    "clew-minilm, or the same model folder, on all machines"
                )
            self._made = made
        return self._made

    def _embedded(
        self, embedder: Embedder, errand: Errand, extracted: Sequence[Extracted]
    ) -> list[Extracted]:
        bare = [
            IndexedDocument(document=document, chunks=found.chunks, units=found.extraction.units)
            for document, found in zip(errand.documents, extracted, strict=True)
        ]
        whole = embed_documents(embedder, bare, errand.known)
        return [
            found
            if found.failure
            else replace(
                found, chunk_vectors=document.chunk_vectors, unit_vectors=document.unit_vectors
            )
            for found, document in zip(extracted, whole, strict=True)
        ]
