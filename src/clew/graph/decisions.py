"""What people decided about names, carried out on a document: names joined, things told apart.

A decision reads one entity as another, in all documents or in some. Carried out, it moves the
mentions and topics of the one to the other and leaves a line in the merge log. Where a name that is
told apart in some documents was joined to another there (an acronym, or by hand), its mentions
alone are moved.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from clew.ids import content_id, entity_id
from clew.records import Entity, EntityDecision, EntityMerge, IndexedDocument, Topic
from clew.text.names import name_key

BY_HAND = "by hand: "
"""Begins the reason of a merge that a decision made; its id follows."""


def concerns(decision: EntityDecision, indexed: IndexedDocument) -> bool:
    """Whether the decision holds for this document."""
    document = indexed.document
    named = not decision.doc_ids or document.doc_id in decision.doc_ids
    return named and document.scope == decision.scope


def carried_out(indexed: IndexedDocument, decisions: Iterable[EntityDecision]) -> IndexedDocument:
    """The document with all decisions that concern it carried out, in their order."""
    for decision in decisions:
        if concerns(decision, indexed):
            indexed = _carried_out(indexed, decision)
    return indexed


def _carried_out(indexed: IndexedDocument, decision: EntityDecision) -> IndexedDocument:
    known = {entity.id: entity for entity in indexed.entities}
    source = known.get(entity_id(decision.scope, decision.key))
    if source is None:
        return _told_apart(indexed, decision) if decision.doc_ids else indexed
    target = _joined(source, known.get(entity_id(decision.scope, decision.into_key)), decision)
    line = _line(indexed, source, target, decision)
    others = [entity for entity in indexed.entities if entity.id not in {source.id, target.id}]
    return replace(
        indexed,
        mentions=tuple(
            replace(mention, entity_id=target.id) if mention.entity_id == source.id else mention
            for mention in indexed.mentions
        ),
        topics=_each_once(
            replace(topic, entity_id=target.id) if topic.entity_id == source.id else topic
            for topic in indexed.topics
        ),
        entities=(*others, target),
        merges=(
            *(
                replace(merge, entity_id=target.id) if merge.entity_id == source.id else merge
                for merge in indexed.merges
            ),
            line,
        ),
    )


def _told_apart(indexed: IndexedDocument, decision: EntityDecision) -> IndexedDocument:
    """The document with the mentions of the name moved, whatever it was joined to."""
    known = {entity.id: entity for entity in indexed.entities}
    target_id = entity_id(decision.scope, decision.into_key)
    moved = [
        mention
        for mention in indexed.mentions
        if mention.key == decision.key and mention.entity_id != target_id
    ]
    if not moved:
        return indexed
    source = Entity(
        id="", name=moved[0].surface, key=decision.key, type=moved[0].type, scope=decision.scope
    )
    target = _joined(source, known.get(target_id), decision)
    mentions = tuple(
        replace(mention, entity_id=target.id) if mention.key == decision.key else mention
        for mention in indexed.mentions
    )
    left = {mention.entity_id for mention in moved}
    emptied = left - {mention.entity_id for mention in mentions}
    return replace(
        indexed,
        mentions=mentions,
        topics=_each_once(
            replace(topic, entity_id=target.id) if topic.entity_id in emptied else topic
            for topic in indexed.topics
        ),
        entities=(
            *(
                _without(entity, decision.key) if entity.id in left else entity
                for entity in indexed.entities
                if entity.id not in emptied | {target.id}
            ),
            target,
        ),
        merges=(
            *(
                merge
                for merge in indexed.merges
                if merge.entity_id not in emptied and merge.merged_key != decision.key
            ),
            _line(indexed, source, target, decision),
        ),
    )


def _without(entity: Entity, key: str) -> Entity:
    names = tuple(name for name in entity.aliases if name_key(name) != key)
    return replace(entity, aliases=names)


def _line(
    indexed: IndexedDocument, source: Entity, target: Entity, decision: EntityDecision
) -> EntityMerge:
    return EntityMerge(
        id=content_id("j", indexed.document.id, decision.id),
        document_id=indexed.document.id,
        entity_id=target.id,
        merged_key=decision.key,
        merged_name=source.name,
        reason=f"{BY_HAND}{decision.id}",
    )


def _joined(source: Entity, target: Entity | None, decision: EntityDecision) -> Entity:
    """The entity that the source is read as; it is known by the names of the source too."""
    if target is None:
        target = Entity(
            id=entity_id(decision.scope, decision.into_key),
            name=decision.into_name,
            key=decision.into_key,
            type=decision.type or source.type,
            scope=decision.scope,
        )
    names = {*target.aliases, source.name, *source.aliases} - {target.name}
    return replace(target, aliases=tuple(sorted(names)), type=target.type or source.type)


def _each_once(topics: Iterable[Topic]) -> tuple[Topic, ...]:
    """Of topics that came to be one, the weightier."""
    best: dict[tuple[str, str], Topic] = {}
    for topic in topics:
        place = (topic.chunk_id, topic.entity_id)
        if place not in best or topic.weight > best[place].weight:
            best[place] = topic
    return tuple(best.values())
