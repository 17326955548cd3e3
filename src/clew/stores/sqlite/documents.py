"""Reading records back out of ``main.db``."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from clew.records import Chunk, Document, EntityMerge, Fact, KnowledgeUnit
from clew.stores import rows
from clew.stores.base import Numbers
from clew.stores.filters import Described
from clew.stores.rows import Row, in_order
from clew.stores.sqlite.seals import DamagedPartError, unsealed
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
        bodies = {row[0]: row for row in self._read("bodies", "bodies", asked)}

        def whole(row: Row) -> Document:
            body = bodies.get(row[0])
            if body is None:
                raise DamagedPartError(f"the text of the document {row[2]!r} is missing")
            return rows.document_of(row, text=body[1], blocks=body[2])

        return in_order(
            self._read("documents_by_number", "documents", asked), numbers, whole, "document"
        )

    def cards(self, documents: Numbers | None) -> list[tuple[int, Document]]:
        """(number, document without text and blocks) in no order."""
        if documents is None:
            found = list(self._read("documents", "documents"))
        else:
            found = list(self._read("documents_by_number", "documents", as_json(documents)))
        metadata = rows.from_json_list(row[7] for row in found)
        return [
            (row[0], rows.document_of(row, metadata=values))
            for row, values in zip(found, metadata, strict=True)
        ]

    def described(self, scope: str | None) -> list[tuple[int, Described]]:
        """(number, what filters look at) in order of number."""
        found = list(self._read("described", "documents", scope, scope))
        metadata = rows.from_json_list(row[7] for row in found)
        return [
            (row[0], _Description(row[2], row[4], row[3], row[5], values))
            for row, values in zip(found, metadata, strict=True)
        ]

    def in_scope(self, scope: str) -> Numbers:
        found = self._execute(_SQL["scope"], (scope,)).fetchall()
        return np.array([number for (number,) in found], np.int64)

    def chunks(self, numbers: Numbers) -> list[Chunk]:
        found = self._read("chunks", "chunks", as_json(numbers))
        return in_order(found, numbers, rows.chunk_of, "chunk")

    def units(self, numbers: Numbers) -> list[KnowledgeUnit]:
        found = self._read("units", "units", as_json(numbers))
        return in_order(found, numbers, rows.unit_of, "unit")

    def facts_of_units(self, units: Numbers) -> list[list[Fact]]:
        by_unit: dict[int, list[Fact]] = {}
        for row in self._read("facts_of_units", "facts", as_json(units), first=1):
            by_unit.setdefault(row[0], []).append(rows.fact_of(row))
        (counted,) = self._execute(_SQL["counts_of_facts"], (as_json(units),)).fetchone()
        if sum(map(len, by_unit.values())) != (counted or 0):
            raise DamagedPartError("the index of facts by unit is damaged")
        return [list(by_unit.get(unit, ())) for unit in np.asarray(units).tolist()]

    def find_facts(
        self,
        keys: Sequence[str] | None,
        predicates: Sequence[str] | None,
        documents: Numbers | None,
    ) -> Iterator[Fact]:
        said = None if predicates is None else as_json(predicates)
        if keys is not None:
            found = self._read("facts_about", "facts", as_json(keys), said, first=1)
        elif predicates is not None:
            found = self._read("facts_saying", "facts", said, first=1)
        else:
            found = self._read("all_facts", "facts", first=1)
        wanted = None if documents is None else frozenset(documents.tolist())
        for row in found:
            if wanted is None or row[0] in wanted:
                yield rows.fact_of(row)

    def predicates(self, documents: Numbers | None) -> dict[str, int]:
        wanted = None if documents is None else as_json(documents)
        return dict(self._execute(_SQL["predicates"], (wanted,)).fetchall())

    def merges(self, document_id: str | None) -> list[EntityMerge]:
        if document_id is None:
            found = self._read("merges", "merges")
        else:
            found = self._read("merges_of_document", "merges", document_id)
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
        return {row[0]: row[1] for row in self._read("replies", "replies", as_json(keys))}

    def _read(self, statement: str, table: str, *asked: Any, first: int = 0) -> Iterator[Row]:
        return unsealed(self._execute(_SQL[statement], asked), table, first=first)
