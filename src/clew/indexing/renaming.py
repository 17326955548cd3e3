"""A document under another name: the same records, with the ids that they have there.

Ids are hashes of what a record holds and of its document, so a document that moves to another file
has other ids throughout. Nothing else of it changes: its text is not read again, its vectors and
the replies that were paid for go with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from clew.curation.names import resolved_anew
from clew.extraction.config import ExtractionConfig
from clew.extraction.file_names import name_of_file
from clew.extraction.topics import FILE_NAME
from clew.graph.decisions import BY_HAND, carried_out
from clew.graph.fact_identity import identified
from clew.ids import (
    chunk_id,
    content_id,
    document_id,
    mention_id,
    occurrences,
    unit_id,
)
from clew.records import Chunk, EntityDecision, EntityMerge, IndexedDocument, KnowledgeUnit
from clew.stores.base import Renaming

Text = TypeVar("Text", Chunk, KnowledgeUnit)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Ids:
    """What the ids of a document become."""

    document: str
    before: str
    chunks: dict[str, str] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)


def renamed(
    indexed: IndexedDocument,
    *,
    doc_id: str,
    source: str,
    config: ExtractionConfig,
    decisions: Iterable[EntityDecision],
) -> tuple[IndexedDocument, Renaming]:
    """Return the document as it would be had it been read under ``doc_id`` from ``source``, and
    what a commit must know to let all that is kept beside its records go with it.

    ``decisions`` are those about names; what the file's name alone says of the text is said anew.
    """
    before = indexed.document
    document = replace(before, id=document_id(before.scope, doc_id), doc_id=doc_id, source=source)
    if document.id == before.id:  # a record with a name of its own, in another file
        return replace(indexed, document=document), Renaming(before=before.id, after=before.id)
    ids = _Ids(
        document=document.id,
        before=before.id,
        chunks=_text_ids("c", indexed.chunks, before.id, document.id, chunk_id),
        units=_text_ids("u", indexed.units, before.id, document.id, unit_id),
    )
    undoable = _merge_ids(resolved_anew(indexed, config).merges, ids)
    moved = replace(
        indexed,
        document=document,
        chunks=tuple(
            replace(chunk, id=ids.chunks[chunk.id], document_id=document.id)
            for chunk in indexed.chunks
        ),
        units=tuple(
            replace(
                unit,
                id=ids.units[unit.id],
                document_id=document.id,
                chunk_id=ids.chunks[unit.chunk_id],
            )
            for unit in indexed.units
        ),
        mentions=tuple(
            replace(
                mention,
                id=mention_id(ids.units[mention.unit_id], mention.start, mention.surface),
                document_id=document.id,
                unit_id=ids.units[mention.unit_id],
            )
            for mention in indexed.mentions
        ),
        topics=tuple(
            replace(topic, chunk_id=ids.chunks[topic.chunk_id]) for topic in indexed.topics
        ),
        facts=tuple(
            identified(replace(fact, document_id=document.id, unit_id=ids.units[fact.unit_id]))
            for fact in indexed.facts
        ),
        merges=tuple(
            replace(merge, id=_merge_id(merge, ids), document_id=document.id)
            for merge in indexed.merges
        ),
    )
    if _says_more(indexed) and name_of_file(before) != name_of_file(document):
        moved = carried_out(resolved_anew(moved, config), decisions)
    return moved, Renaming(before=before.id, after=document.id, merges=undoable)


def _text_ids(
    prefix: str,
    records: Sequence[Text],
    before: str,
    after: str,
    made: Callable[[str, str, int], str],
) -> dict[str, str]:
    """What the ids of chunks, or of units, become. An id that was not made from the text alone is
    made from the one before.
    """
    counted = occurrences(record.text for record in records)
    return {
        record.id: made(after, text, count)
        if record.id == made(before, text, count)
        else content_id(prefix, after, record.id)
        for record, (text, count) in zip(records, counted, strict=True)
    }


def _merge_id(merge: EntityMerge, ids: _Ids) -> str:
    if merge.reason.startswith(BY_HAND):
        return content_id("j", ids.document, merge.reason.removeprefix(BY_HAND))
    if merge.id == content_id("j", ids.before, merge.entity_id, merge.merged_key):
        return content_id("j", ids.document, merge.entity_id, merge.merged_key)
    return content_id("j", ids.document, merge.id)


def _merge_ids(merges: Iterable[EntityMerge], ids: _Ids) -> dict[str, str]:
    return {merge.id: _merge_id(merge, ids) for merge in merges}


def _says_more(indexed: IndexedDocument) -> bool:
    """Whether the name of the file may be what the document is about."""
    return not indexed.document.title or any(topic.source == FILE_NAME for topic in indexed.topics)
