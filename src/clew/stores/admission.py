"""What a store lets in: records that fit together, vectors that are vectors, one embedder.

Checked before anything is written, so a batch that breaks a rule leaves the store as it was.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import numpy as np

from clew.errors import EmbeddingError, FingerprintMismatchError, StoreError
from clew.records import Chunk, Document, IndexedDocument, KnowledgeUnit
from clew.stores.base import EmbeddingSpace, Scores

_LENGTH_TOLERANCE = 1e-3


def require_same_space(
    stored: EmbeddingSpace | None, given: EmbeddingSpace | None, *, where: str = "this store"
) -> None:
    """Raise :class:`FingerprintMismatchError` unless both are the same embedder."""
    if stored == given:
        return
    raise FingerprintMismatchError(
        f"{where} was made with {_describe(stored)} and is now used with {_describe(given)}: their "
        "vectors cannot be compared. Nothing was written. Open it with the first embedder, or "
        "make all vectors anew with `clew reembed`"
    )


def _describe(space: EmbeddingSpace | None) -> str:
    if space is None:
        return "no embedder (words alone)"
    return f"the embedder {space.fingerprint!r} ({space.dimensions} dimensions)"


def admitted_space(
    stored: EmbeddingSpace | None,
    given: EmbeddingSpace | None,
    documents: Sequence[IndexedDocument],
    *,
    holds_documents: bool,
) -> EmbeddingSpace | None:
    """The embedding space of the store after a commit of ``documents``.

    A store that holds nothing takes the space that it is given. Documents that come with vectors
    and without a space are read in the store's.
    """
    if not documents and given is None:
        return stored
    if given is None and stored is not None and any(_has_vectors(item) for item in documents):
        given = stored
    if holds_documents:
        require_same_space(stored, given)
    return given


def _has_vectors(indexed: IndexedDocument) -> bool:
    return indexed.unit_vectors is not None or indexed.chunk_vectors is not None


def require_sound(documents: Sequence[IndexedDocument], space: EmbeddingSpace | None) -> None:
    """Raise :class:`StoreError` or :class:`EmbeddingError` for the first document that is not
    whole: references that lead nowhere, spans outside the text, missing or broken vectors.
    """
    for indexed in documents:
        _require_characters(indexed)
        _require_references(indexed)
        _require_plain(indexed)
    require_vectors(documents, space)


def _require_characters(indexed: IndexedDocument) -> None:
    document = indexed.document
    try:
        "".join((document.doc_id, document.title, document.source, document.text)).encode()
    except UnicodeEncodeError as error:
        raise StoreError(
            f"document {document.doc_id!r}: half of a surrogate pair "
            f"({error.object[error.start : error.start + 1]!r}) is no character and cannot be "
            "kept. Decode the text anew with errors='replace'"
        ) from error


def _require_references(indexed: IndexedDocument) -> None:
    document = indexed.document
    chunks = {chunk.id for chunk in indexed.chunks}
    units = {unit.id for unit in indexed.units}
    entities = {entity.id for entity in indexed.entities}
    for kind, records, ids in (
        ("chunk", indexed.chunks, chunks),
        ("unit", indexed.units, units),
        ("entity", indexed.entities, entities),
    ):
        if len(ids) != len(records):
            raise StoreError(f"document {document.doc_id!r}: two records share one {kind} id")
    needed = (
        ("unit", "chunk", {unit.chunk_id for unit in indexed.units} - chunks),
        ("mention", "unit", {mention.unit_id for mention in indexed.mentions} - units),
        ("mention", "entity", {mention.entity_id for mention in indexed.mentions} - entities),
        ("topic", "chunk", {topic.chunk_id for topic in indexed.topics} - chunks),
        ("topic", "entity", {topic.entity_id for topic in indexed.topics} - entities),
        ("fact", "unit", {fact.unit_id for fact in indexed.facts} - units),
    )
    for source, target, missing in needed:
        if missing:
            raise StoreError(
                f"document {document.doc_id!r}: a {source} refers to {target} {min(missing)!r}, "
                "which the document does not bring"
            )
    strangers = {
        record.document_id
        for records in (
            indexed.chunks,
            indexed.units,
            indexed.mentions,
            indexed.facts,
            indexed.merges,
        )
        for record in records
    } - {document.id}
    if strangers:
        raise StoreError(
            f"document {document.doc_id!r} ({document.id}): records of another document come with "
            f"it ({min(strangers)})"
        )
    spans: tuple[Chunk | KnowledgeUnit, ...] = (*indexed.chunks, *indexed.units)
    for record in spans:
        if not 0 <= record.start <= record.end <= len(document.text):
            raise StoreError(
                f"document {document.doc_id!r}: {record.id} spans {record.start}–{record.end}, "
                f"outside its text of {len(document.text)} characters"
            )


def _require_plain(indexed: IndexedDocument) -> None:
    """Metadata must survive every store and every export: what JSON can say."""
    holders: tuple[Document | Chunk, ...] = (indexed.document, *indexed.chunks)
    for holder in holders:
        if not holder.metadata:
            continue
        try:
            json.dumps(holder.metadata, allow_nan=False)
            _require_text_keys(holder.metadata)
        except (TypeError, ValueError) as error:
            raise StoreError(
                f"document {indexed.document.doc_id!r}: the metadata of {holder.id} must be texts, "
                f"numbers, booleans, None, lists and mappings of these: {error}"
            ) from error


def _require_text_keys(value: object) -> None:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise TypeError(f"the key {key!r} is no text")
            _require_text_keys(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _require_text_keys(item)


def require_vectors(documents: Sequence[IndexedDocument], space: EmbeddingSpace | None) -> None:
    """Raise :class:`EmbeddingError` unless each chunk and each unit has its vector."""
    for layer in ("chunk", "unit"):
        names = [f"{layer} vectors of document {item.document.doc_id!r}" for item in documents]
        given = [getattr(item, f"{layer}_vectors") for item in documents]
        counts = [len(getattr(item, f"{layer}s")) for item in documents]
        for name, count, vectors in zip(names, counts, given, strict=True):
            _require_shape(name, count, vectors, space)
        _require_lengths(names, given)


def require_matrix(name: str, count: int, vectors: Scores, space: EmbeddingSpace) -> None:
    """Raise :class:`EmbeddingError` unless ``vectors`` is ``[count, dimensions]`` of length 1."""
    _require_shape(name, count, vectors, space)
    _require_lengths([name], [vectors])


def _require_shape(
    name: str, count: int, vectors: Scores | None, space: EmbeddingSpace | None
) -> None:
    if space is None:
        if vectors is not None:
            raise EmbeddingError(f"{name}: vectors without an embedding space; pass embedding=")
    elif vectors is None:
        if count:
            raise EmbeddingError(f"{name}: missing, {count} expected")
    elif vectors.shape != (count, space.dimensions):
        raise EmbeddingError(f"{name}: shape {vectors.shape}, expected {(count, space.dimensions)}")


def _require_lengths(names: Sequence[str], given: Sequence[Scores | None]) -> None:
    """All at once: the vectors of a batch are many small arrays."""
    present = [vectors for vectors in given if vectors is not None]
    if not present:
        return
    together = np.concatenate(present)
    lengths = np.sqrt(np.einsum("ij,ij->i", together, together))
    bad = np.flatnonzero(~(np.abs(lengths - 1.0) <= _LENGTH_TOLERANCE))
    if not len(bad):
        return
    row = int(bad[0])
    for name, vectors in zip(names, given, strict=True):
        count = 0 if vectors is None else len(vectors)
        if row < count:
            raise EmbeddingError(
                f"{name}: row {row} has length {lengths[bad[0]]:.4g}, expected 1 "
                f"({len(bad)} such rows in all)"
            )
        row -= count
