"""Reading records back out of the tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from clew.records import Chunk, Document, EntityMerge, Fact, IndexedDocument, KnowledgeUnit
from clew.stores import rows
from clew.stores.base import Layer, Numbers
from clew.stores.postgres.connections import Session, sayable
from clew.stores.postgres.state import Totals
from clew.stores.postgres.statements import Statements
from clew.stores.rows import in_order

RecordLayer = Literal["document", "chunk", "unit", "entity"]

_SQL = Statements("records")
_SHORT = 200
"""The characters of a name that its index has (``0001_initial.sql``)."""


class Found(NamedTuple):
    """A document as it stands in the tables: its number, those of its chunks and units, everything
    but the vectors, and what it brings to the totals.
    """

    number: int
    chunks: Numbers
    units: Numbers
    indexed: IndexedDocument
    totals: Totals


def shortened(keys: Sequence[str]) -> list[str]:
    return [key[:_SHORT] for key in keys]


class RecordReader:
    """Reads records on one connection, inside the transaction that it is in."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def documents(self, numbers: Numbers) -> list[Document]:
        asked = {"numbers": numbers}
        bodies = {row[0]: row for row in self._session.rows(_SQL["bodies"], asked)}
        return in_order(
            self._session.rows(_SQL["documents"], asked),
            numbers,
            lambda row: rows.document_of(row, text=bodies[row[0]][1], blocks=bodies[row[0]][2]),
            "document",
        )

    def cards(self, documents: Numbers | None) -> list[Document]:
        """Documents without text and blocks, in no order."""
        found = self._session.rows(_SQL["documents"], {"numbers": documents})
        metadata = rows.from_json_list(row[7] for row in found)
        return [
            rows.document_of(row, metadata=values)
            for row, values in zip(found, metadata, strict=True)
        ]

    def chunks(self, numbers: Numbers) -> list[Chunk]:
        found = self._session.rows(_SQL["chunks"], {"numbers": numbers})
        return in_order(found, numbers, rows.chunk_of, "chunk")

    def units(self, numbers: Numbers) -> list[KnowledgeUnit]:
        found = self._session.rows(_SQL["units"], {"numbers": numbers})
        return in_order(found, numbers, rows.unit_of, "unit")

    def facts_of_units(self, units: Numbers) -> list[list[Fact]]:
        by_unit: dict[int, list[Fact]] = {}
        for row in self._session.rows(_SQL["facts_of_units"], {"units": units}):
            by_unit.setdefault(row[0], []).append(rows.fact_of(row))
        return [list(by_unit.get(unit, ())) for unit in np.asarray(units).tolist()]

    def find_facts(
        self,
        keys: Sequence[str] | None,
        predicates: Sequence[str] | None,
        documents: Numbers | None,
    ) -> Iterator[Fact]:
        about = None if keys is None else list(filter(sayable, keys))
        said = None if predicates is None else list(filter(sayable, predicates))
        parameters = {
            "keys": about,
            "short_keys": shortened(about or ()),
            "predicates": said,
            "short_predicates": shortened(said or ()),
            "documents": documents,
        }
        for row in self._session.stream(_SQL["find_facts"], parameters):
            yield rows.fact_of(row)

    def predicates(self, documents: Numbers | None) -> dict[str, int]:
        return dict(self._session.rows(_SQL["predicates"], {"documents": documents}))

    def merges(self, document_id: str | None) -> list[EntityMerge]:
        found = self._session.rows(_SQL["merges"], {"id": document_id})
        return sorted(map(rows.merge_of, found), key=lambda line: (line.document_id, line.id))

    def document_of_merge(self, merge_id: str) -> str | None:
        found = self._session.one(_SQL["document_of_merge"], {"id": merge_id})
        return None if found is None else str(found[0])

    def numbers(self, layer: RecordLayer, ids: Sequence[str]) -> Numbers:
        asked = {"ids": list(filter(sayable, ids))}
        found = dict(self._session.rows(_SQL[f"{layer}_numbers"], asked))
        return np.array([found.get(id_, -1) for id_ in ids], np.int64)

    def spans(self) -> dict[str, tuple[int, ...]]:
        """Per document id: its number, its first chunk and how many, its first unit and how
        many.
        """
        found = self._session.rows(_SQL["all_document_numbers"])
        return {row[0]: tuple(row[1:]) for row in found}

    def replies(self, keys: Sequence[str]) -> dict[str, str]:
        return dict(self._session.rows(_SQL["replies"], {"keys": list(filter(sayable, keys))}))

    def count_documents(self, numbers: Numbers) -> int:
        """How many of ``numbers`` are documents."""
        return int(self._session.row(_SQL["count_documents"], {"numbers": numbers})[0])

    def lengths(self, documents: Numbers) -> dict[Layer, tuple[int, int]]:
        """Per layer how many records some documents have, and the length of their texts."""
        found = self._session.row(_SQL["lengths"], {"documents": documents})
        chunks, chunk_terms, units, unit_terms = map(int, found)
        return {"chunk": (chunks, chunk_terms), "unit": (units, unit_terms)}

    def totals(self, documents: Numbers) -> Totals:
        """What some documents hold, the entities that they speak of included."""
        asked = {"documents": documents}
        sums = self._session.row(_SQL["totals"], asked)
        names = ("documents", "chunks", "units", "facts", "mentions", "topics", "edges")
        counted = {name: int(count) for name, count in zip(names, sums, strict=True)}
        entities = int(self._session.row(_SQL["entities_spoken_of"], asked)[0])
        return Totals(entities=entities, **counted)

    def indexed(self, document_id: str) -> Found | None:
        """A document, everything but the vectors."""
        if not sayable(document_id):
            return None
        found = self._session.one(_SQL["document_ranges"], {"id": document_id})
        if found is None:
            return None
        number, spans, (edges, chunk_terms, unit_terms) = found[0], found[1:11], found[11:]
        chunks, units, mentions, topics, facts = (
            {"first": first, "last": first + count - 1}
            for first, count in zip(spans[::2], spans[1::2], strict=True)
        )
        chunk_numbers, unit_numbers = _numbers(chunks), _numbers(units)
        one = {"numbers": np.array([number], np.int64)}
        cards, bodies, of_chunks, of_units, of_mentions, of_topics, of_facts, of_merges = (
            self._session.together(
                (_SQL["documents"], one),
                (_SQL["bodies"], one),
                (_SQL["chunks"], {"numbers": chunk_numbers}),
                (_SQL["units"], {"numbers": unit_numbers}),
                (_SQL["mentions"], mentions),
                (_SQL["topics"], topics),
                (_SQL["facts_of_document"], facts),
                (_SQL["merges"], {"id": document_id}),
            )
        )
        bodies = bodies or [(number, "", "[]", "[]", "[]")]  # for a check, which will tell
        _, text, blocks, entities, reply_keys = bodies[0]
        indexed = IndexedDocument(
            document=rows.document_of(cards[0], text=text, blocks=blocks),
            chunks=tuple(in_order(of_chunks, chunk_numbers, rows.chunk_of, "chunk")),
            units=tuple(in_order(of_units, unit_numbers, rows.unit_of, "unit")),
            mentions=tuple(rows.mention_of(row, document_id) for row in of_mentions),
            entities=rows.entities_from_json(entities),
            topics=tuple(map(rows.topic_of, of_topics)),
            facts=tuple(map(rows.fact_of, of_facts)),
            merges=tuple(map(rows.merge_of, of_merges)),
            reply_keys=tuple(json.loads(reply_keys)),
        )
        totals = Totals(
            documents=1,
            chunks=len(indexed.chunks),
            units=len(indexed.units),
            facts=len(indexed.facts),
            mentions=len(indexed.mentions),
            topics=len(indexed.topics),
            edges=edges,
            chunk_terms=chunk_terms,
            unit_terms=unit_terms,
        )
        return Found(number, chunk_numbers, unit_numbers, indexed, totals)


def _numbers(span: dict[str, Any]) -> Numbers:
    return np.arange(span["first"], span["last"] + 1, dtype=np.int64)
