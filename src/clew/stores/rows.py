"""Rows of the tables that every SQL store has, as records, and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from clew.errors import NotFoundError
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
from clew.stores.base import Numbers
from clew.stores.numbering import Numbered
from clew.text.names import name_key

Row = Sequence[Any]
Record = TypeVar("Record")


to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


# --- rows to records ------------------------------------------------------------------------------


def in_order(
    found: Iterable[Row], numbers: Numbers, make: Callable[[Row], Record], name: str
) -> list[Record]:
    """One record per number, in their order; the number stands first in each row. Raises
    :class:`clew.errors.NotFoundError` for a number without a row.
    """
    by_number = {row[0]: make(row) for row in found}
    try:
        return [by_number[number] for number in np.asarray(numbers).tolist()]
    except KeyError as error:
        raise NotFoundError(
            f"no {name} with the number {error} in this generation of the store"
        ) from None


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
    return (
        numbered.number,
        document.id,
        document.doc_id,
        document.scope,
        document.title,
        document.source,
        document.media_type,
        document.content_hash,
        document.source_hash,
        to_json(dict(document.metadata)),
        _list_to_json([(page.number, page.start, page.end) for page in document.pages]),
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


def body_row(numbered: Numbered) -> Row:
    indexed = numbered.indexed
    blocks = [
        (block.kind.value, block.start, block.end, block.level) for block in indexed.document.blocks
    ]
    entities = [
        (entity.id, entity.name, entity.key, entity.type, entity.aliases, entity.scope)
        for entity in indexed.entities
    ]
    return (
        numbered.number,
        _list_to_json(blocks),
        _list_to_json(entities),
        _list_to_json(indexed.reply_keys),
        indexed.document.text,
    )


def chunk_rows(numbered: Numbered) -> Iterator[Row]:
    for number, chunk in enumerate(numbered.indexed.chunks, numbered.first_chunk):
        yield (
            number,
            chunk.id,
            numbered.number,
            chunk.index,
            chunk.start,
            chunk.end,
            chunk.page,
            _list_to_json(chunk.heading_path),
            chunk.context,
            to_json(dict(chunk.metadata)) if chunk.metadata else "{}",
            chunk.text,
        )


def unit_rows(numbered: Numbered) -> Iterator[Row]:
    units = zip(numbered.indexed.units, numbered.chunk_of_unit, strict=True)
    for number, (unit, chunk) in enumerate(units, numbered.first_unit):
        yield (
            number,
            unit.id,
            chunk,
            unit.start,
            unit.end,
            unit.verbatim,
            unit.degraded,
            unit.origin,
            unit.context,
            unit.text,
        )


def mention_rows(numbered: Numbered) -> Iterator[Row]:
    mentions = zip(
        numbered.indexed.mentions,
        numbered.unit_of_mention,
        numbered.entity_of_mention,
        strict=True,
    )
    for number, (mention, unit, entity) in enumerate(mentions, numbered.first_mention):
        yield (
            number,
            mention.id,
            unit,
            entity,
            mention.start,
            mention.end,
            mention.surface,
            mention.key,
            mention.type,
        )


def topic_rows(numbered: Numbered) -> Iterator[Row]:
    topics = zip(
        numbered.indexed.topics, numbered.chunk_of_topic, numbered.entity_of_topic, strict=True
    )
    for number, (topic, chunk, entity) in enumerate(topics, numbered.first_topic):
        yield number, chunk, entity, topic.weight, topic.source


def fact_rows(numbered: Numbered) -> Iterator[Row]:
    facts = zip(numbered.indexed.facts, numbered.unit_of_fact, strict=True)
    for number, (fact, unit) in enumerate(facts, numbered.first_fact):
        yield (
            number,
            fact.id,
            unit,
            fact.start,
            fact.end,
            fact.kind.value,
            fact.subject,
            fact.predicate,
            fact.object,
            fact.predicate_as_said,
            fact.negated,
            fact.confidence,
            fact.time_start,
            fact.time_end,
            fact.time_as_said,
            fact.condition,
            fact.modality,
            fact.quantifier,
            fact.speech_act,
            fact.tense,
            fact.stated_at,
            name_key(fact.subject),
            name_key(fact.object),
        )


def merge_rows(numbered: Numbered) -> Iterator[Row]:
    for position, merge in enumerate(numbered.indexed.merges):
        yield (
            numbered.number,
            position,
            merge.id,
            merge.entity_id,
            merge.merged_key,
            merge.merged_name,
            merge.reason,
        )
