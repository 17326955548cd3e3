"""Reading records back out of ``main.db``."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from clew.records import Chunk, Document, EntityMerge, Fact, IndexedDocument, KnowledgeUnit
from clew.stores import rows
from clew.stores.base import Numbers
from clew.stores.filters import Described
from clew.stores.rows import in_order
from clew.stores.sqlite.statements import statements

RecordLayer = Literal["document", "chunk", "unit", "entity"]

_SQL = statements("records")


def as_json(values: Iterable[int | str] | Numbers) -> str:
    """Many numbers or texts as one parameter (``json_each`` unfolds it)."""
    return json.dumps(values.tolist() if isinstance(values, np.ndarray) else list(values))


class _Description(NamedTuple):
    """:class:`clew.stores.filters.Described`"""

    doc_id: str
    source: str
    title: str
    media_type: str
    metadata: dict[str, Any]


class RecordReader:
    """Reads records on one connection, inside the transaction that it is in."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute = connection.execute

    def documents(self, numbers: Numbers) -> list[Document]:
        asked = as_json(numbers)
        bodies = {row[0]: row for row in self._execute(_SQL["bodies"], (asked,))}
        found = self._execute(_SQL["documents_by_number"], (asked,))
        return in_order(
            found,
            numbers,
            lambda row: rows.document_of(row, text=bodies[row[0]][1], blocks=bodies[row[0]][2]),
            "document",
        )

    def cards(self, documents: Numbers | None) -> list[tuple[int, Document]]:
        """(number, document without text and blocks) in no order."""
        if documents is None:
            found = self._execute(_SQL["documents"]).fetchall()
        else:
            found = self._execute(_SQL["documents_by_number"], (as_json(documents),)).fetchall()
        metadata = rows.from_json_list(row[7] for row in found)
        return [
            (row[0], rows.document_of(row, metadata=values))
            for row, values in zip(found, metadata, strict=True)
        ]

    def described(self, scope: str | None) -> list[tuple[int, Described]]:
        """(number, what filters look at) in order of number."""
        found = self._execute(_SQL["described"], (scope, scope)).fetchall()
        metadata = rows.from_json_list(row[5] for row in found)
        return [
            (row[0], _Description(row[1], row[2], row[3], row[4], values))
            for row, values in zip(found, metadata, strict=True)
        ]

    def in_scope(self, scope: str) -> Numbers:
        found = self._execute(_SQL["scope"], (scope,)).fetchall()
        return np.array([number for (number,) in found], np.int64)

    def chunks(self, numbers: Numbers) -> list[Chunk]:
        found = self._execute(_SQL["chunks"], (as_json(numbers),))
        return in_order(found, numbers, rows.chunk_of, "chunk")

    def units(self, numbers: Numbers) -> list[KnowledgeUnit]:
        found = self._execute(_SQL["units"], (as_json(numbers),))
        return in_order(found, numbers, rows.unit_of, "unit")

    def facts_of_units(self, units: Numbers) -> list[list[Fact]]:
        by_unit: dict[int, list[Fact]] = {}
        for row in self._execute(_SQL["facts_of_units"], (as_json(units),)):
            by_unit.setdefault(row[0], []).append(rows.fact_of(row))
        return [list(by_unit.get(unit, ())) for unit in np.asarray(units).tolist()]

    def find_facts(
        self,
        keys: Sequence[str] | None,
        predicates: Sequence[str] | None,
        documents: Numbers | None,
    ) -> Iterator[Fact]:
        said = None if predicates is None else as_json(predicates)
        if keys is not None:
            found = self._execute(_SQL["facts_about"], (as_json(keys), said))
        elif predicates is not None:
            found = self._execute(_SQL["facts_saying"], (said,))
        else:
            found = self._execute(_SQL["all_facts"])
        wanted = None if documents is None else frozenset(documents.tolist())
        for row in found:
            if wanted is None or row[0] in wanted:
                yield rows.fact_of(row)

    def predicates(self, documents: Numbers | None) -> dict[str, int]:
        wanted = None if documents is None else as_json(documents)
        return dict(self._execute(_SQL["predicates"], (wanted,)).fetchall())

    def merges(self, document_id: str | None) -> list[EntityMerge]:
        if document_id is None:
            found = self._execute(_SQL["merges"])
        else:
            found = self._execute(_SQL["merges_of_document"], (document_id,))
        return sorted(map(rows.merge_of, found), key=lambda line: (line.document_id, line.id))

    def document_of_merge(self, merge_id: str) -> str | None:
        found = self._execute(_SQL["document_of_merge"], (merge_id,)).fetchone()
        return None if found is None else str(found[0])

    def numbers(self, layer: RecordLayer, ids: Sequence[str]) -> Numbers:
        found = dict(self._execute(_SQL[f"{layer}_numbers"], (as_json(ids),)).fetchall())
        return np.array([found.get(id_, -1) for id_ in ids], np.int64)

    def all_document_numbers(self) -> dict[str, int]:
        return dict(self._execute(_SQL["all_document_numbers"]).fetchall())

    def replies(self, keys: Sequence[str]) -> dict[str, str]:
        return dict(self._execute(_SQL["replies"], (as_json(keys),)).fetchall())

    def indexed(self, document_id: str) -> tuple[int, IndexedDocument] | None:
        """(number, everything but the vectors) of a document."""
        spans = self._execute(_SQL["document_ranges"], (document_id,)).fetchone()
        if spans is None:
            return None
        number, *firsts_and_counts = spans
        chunks, units, mentions, topics, facts = (
            (first, first + count - 1)
            for first, count in zip(firsts_and_counts[::2], firsts_and_counts[1::2], strict=True)
        )
        entities, reply_keys = self._execute(_SQL["body"], (number,)).fetchone()
        merges = self._execute(_SQL["merges_of_document"], (document_id,))
        indexed = IndexedDocument(
            document=self.documents(np.array([number], np.int64))[0],
            chunks=tuple(self.chunks(_numbers(chunks))),
            units=tuple(self.units(_numbers(units))),
            mentions=tuple(
                rows.mention_of(row, document_id)
                for row in self._execute(_SQL["mentions"], mentions)
            ),
            entities=rows.entities_from_json(entities),
            topics=tuple(map(rows.topic_of, self._execute(_SQL["topics"], topics))),
            facts=tuple(map(rows.fact_of, self._execute(_SQL["facts_of_document"], facts))),
            merges=tuple(map(rows.merge_of, merges)),
            reply_keys=tuple(json.loads(reply_keys)),
        )
        return number, indexed


def _numbers(span: tuple[Any, Any]) -> Numbers:
    return np.arange(span[0], span[1] + 1, dtype=np.int64)
