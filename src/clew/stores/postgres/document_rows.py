"""The rows of a document, and how they are copied into the tables.

:mod:`clew.stores.rows` makes what every SQL store has; here come the columns that this one has
beside: links name their document and chunk, documents what they bring to the totals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from clew.stores import rows
from clew.stores.numbering import Numbered
from clew.stores.postgres.connections import Session
from clew.stores.postgres.state import Totals
from clew.stores.postgres.statements import Statements
from clew.stores.rows import Row, to_json

_SQL = Statements("copying")

MakeRows = Callable[[Numbered], Iterable[Row]]


def _mention_rows(numbered: Numbered) -> Iterator[Row]:
    units = zip(rows.mention_rows(numbered), numbered.unit_of_mention, strict=True)
    for row, unit in units:
        yield (*row, numbered.number, numbered.chunk_of_unit[unit - numbered.first_unit])


def _with_document(make: MakeRows) -> MakeRows:
    def with_document(numbered: Numbered) -> Iterator[Row]:
        for row in make(numbered):
            yield (*row, numbered.number)

    return with_document


OWN: dict[str, MakeRows] = {
    "bodies": lambda numbered: (rows.body_row(numbered),),
    "chunks": rows.chunk_rows,
    "units": rows.unit_rows,
    "facts": _with_document(rows.fact_rows),
    "merges": rows.merge_rows,
}
"""What a document has for itself, by table."""

SHARING: dict[str, MakeRows] = {
    "mentions": _mention_rows,
    "topics": _with_document(rows.topic_rows),
}
"""What leads from it to entities, whose numbers are known late."""


def copy_records(
    session: Session, tables: Mapping[str, MakeRows], documents: Sequence[Numbered]
) -> None:
    for table, make in tables.items():
        found = (row for numbered in documents for row in make(numbered))
        session.copy(_SQL[table], found)


def copy_documents(session: Session, documents: Sequence[tuple[Numbered, Totals]]) -> None:
    session.copy(
        _SQL["documents"],
        (
            (
                *rows.document_row(numbered),
                totals.edges,
                totals.chunk_terms,
                totals.unit_terms,
                to_json(dict(numbered.indexed.document.metadata)),
            )
            for numbered, totals in documents
        ),
    )


def totals_of(numbered: Numbered, chunk_terms: int, unit_terms: int) -> Totals:
    """What a document brings to the totals; entities are counted with the votes."""
    indexed = numbered.indexed
    mentions = set(zip(numbered.unit_of_mention, numbered.entity_of_mention, strict=True))
    topics = set(zip(numbered.chunk_of_topic, numbered.entity_of_topic, strict=True))
    return Totals(
        documents=1,
        chunks=len(indexed.chunks),
        units=len(indexed.units),
        facts=len(indexed.facts),
        mentions=len(indexed.mentions),
        topics=len(indexed.topics),
        edges=len(indexed.units) + len(mentions) + len(topics),
        chunk_terms=chunk_terms,
        unit_terms=unit_terms,
    )
