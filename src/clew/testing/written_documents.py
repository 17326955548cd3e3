"""Documents written by hand, indexed in the plainest way: for tests that must be read.

Each line of the text is a unit; ``chunk_lines`` lines make a chunk; every occurrence of one of
``names`` in a unit is a mention. Equal texts have equal vectors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

import numpy as np

from clew import ids
from clew.records import (
    DEFAULT_SCOPE,
    Block,
    BlockKind,
    Chunk,
    Document,
    Entity,
    IndexedDocument,
    KnowledgeUnit,
    Mention,
    Topic,
)
from clew.stores.base import EmbeddingSpace, Scores
from clew.testing.made_documents import SPACE
from clew.text.names import name_key


def written_document(
    doc_id: str,
    lines: Sequence[str],
    *,
    names: Sequence[str] = (),
    title: str = "",
    scope: str = DEFAULT_SCOPE,
    metadata: Mapping[str, Any] | None = None,
    space: EmbeddingSpace | None = SPACE,
    chunk_lines: int = 2,
) -> IndexedDocument:
    """Return the document that these lines make. A ``title`` is a topic of every chunk."""
    text = "\n".join(lines)
    document = Document(
        id=ids.document_id(scope, doc_id),
        doc_id=doc_id,
        text=text,
        title=title,
        source=doc_id,
        scope=scope,
        metadata=dict(metadata or {}),
        blocks=(Block(kind=BlockKind.PARAGRAPH, start=0, end=len(text)),) if text else (),
        content_hash=ids.content_id("h", title, text),
    )
    chunks = _chunks(document, lines, chunk_lines)
    units = _units(document, lines, chunks, chunk_lines)
    mentions = [mention for unit in units for mention in _mentions(unit, names, scope)]
    spoken_of = ([title] if title and chunks else []) + [item.surface for item in mentions]
    entities = {name_key(name): name for name in reversed(spoken_of)}
    return IndexedDocument(
        document=document,
        chunks=tuple(chunks),
        units=tuple(units),
        mentions=tuple(mentions),
        entities=tuple(
            Entity(id=ids.entity_id(scope, key), name=name, key=key, scope=scope)
            for key, name in sorted(entities.items())
        ),
        topics=tuple(
            Topic(chunk_id=chunk.id, entity_id=ids.entity_id(scope, name_key(title)))
            for chunk in chunks
            if title
        ),
        chunk_vectors=_vectors([chunk.text for chunk in chunks], space),
        unit_vectors=_vectors([unit.text for unit in units], space),
    )


def text_vector(text: str, space: EmbeddingSpace = SPACE) -> Scores:
    """The vector that :func:`written_document` gives a text."""
    raw = np.random.default_rng(crc32(text.encode())).standard_normal(space.dimensions)
    scaled: Scores = (raw / np.linalg.norm(raw)).astype(np.float32)
    return scaled


def _vectors(texts: Sequence[str], space: EmbeddingSpace | None) -> Scores | None:
    if space is None:
        return None
    return np.array([text_vector(text, space) for text in texts], np.float32).reshape(
        len(texts), space.dimensions
    )


def _spans(lines: Sequence[str]) -> list[tuple[int, int]]:
    spans, at = [], 0
    for line in lines:
        spans.append((at, at + len(line)))
        at += len(line) + 1
    return spans


def _chunks(document: Document, lines: Sequence[str], size: int) -> list[Chunk]:
    spans = _spans(lines)
    chunks = []
    texts = [
        document.text[spans[at][0] : spans[min(at + size, len(lines)) - 1][1]]
        for at in range(0, len(lines), size)
    ]
    for index, (text, occurrence) in enumerate(ids.occurrences(texts)):
        start = spans[index * size][0]
        chunks.append(
            Chunk(
                id=ids.chunk_id(document.id, text, occurrence),
                document_id=document.id,
                index=index,
                start=start,
                end=start + len(text),
                text=text,
            )
        )
    return chunks


def _units(
    document: Document, lines: Sequence[str], chunks: Sequence[Chunk], size: int
) -> list[KnowledgeUnit]:
    return [
        KnowledgeUnit(
            id=ids.unit_id(document.id, line, occurrence),
            document_id=document.id,
            chunk_id=chunks[at // size].id,
            start=start,
            end=end,
            text=line,
        )
        for at, ((line, occurrence), (start, end)) in enumerate(
            zip(ids.occurrences(lines), _spans(lines), strict=True)
        )
    ]


def _mentions(unit: KnowledgeUnit, names: Sequence[str], scope: str) -> list[Mention]:
    found = []
    for name in names:
        at = unit.text.find(name)
        while at >= 0:
            start = unit.start + at
            found.append(
                Mention(
                    id=ids.mention_id(unit.id, start, name),
                    document_id=unit.document_id,
                    unit_id=unit.id,
                    entity_id=ids.entity_id(scope, name_key(name)),
                    start=start,
                    end=start + len(name),
                    surface=name,
                    key=name_key(name),
                )
            )
            at = unit.text.find(name, at + len(name))
    return sorted(found, key=lambda mention: mention.start)
