"""Taking back one line of the merge log."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from clew import ids
from clew.errors import NotFoundError
from clew.records import Entity, EntityMerge, IndexedDocument
from clew.stores.naming import cached_key


def without_merge(indexed: IndexedDocument, merge_id: str) -> IndexedDocument:
    """The document as it would be had its mentions keyed ``merged_key`` kept their own entity.

    The entity that they were read as loses the alias, and goes when nothing else in the document
    speaks of it.
    """
    merge = next((line for line in indexed.merges if line.id == merge_id), None)
    if merge is None:
        raise NotFoundError(
            f"no merge {merge_id!r} in document {indexed.document.doc_id!r}; merges() lists them"
        )
    own = _entity_of(indexed, merge)
    mentions = tuple(
        replace(mention, entity_id=own.id)
        if mention.entity_id == merge.entity_id and mention.key == merge.merged_key
        else mention
        for mention in indexed.mentions
    )
    used = {mention.entity_id for mention in mentions} | {
        topic.entity_id for topic in indexed.topics
    }
    entities = [_without_alias(entity, merge) for entity in indexed.entities if entity.id in used]
    if own.id in used and all(entity.id != own.id for entity in entities):
        entities.append(own)
    return replace(
        indexed,
        mentions=mentions,
        entities=tuple(entities),
        merges=tuple(line for line in indexed.merges if line.id != merge_id),
    )


def without_merges(indexed: IndexedDocument, merge_ids: Container[str]) -> IndexedDocument:
    """Take back those of its merges that are among ``merge_ids``."""
    for merge in indexed.merges:
        if merge.id in merge_ids:
            indexed = without_merge(indexed, merge.id)
    return indexed


def _entity_of(indexed: IndexedDocument, merge: EntityMerge) -> Entity:
    scope = indexed.document.scope
    merged_into = {entity.id: entity for entity in indexed.entities}.get(merge.entity_id)
    return Entity(
        id=ids.entity_id(scope, merge.merged_key),
        name=merge.merged_name,
        key=merge.merged_key,
        type=merged_into.type if merged_into else "",
        scope=scope,
    )


def _without_alias(entity: Entity, merge: EntityMerge) -> Entity:
    if entity.id != merge.entity_id:
        return entity
    kept = tuple(alias for alias in entity.aliases if cached_key(alias) != merge.merged_key)
    return replace(entity, aliases=kept)
