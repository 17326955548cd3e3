"""Rows of ``main.db`` with their seals: what :mod:`clew.stores.rows` makes of a record, and behind
it the checksum of the record as it is read, ids from other tables included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from clew.stores import rows
from clew.stores.numbering import Numbered
from clew.stores.rows import Row
from clew.stores.sqlite.seals import seal


def document_row(numbered: Numbered) -> Row:
    """Two seals: of what is said of the document, and of where its records lie."""
    row = rows.document_row(numbered)
    number, id_, doc_id, scope, title, source, media_type, content_hash, source_hash = row[:9]
    metadata, pages, *spans = row[9:]
    card = (number, id_, doc_id, title, source, media_type, scope, metadata, pages)
    return (*row, seal((*card, content_hash, source_hash)), seal((number, id_, *spans)))


def body_row(numbered: Numbered) -> Row:
    """Two seals: of the text, and of what else there is."""
    row = rows.body_row(numbered)
    number, blocks, entities, reply_keys, text = row
    return (*row, seal((number, text, blocks)), seal((number, entities, reply_keys)))


def chunk_rows(numbered: Numbered) -> Iterator[Row]:
    document_id = numbered.indexed.document.id
    for row in rows.chunk_rows(numbered):
        number, id_, _, position, start, end, page, headings, context, metadata, text = row
        place = (number, id_, document_id, position, start, end)
        yield (*row, seal((*place, text, headings, page, context, metadata)))


def unit_rows(numbered: Numbered) -> Iterator[Row]:
    """Behind the seal stands how many facts the unit has."""
    document_id = numbered.indexed.document.id
    facts = Counter(fact.unit_id for fact in numbered.indexed.facts)
    for row, unit in zip(rows.unit_rows(numbered), numbered.indexed.units, strict=True):
        number, id_, _, start, end, verbatim, degraded, origin, context, text = row
        place = (number, id_, document_id, unit.chunk_id, start, end)
        sum_ = seal((*place, text, context, int(verbatim), origin, int(degraded)))
        yield (*row, sum_, facts[unit.id])


def mention_rows(numbered: Numbered) -> Iterator[Row]:
    mentions = numbered.indexed.mentions
    for row, mention in zip(rows.mention_rows(numbered), mentions, strict=True):
        yield (*row, seal((mention.id, mention.unit_id, mention.entity_id, *row[4:])))


def topic_rows(numbered: Numbered) -> Iterator[Row]:
    for row, topic in zip(rows.topic_rows(numbered), numbered.indexed.topics, strict=True):
        *_, weight, source = row
        yield (*row, seal((topic.chunk_id, topic.entity_id, float(weight), source)))


def fact_rows(numbered: Numbered) -> Iterator[Row]:
    document_id = numbered.indexed.document.id
    for row, fact in zip(rows.fact_rows(numbered), numbered.indexed.facts, strict=True):
        start, end, kind, subject, predicate, object_, as_said, negated, confidence = row[3:12]
        said = (start, end, kind, subject, predicate, object_, as_said)
        rest = row[12:-2]  # the keys of subject and object are derived
        sum_ = seal(
            (fact.id, document_id, fact.unit_id, *said, int(negated), float(confidence), *rest)
        )
        yield (*row, sum_)


def merge_rows(numbered: Numbered) -> Iterator[Row]:
    document_id = numbered.indexed.document.id
    for row in rows.merge_rows(numbered):
        _, _, id_, *said = row
        yield (*row, seal((id_, document_id, *said)))
