"""Rows of ``main.db`` as records, and back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from clew.records import (
    Block,
    BlockKind,
    Chunk,
    Document,
    Entity,
    EntityMerge,
    Fact,
    FactKind,
    KnowledgeUnit,
    Mention,
    Page,
    Topic,
)
from clew.stores.sqlite.numbering import Numbered
from clew.stores.sqlite.seals import Row, seal, sealed
from clew.text.names import name_key

to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


# --- rows to records ------------------------------------------------------------------------------


def from_json_list(texts: Iterable[str]) -> list[Any]:
    """Read many small JSON texts at once: a call for each costs more than the reading."""
    values: list[Any] = json.loads(f"[{','.join(texts)}]")
    return values


def document_of(
    row: Row, *, metadata: dict[str, Any] | None = None, text: str = "", blocks: str = "[]"
) -> Document:
    return Document(
        id=row[1],
        doc_id=row[2],
        text=text,
        title=row[3],
        source=row[4],
        media_type=row[5],
        scope=row[6],
        metadata=json.loads(row[7]) if metadata is None else metadata,
        blocks=tuple(
            Block(kind=BlockKind(kind), start=start, end=end, level=level)
            for kind, start, end, level in json.loads(blocks)
        )
        if blocks != "[]"
        else (),
        pages=tuple(
            Page(number=number, start=start, end=end) for number, start, end in json.loads(row[8])
        )
        if row[8] != "[]"
        else (),
        content_hash=row[9],
        source_hash=row[10],
    )


def chunk_of(row: Row) -> Chunk:
    return Chunk(
        id=row[1],
        document_id=row[2],
        index=row[3],
        start=row[4],
        end=row[5],
        text=row[6],
        heading_path=tuple(json.loads(row[7])),
        page=row[8],
        context=row[9],
        metadata=json.loads(row[10]),
    )


def unit_of(row: Row) -> KnowledgeUnit:
    return KnowledgeUnit(
        id=row[1],
        document_id=row[2],
        chunk_id=row[3],
        start=row[4],
        end=row[5],
        text=row[6],
        context=row[7],
        verbatim=bool(row[8]),
        origin=row[9],
        degraded=bool(row[10]),
    )


def mention_of(row: Row, document_id: str) -> Mention:
    return Mention(
        id=row[0],
        document_id=document_id,
        unit_id=row[1],
        entity_id=row[2],
        start=row[3],
        end=row[4],
        surface=row[5],
        key=row[6],
        type=row[7],
    )


def topic_of(row: Row) -> Topic:
    return Topic(chunk_id=row[0], entity_id=row[1], weight=row[2], source=row[3])


def fact_of(row: Row) -> Fact:
    return Fact(
        id=row[1],
        document_id=row[2],
        unit_id=row[3],
        start=row[4],
        end=row[5],
        kind=FactKind(row[6]),
        subject=row[7],
        predicate=row[8],
        object=row[9],
        predicate_as_said=row[10],
        negated=bool(row[11]),
        confidence=row[12],
        time_start=row[13],
        time_end=row[14],
        time_as_said=row[15],
        condition=row[16],
        modality=row[17],
        quantifier=row[18],
        speech_act=row[19],
        tense=row[20],
        stated_at=row[21],
    )


def merge_of(row: Row) -> EntityMerge:
    return EntityMerge(
        id=row[0],
        document_id=row[1],
        entity_id=row[2],
        merged_key=row[3],
        merged_name=row[4],
        reason=row[5],
    )


def entity_of(row: Row) -> Entity:
    return Entity(
        id=row[1],
        name=row[2],
        key=row[3],
        type=row[4],
        aliases=tuple(json.loads(row[5])) if row[5] != "[]" else (),
        scope=row[6],
    )


def entities_from_json(text: str) -> tuple[Entity, ...]:
    """What a document says of its entities, as :func:`body_row` keeps it."""
    return tuple(
        Entity(id=id_, name=name, key=key, type=kind, aliases=tuple(aliases), scope=scope)
        for id_, name, key, kind, aliases, scope in json.loads(text)
    )


# --- records to rows ------------------------------------------------------------------------------


def _list_to_json(values: Sequence[Any]) -> str:
    return to_json(values) if values else "[]"


def document_row(numbered: Numbered) -> Row:
    indexed = numbered.indexed
    document = indexed.document
    metadata = to_json(dict(document.metadata))
    pages = _list_to_json([(page.number, page.start, page.end) for page in document.pages])
    spans = (
        numbered.first_chunk,
        len(indexed.chunks),
        numbered.first_unit,
        len(indexed.units),
        numbered.first_mention,
        len(indexed.mentions),
        numbered.first_topic,
        len(indexed.topics),
        numbered.first_fact,
        len(indexed.facts),
    )
    card = (
        numbered.number,
        document.id,
        document.doc_id,
        document.title,
        document.source,
        document.media_type,
        document.scope,
        metadata,
        pages,
        document.content_hash,
        document.source_hash,
    )
    stored = (
        numbered.number,
        document.id,
        document.doc_id,
        document.scope,
        document.title,
        document.source,
        document.media_type,
        document.content_hash,
        document.source_hash,
        metadata,
        pages,
        *spans,
    )
    return (*stored, seal(card), seal((numbered.number, document.id, *spans)))


def body_row(numbered: Numbered) -> Row:
    indexed = numbered.indexed
    blocks = _list_to_json(
        [
            (block.kind.value, block.start, block.end, block.level)
            for block in indexed.document.blocks
        ]
    )
    entities = _list_to_json(
        [
            (entity.id, entity.name, entity.key, entity.type, entity.aliases, entity.scope)
            for entity in indexed.entities
        ]
    )
    reply_keys = _list_to_json(indexed.reply_keys)
    text = indexed.document.text
    number = numbered.number
    return (
        number,
        blocks,
        entities,
        reply_keys,
        text,
        seal((number, text, blocks)),
        seal((number, entities, reply_keys)),
    )


def chunk_rows(numbered: Numbered) -> Iterator[Row]:
    for number, chunk in enumerate(numbered.indexed.chunks, numbered.first_chunk):
        headings = _list_to_json(chunk.heading_path)
        metadata = to_json(dict(chunk.metadata)) if chunk.metadata else "{}"
        span = (chunk.index, chunk.start, chunk.end)
        yield sealed(
            (
                number,
                chunk.id,
                chunk.document_id,
                *span,
                chunk.text,
                headings,
                chunk.page,
                chunk.context,
                metadata,
            ),
            (
                number,
                chunk.id,
                numbered.number,
                *span,
                chunk.page,
                headings,
                chunk.context,
                metadata,
                chunk.text,
            ),
        )


def unit_rows(numbered: Numbered) -> Iterator[Row]:
    document_id = numbered.indexed.document.id
    facts = Counter(fact.unit_id for fact in numbered.indexed.facts)
    units = zip(numbered.indexed.units, numbered.chunk_of_unit, strict=True)
    for number, (unit, chunk) in enumerate(units, numbered.first_unit):
        span = (unit.start, unit.end)
        verbatim, degraded = int(unit.verbatim), int(unit.degraded)
        row = sealed(
            (
                number,
                unit.id,
                document_id,
                unit.chunk_id,
                *span,
                unit.text,
                unit.context,
                verbatim,
                unit.origin,
                degraded,
            ),
            (
                number,
                unit.id,
                chunk,
                *span,
                verbatim,
                degraded,
                unit.origin,
                unit.context,
                unit.text,
            ),
        )
        yield (*row, facts[unit.id])


def mention_rows(numbered: Numbered) -> Iterator[Row]:
    mentions = zip(
        numbered.indexed.mentions,
        numbered.unit_of_mention,
        numbered.entity_of_mention,
        strict=True,
    )
    for number, (mention, unit, entity) in enumerate(mentions, numbered.first_mention):
        said = (mention.start, mention.end, mention.surface, mention.key, mention.type)
        yield sealed(
            (mention.id, mention.unit_id, mention.entity_id, *said),
            (number, mention.id, unit, entity, *said),
        )


def topic_rows(numbered: Numbered) -> Iterator[Row]:
    topics = zip(
        numbered.indexed.topics, numbered.chunk_of_topic, numbered.entity_of_topic, strict=True
    )
    for number, (topic, chunk, entity) in enumerate(topics, numbered.first_topic):
        said = (float(topic.weight), topic.source)
        yield sealed((topic.chunk_id, topic.entity_id, *said), (number, chunk, entity, *said))


def fact_rows(numbered: Numbered) -> Iterator[Row]:
    document_id = numbered.indexed.document.id
    facts = zip(numbered.indexed.facts, numbered.unit_of_fact, strict=True)
    for number, (fact, unit) in enumerate(facts, numbered.first_fact):
        said = (
            fact.start,
            fact.end,
            fact.kind.value,
            fact.subject,
            fact.predicate,
            fact.object,
            fact.predicate_as_said,
            int(fact.negated),
            float(fact.confidence),
            fact.time_start,
            fact.time_end,
            fact.time_as_said,
            fact.condition,
            fact.modality,
            fact.quantifier,
            fact.speech_act,
            fact.tense,
            fact.stated_at,
        )
        keys = (name_key(fact.subject), name_key(fact.object))
        yield sealed(
            (fact.id, document_id, fact.unit_id, *said), (number, fact.id, unit, *said, *keys)
        )


def merge_rows(numbered: Numbered) -> Iterator[Row]:
    for position, merge in enumerate(numbered.indexed.merges):
        said = (merge.entity_id, merge.merged_key, merge.merged_name, merge.reason)
        yield sealed(
            (merge.id, numbered.indexed.document.id, *said),
            (numbered.number, position, merge.id, *said),
        )
