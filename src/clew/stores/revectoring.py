"""New vectors for documents that are already there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from clew.errors import EmbeddingError, NotFoundError
from clew.records import IndexedDocument
from clew.stores.admission import require_vectors
from clew.stores.base import EmbeddingSpace, Scores


def revectored(
    indexed: IndexedDocument, space: EmbeddingSpace, chunk_vectors: Scores, unit_vectors: Scores
) -> IndexedDocument:
    """The document with these vectors; raises :class:`EmbeddingError` if they do not fit."""
    changed = replace(indexed, chunk_vectors=chunk_vectors, unit_vectors=unit_vectors)
    require_vectors([changed], space)
    return changed


def without_vectors(indexed: IndexedDocument) -> IndexedDocument:
    return replace(indexed, chunk_vectors=None, unit_vectors=None)


def each_once(
    vectors: Iterable[tuple[str, Scores, Scores]], document_ids: Collection[str]
) -> Iterator[tuple[str, Scores, Scores]]:
    """Pass ``vectors`` on; raise unless they name every one of ``document_ids`` exactly once."""
    missing = set(document_ids)
    for document_id, chunk_vectors, unit_vectors in vectors:
        if document_id not in missing:
            raise NotFoundError(
                f"vectors for {document_id!r}, which the store does not hold or had already"
            )
        missing.discard(document_id)
        yield document_id, chunk_vectors, unit_vectors
    if missing:
        raise EmbeddingError(
            f"no new vectors for {len(missing)} documents, the first of them {min(missing)!r}; "
            "nothing was changed"
        )
