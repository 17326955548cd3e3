"""Reading documents back whole: one, or many that follow each other in a few statements."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np

from clew.errors import NotFoundError
from clew.records import IndexedDocument
from clew.stores import rows
from clew.stores.base import Numbers
from clew.stores.rows import Row
from clew.stores.sqlite.documents import RecordReader
from clew.stores.sqlite.seals import DamagedPartError, unsealed
from clew.stores.sqlite.statements import statements

Kind = Literal["chunks", "units", "mentions", "topics", "facts"]
Record = TypeVar("Record")

_SQL = statements("records")
_KINDS: tuple[Kind, ...] = ("chunks", "units", "mentions", "topics", "facts")


@dataclass(frozen=True, slots=True)
class Spans:
    """Where the records of a document lie: ``spans[kind]`` is (number of the first, count)."""

    number: int
    id: str
    spans: dict[Kind, tuple[int, int]]

    def numbers(self, kind: Kind) -> Numbers:
        first, count = self.spans[kind]
        return np.arange(first, first + count, dtype=np.int64)

    @property
    def units(self) -> int:
        return self.spans["units"][1]


Whole = tuple[Spans, IndexedDocument]


class WholeDocuments:
    """Reads on one connection, inside the transaction that it is in. Raises
    :class:`DamagedPartError` for what is missing or differs from its seal.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute = connection.execute
        self._records = RecordReader(connection)

    def spans_in_turn(self) -> list[Spans]:
        """Of all documents, in order of number."""
        return list(map(_spans, unsealed(self._execute(_SQL["spans_in_turn"]), "documents")))

    def indexed(self, document_id: str) -> Whole | None:
        """Everything but the vectors of a document."""
        found = self._execute(_SQL["spans"], (document_id,)).fetchall()
        lines = list(map(_spans, unsealed(found, "documents")))
        return self.in_turn(lines)[0] if lines else None

    def in_turn(self, lines: Sequence[Spans]) -> list[Whole]:
        """Everything but the vectors of documents that follow each other in order of number."""
        numbers = np.array([line.number for line in lines], np.int64)
        between = int(numbers[0]), int(numbers[-1])
        rests = {row[0]: row for row in self._read("rests", "bodies", between)}
        merges = self._merges(between)
        try:
            documents = self._records.documents(numbers)
            chunks = self._by_number("chunks", lines, self._records.chunks)
            units = self._by_number("units", lines, self._records.units)
        except NotFoundError as error:
            raise DamagedPartError(f"a record is missing: {error}") from error
        mentions = self._in_span("mentions", lines)
        topics = self._in_span("topics", lines)
        facts = self._in_span("facts", lines, first=1)
        whole = []
        for line, document in zip(lines, documents, strict=True):
            if line.number not in rests:
                raise DamagedPartError(f"the body of the document {document.doc_id!r} is missing")
            _, entities, reply_keys, _ = rests[line.number]
            indexed = IndexedDocument(
                document=document,
                chunks=tuple(next(chunks)),
                units=tuple(next(units)),
                mentions=tuple(rows.mention_of(row, line.id) for row in next(mentions)),
                entities=rows.entities_from_json(entities),
                topics=tuple(map(rows.topic_of, next(topics))),
                facts=tuple(map(rows.fact_of, next(facts))),
                merges=tuple(map(rows.merge_of, merges.get(line.id, ()))),
                reply_keys=tuple(json.loads(reply_keys)),
            )
            whole.append((line, indexed))
        return whole

    def _merges(self, between: tuple[int, int]) -> dict[str, list[Row]]:
        """Per document, in order: a place that is missing, or twice there, is damage."""
        merges: dict[str, list[Row]] = {}
        for position, *row in self._read("merges_in_turn", "merges", between, first=1):
            found = merges.setdefault(row[1], [])
            if position != len(found):
                raise DamagedPartError("rows of the table merges are not in their order")
            found.append(tuple(row))
        return merges

    def _by_number(
        self, kind: Kind, lines: Sequence[Spans], read: Callable[[Numbers], list[Record]]
    ) -> Iterator[list[Record]]:
        found = read(np.concatenate([line.numbers(kind) for line in lines]))
        return _parts(kind, lines, found)

    def _in_span(self, kind: Kind, lines: Sequence[Spans], first: int = 0) -> Iterator[list[Row]]:
        """The rows between the first and the last: there are no others between them."""
        starts = [line.spans[kind][0] for line in lines]
        ends = [sum(line.spans[kind]) - 1 for line in lines]
        span = min(starts), max(ends)
        return _parts(kind, lines, list(self._read(f"{kind}_in_turn", kind, span, first=first)))

    def _read(
        self, statement: str, table: str, asked: Sequence[Any], first: int = 0
    ) -> Iterator[Row]:
        return unsealed(self._execute(_SQL[statement], asked), table, first=first)


def _spans(row: Row) -> Spans:
    firsts_and_counts = row[2:-1]
    spans = zip(firsts_and_counts[::2], firsts_and_counts[1::2], strict=True)
    return Spans(row[0], row[1], dict(zip(_KINDS, spans, strict=True)))


def _parts(kind: Kind, lines: Sequence[Spans], found: list[Record]) -> Iterator[list[Record]]:
    counts = [line.spans[kind][1] for line in lines]
    if len(found) != sum(counts):
        raise DamagedPartError(
            f"{len(found)} rows of the table {kind} where there were {sum(counts)}"
        )
    at = 0

    def parts() -> Iterator[list[Record]]:
        nonlocal at
        for count in counts:
            yield found[at : at + count]
            at += count

    return parts()
