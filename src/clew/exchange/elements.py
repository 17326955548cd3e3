"""A graph as nodes and edges, document by document: what graph tools are given.

::

    document ─contains─▶ chunk ─holds─▶ unit ─mentions─▶ entity
                           └─about──────────────────────▶ entity
                                         unit ─states─▶ fact ─subject, object─▶ entity

Ids are those of the store. An entity is one node, named as the exported documents name it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from clew.exchange.selection import Selection
from clew.records import Entity, Fact, IndexedDocument
from clew.text.names import name_key

Value = str | int | float | bool
_LABEL_CHARS = 60

NODE_TYPES: Final[Mapping[str, type[Value]]] = {
    "kind": str, "label": str, "text": str, "document_id": str, "start": int, "end": int,
    "doc_id": str, "title": str, "source": str, "media_type": str, "scope": str, "metadata": str,
    "index": int, "heading_path": str, "page": int, "context": str, "verbatim": bool,
    "origin": str, "degraded": bool, "name": str, "key": str, "type": str, "aliases": str,
    "fact_kind": str, "subject": str, "predicate": str, "object": str, "negated": bool,
    "confidence": float, "time_start": str, "time_end": str, "condition": str, "modality": str,
    "predicate_as_said": str, "time_as_said": str, "quantifier": str, "speech_act": str,
    "tense": str, "stated_at": str,
}  # fmt: skip
EDGE_TYPES: Final[Mapping[str, type[Value]]] = {
    "kind": str, "weight": float, "source": str, "surface": str, "start": int, "end": int,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """``attributes`` are some of :data:`NODE_TYPES`; what is empty is left out."""

    id: str
    attributes: Mapping[str, Value]


@dataclass(frozen=True, kw_only=True, slots=True)
class Edge:
    """``attributes`` are some of :data:`EDGE_TYPES`. Of two edges between the same nodes each has
    an id of its own.
    """

    id: str
    source: str
    target: str
    attributes: Mapping[str, Value]


def elements_of(selection: Selection) -> Iterator[Node | Edge]:
    """Every node before the edges that it is an end of."""
    known = set[int]()
    for indexed in selection.documents():
        yield from _nodes(indexed)
        yield from map(_entity, _new_entities(indexed, selection, known))
        yield from _edges(indexed)


def _new_entities(
    indexed: IndexedDocument, selection: Selection, known: set[int]
) -> Iterable[Entity]:
    """Those that no document before has brought; only their numbers are remembered."""
    used = {mention.entity_id for mention in indexed.mentions}
    used |= {topic.entity_id for topic in indexed.topics}
    numbers = selection.reader.numbers_of("entity", sorted(used)).tolist()
    new = [number for number in numbers if number not in known]
    known.update(new)
    return selection.reader.get_entities(np.array(new, np.int64))


def _nodes(indexed: IndexedDocument) -> Iterator[Node]:
    document = indexed.document
    yield _node(
        document.id,
        "document",
        document.title or document.doc_id,
        doc_id=document.doc_id,
        title=document.title,
        source=document.source,
        media_type=document.media_type,
        scope=document.scope,
        metadata=_json(document.metadata),
        start=0,
        end=len(document.text),
    )
    for chunk in indexed.chunks:
        yield _node(
            chunk.id,
            "chunk",
            chunk.text,
            text=chunk.text,
            document_id=document.id,
            start=chunk.start,
            end=chunk.end,
            index=chunk.index,
            heading_path=" › ".join(chunk.heading_path),
            page=chunk.page or 0,
            context=chunk.context,
            metadata=_json(chunk.metadata),
        )
    for unit in indexed.units:
        yield _node(
            unit.id,
            "unit",
            unit.text,
            text=unit.text,
            document_id=document.id,
            start=unit.start,
            end=unit.end,
            context=unit.context,
            verbatim=unit.verbatim,
            origin=unit.origin,
            degraded=unit.degraded,
        )
    for fact in indexed.facts:
        yield _fact(fact)


def _fact(fact: Fact) -> Node:
    predicate = f"not {fact.predicate}" if fact.negated else fact.predicate
    said = " ".join(part for part in (fact.subject, predicate, fact.object) if part)
    return _node(
        fact.id,
        "fact",
        said,
        document_id=fact.document_id,
        start=fact.start,
        end=fact.end,
        fact_kind=str(fact.kind),
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        negated=fact.negated,
        confidence=fact.confidence,
        time_start=fact.time_start,
        time_end=fact.time_end,
        condition=fact.condition,
        modality=fact.modality,
        predicate_as_said=fact.predicate_as_said,
        time_as_said=fact.time_as_said,
        quantifier=fact.quantifier,
        speech_act=fact.speech_act,
        tense=fact.tense,
        stated_at=fact.stated_at,
    )


def _entity(entity: Entity) -> Node:
    return _node(
        entity.id,
        "entity",
        entity.name,
        name=entity.name,
        key=entity.key,
        type=entity.type,
        aliases=_json(entity.aliases) if entity.aliases else "",
        scope=entity.scope,
    )


def _edges(indexed: IndexedDocument) -> Iterator[Edge]:
    document = indexed.document.id
    for chunk in indexed.chunks:
        yield _edge("contains", document, chunk.id)
    for unit in indexed.units:
        yield _edge("holds", unit.chunk_id, unit.id)
    for mention in indexed.mentions:
        yield Edge(
            id=mention.id,
            source=mention.unit_id,
            target=mention.entity_id,
            attributes={
                "kind": "mentions",
                "surface": mention.surface,
                "start": mention.start,
                "end": mention.end,
            },
        )
    for topic in indexed.topics:
        yield _edge("about", topic.chunk_id, topic.entity_id, topic.source, weight=topic.weight)
    named = {mention.key: mention.entity_id for mention in indexed.mentions}
    for fact in indexed.facts:
        yield _edge("states", fact.unit_id, fact.id)
        for role, name in (("subject", fact.subject), ("object", fact.object)):
            if entity := named.get(name_key(name)):
                yield _edge(role, fact.id, entity)


def _node(id_: str, kind: str, label: str, **attributes: Value) -> Node:
    line = " ".join(label.split())
    short = line if len(line) <= _LABEL_CHARS else line[: _LABEL_CHARS - 1] + "…"
    told = {name: value for name, value in attributes.items() if value != ""}
    return Node(id=id_, attributes={"kind": kind, "label": short, **told})


def _edge(kind: str, source: str, target: str, why: str = "", **attributes: Value) -> Edge:
    told: dict[str, Value] = {"kind": kind, **attributes}
    if why:
        told["source"] = why
    id_ = "-".join(part for part in (kind, source, target, why) if part)
    return Edge(id=id_, source=source, target=target, attributes=told)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else ""
