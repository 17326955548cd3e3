"""New vectors for documents that are already there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from clew.errors import EmbeddingError, NotFoundError
from clew.records import IndexedDocument
from clew.stores.admission import require_vectors
from clew.stores.base import EmbeddingSpace, Scores


def revectored(
    indexed: IndexedDocument,
    space: EmbeddingSpace | None,
    chunk_vectors: Scores,
    unit_vectors: Scores,
) -> IndexedDocument:
    """The document with these vectors, or with none when there is no ``space``."""
    changed = replace(
        indexed,
        chunk_vectors=None if space is None else chunk_vectors,
        unit_vectors=None if space is None else unit_vectors,
    )
    require_vectors(changed, space)
    return changed


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
