"""Documents as JSON: every record by field name, vectors as base64 of little-endian float32."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

import numpy as np

from clew.errors import StoreCorruptError, StoreVersionError
from clew.records import (
    Block,
    BlockKind,
    Chunk,
    Document,
    Entity,
    EntityDecision,
    EntityMerge,
    Fact,
    FactKind,
    IndexedDocument,
    KnowledgeUnit,
    Mention,
    Page,
    Topic,
)
from clew.stores.base import EmbeddingSpace, Scores

FORMAT_VERSION: Final = 1

_RECORDS: Final[dict[str, type[Any]]] = {
    "chunks": Chunk,
    "units": KnowledgeUnit,
    "mentions": Mention,
    "entities": Entity,
    "topics": Topic,
    "facts": Fact,
    "merges": EntityMerge,
}


def indexed_to_dict(indexed: IndexedDocument) -> dict[str, Any]:
    """Return plain data for JSON."""
    plain: dict[str, Any] = {"document": record_to_dict(indexed.document)}
    for name in _RECORDS:
        plain[name] = [record_to_dict(record) for record in getattr(indexed, name)]
    plain["reply_keys"] = list(indexed.reply_keys)
    plain["chunk_vectors"] = vectors_to_plain(indexed.chunk_vectors)
    plain["unit_vectors"] = vectors_to_plain(indexed.unit_vectors)
    return plain


def indexed_from_dict(plain: Mapping[str, Any]) -> IndexedDocument:
    """The reverse of :func:`indexed_to_dict`; raises :class:`StoreCorruptError`."""
    try:
        return IndexedDocument(
            document=_record(Document, plain["document"]),
            reply_keys=tuple(plain["reply_keys"]),
            chunk_vectors=vectors_from_plain(plain["chunk_vectors"]),
            unit_vectors=vectors_from_plain(plain["unit_vectors"]),
            **{
                name: tuple(_record(kind, item) for item in plain[name])
                for name, kind in _RECORDS.items()
            },
        )
    except (KeyError, TypeError, ValueError) as error:
        raise StoreCorruptError(f"this is no document of clew: {error!r}") from error


def document_to_dict(document: Document) -> dict[str, Any]:
    """A document alone, before it is indexed."""
    return record_to_dict(document)


def document_from_dict(plain: Mapping[str, Any]) -> Document:
    """The reverse of :func:`document_to_dict`; raises :class:`StoreCorruptError`."""
    try:
        document: Document = _record(Document, plain)
    except (KeyError, TypeError, ValueError) as error:
        raise StoreCorruptError(f"this is no document of clew: {error!r}") from error
    return document


def decisions_to_list(decisions: Iterable[EntityDecision]) -> list[dict[str, Any]]:
    return [record_to_dict(decision) for decision in decisions]


def decisions_from_list(plain: Iterable[Mapping[str, Any]]) -> list[EntityDecision]:
    """The reverse of :func:`decisions_to_list`; raises :class:`StoreCorruptError`."""
    try:
        return [_record(EntityDecision, item) for item in plain]
    except (AttributeError, TypeError, ValueError) as error:
        raise StoreCorruptError(f"these are no decisions about names: {error!r}") from error


def record_to_dict(record: Any) -> dict[str, Any]:
    return {name: _plain(getattr(record, name)) for name in record.__dataclass_fields__}


def _plain(value: Any) -> Any:
    if isinstance(value, (Block, Page)):
        return record_to_dict(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return dict(value) if isinstance(value, Mapping) else value


def _record(kind: type[Any], plain: Mapping[str, Any]) -> Any:
    known = {item.name for item in fields(kind)}
    values = {
        name: _FIELDS[name](value) if name in _FIELDS else value for name, value in plain.items()
    }
    if kind is Fact:
        values["kind"] = FactKind(values["kind"])
    if not set(values) <= known or known - set(values) - _LATER.get(kind, frozenset()):
        raise ValueError(f"{kind.__name__} with the fields {sorted(values)}")
    return kind(**values)


def blocks_from_plain(plain: Sequence[Mapping[str, Any]]) -> tuple[Block, ...]:
    return tuple(Block(**{**block, "kind": BlockKind(block["kind"])}) for block in plain)


def pages_from_plain(plain: Sequence[Mapping[str, Any]]) -> tuple[Page, ...]:
    return tuple(Page(**page) for page in plain)


_LATER: Final[dict[type[Any], frozenset[str]]] = {
    Fact: frozenset({"quantifier", "speech_act", "tense", "stated_at"})
}
"""Fields that records did not have from the start: what was written before is read without them."""

_FIELDS: Final[dict[str, Callable[[Any], Any]]] = {
    "blocks": blocks_from_plain,
    "pages": pages_from_plain,
    "heading_path": tuple,
    "aliases": tuple,
    "doc_ids": tuple,
}


def vectors_to_plain(vectors: Scores | None) -> dict[str, Any] | None:
    if vectors is None:
        return None
    data = np.ascontiguousarray(vectors, "<f4").tobytes()
    return {"shape": list(vectors.shape), "float32": base64.b64encode(data).decode("ascii")}


def vectors_from_plain(plain: Mapping[str, Any] | None) -> Scores | None:
    if plain is None:
        return None
    try:
        data = base64.b64decode(plain["float32"], validate=True)
    except binascii.Error as error:
        raise ValueError(f"vectors are not base64: {error}") from error
    rows, columns = plain["shape"]
    return np.frombuffer(data, "<f4").astype(np.float32).reshape(rows, columns)


def space_to_dict(space: EmbeddingSpace | None) -> dict[str, Any] | None:
    if space is None:
        return None
    return {"fingerprint": space.fingerprint, "dimensions": space.dimensions}


def space_from_dict(plain: Mapping[str, Any] | None) -> EmbeddingSpace | None:
    if plain is None:
        return None
    return EmbeddingSpace(fingerprint=plain["fingerprint"], dimensions=plain["dimensions"])


def require_format(plain: Any, expected: str, where: str) -> None:
    """Raise unless ``plain`` is a header of this format that this version can read."""
    found = plain.get("format") if isinstance(plain, Mapping) else None
    if found != expected:
        raise StoreCorruptError(f"{where}: expected the format {expected!r}, found {found!r}")
    version = plain.get("version")
    if not isinstance(version, int) or version > FORMAT_VERSION:
        raise StoreVersionError(
            f"{where}: format version {version!r}; this clew reads up to {FORMAT_VERSION}. "
            "Upgrade clew, or export again with the older version"
        )
