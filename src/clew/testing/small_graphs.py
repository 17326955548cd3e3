"""Small graphs from a few sentences, for tests that know exactly what is in them.

Nothing is extracted: paragraphs are chunks, sentences (up to ``". "``) are units, the names given
are the entities, and every chunk of a document is about the document's title.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import regex

from clew import ids
from clew.models.base import Embedder
from clew.records import (
    DEFAULT_SCOPE,
    Chunk,
    Document,
    Entity,
    IndexedDocument,
    KnowledgeUnit,
    Mention,
    Topic,
)
from clew.stores.base import EmbeddingSpace
from clew.stores.memory import KnowledgeGraph
from clew.text.names import name_key

_WORD = regex.compile(r"\w+")


def small_graph(
    texts: Mapping[str, str],
    *,
    names: Iterable[str] = (),
    embedder: Embedder | None = None,
    scope: str = DEFAULT_SCOPE,
    metadata: Mapping[str, Mapping[str, Any]] | None = None,
    graph: KnowledgeGraph | None = None,
) -> KnowledgeGraph:
    """Index ``texts`` (title → text; the title is also the ``doc_id``) into a graph.

    Titles and ``names`` are found where they are written, longer ones first.
    """
    known = _by_first_word({*texts, *names})
    documents = [
        _document(
            title,
            text,
            known,
            embedder=embedder,
            scope=scope,
            metadata=(metadata or {}).get(title, {}),
        )
        for title, text in texts.items()
    ]
    graph = graph if graph is not None else KnowledgeGraph()
    graph.commit(documents, embedding=None if embedder is None else _space(embedder))
    return graph


def _document(
    title: str,
    text: str,
    names: Mapping[str, Sequence[str]],
    *,
    embedder: Embedder | None = None,
    scope: str = DEFAULT_SCOPE,
    metadata: Mapping[str, Any] | None = None,
) -> IndexedDocument:
    document = Document(
        id=ids.document_id(scope, title),
        doc_id=title,
        title=title,
        text=text,
        scope=scope,
        metadata=metadata or {},
        content_hash=ids.content_id("h", title, text),
    )
    chunks = _chunks(document)
    units = [unit for chunk in chunks for unit in _units(chunk)]
    mentions = [mention for unit in units for mention in _mentions(unit, names, scope)]
    about = _entity(title, scope)
    entities = {about.id: about} | {
        mention.entity_id: _entity(mention.surface, scope) for mention in mentions
    }
    return IndexedDocument(
        document=document,
        chunks=tuple(chunks),
        units=tuple(units),
        mentions=tuple(mentions),
        entities=tuple(entities.values()),
        topics=tuple(Topic(chunk_id=chunk.id, entity_id=about.id) for chunk in chunks),
        chunk_vectors=None
        if embedder is None
        else embedder.embed([f"{title}\n{chunk.text}" for chunk in chunks]),
        unit_vectors=None
        if embedder is None
        else embedder.embed([f"{title}\n{unit.text}" for unit in units]),
    )


def _chunks(document: Document) -> list[Chunk]:
    spans = [match.span() for match in regex.finditer(r"\S(?:.|\n(?!\n))*", document.text)]
    return [
        Chunk(
            id=ids.chunk_id(document.id, document.text[start:end], index),
            document_id=document.id,
            index=index,
            start=start,
            end=end,
            text=document.text[start:end],
            metadata=document.metadata,
        )
        for index, (start, end) in enumerate(spans)
    ]


def _units(chunk: Chunk) -> list[KnowledgeUnit]:
    spans = [match.span() for match in regex.finditer(r"\S.*?(?:\.(?=\s)|$)", chunk.text)]
    return [
        KnowledgeUnit(
            id=ids.unit_id(chunk.document_id, chunk.text[start:end], chunk.start + start),
            document_id=chunk.document_id,
            chunk_id=chunk.id,
            start=chunk.start + start,
            end=chunk.start + end,
            text=chunk.text[start:end],
        )
        for start, end in spans
    ]


def _by_first_word(names: Iterable[str]) -> dict[str, list[str]]:
    """Names by the word that they begin with, so that a unit asks for few of them."""
    known: dict[str, list[str]] = {}
    for name in names:
        known.setdefault(_WORD.findall(name)[0], []).append(name)
    return known


def _mentions(unit: KnowledgeUnit, names: Mapping[str, Sequence[str]], scope: str) -> list[Mention]:
    taken: set[int] = set()
    mentions = []
    written = {name for word in _WORD.findall(unit.text) for name in names.get(word, ())}
    for name in sorted(written, key=lambda name: (-len(name), name)):
        for match in regex.finditer(rf"(?<!\w){regex.escape(name)}(?!\w)", unit.text):
            if taken.isdisjoint(range(*match.span())):
                taken.update(range(*match.span()))
                mentions.append(_mention(unit, match.start(), name, scope))
    return mentions


def _mention(unit: KnowledgeUnit, at: int, name: str, scope: str) -> Mention:
    start = unit.start + at
    return Mention(
        id=ids.mention_id(unit.id, start, name),
        document_id=unit.document_id,
        unit_id=unit.id,
        entity_id=_entity(name, scope).id,
        start=start,
        end=start + len(name),
        surface=name,
        key=name_key(name),
    )


def _entity(name: str, scope: str) -> Entity:
    key = name_key(name)
    return Entity(id=ids.entity_id(scope, key), name=name, key=key, scope=scope)


def _space(embedder: Embedder) -> EmbeddingSpace:
    return EmbeddingSpace(fingerprint=embedder.fingerprint, dimensions=embedder.dimensions)
