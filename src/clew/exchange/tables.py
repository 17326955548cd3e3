"""Documents as tables: one for each kind of record, a row a record, a column a field.

Rows stand in the order of the documents, so that those of one document are side by side in every
table, and a reader can put documents together again one at a time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal

from clew.records import (
    Chunk,
    Document,
    Entity,
    EntityDecision,
    EntityMerge,
    Fact,
    IndexedDocument,
    KnowledgeUnit,
    Mention,
    Topic,
)
from clew.stores.base import Scores
from clew.stores.codec import record_to_dict

Kind = Literal["text", "whole", "number", "flag", "texts", "json", "vector"]
Row = dict[str, Any]

_KINDS: Final[Mapping[str, Kind]] = {
    "str": "text",
    "FactKind": "text",
    "int": "whole",
    "int | None": "whole",
    "float": "number",
    "bool": "flag",
    "tuple[str, ...]": "texts",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """``columns`` leads from names to kinds; ``json`` is text, and ``vector`` a list of the
    dimensions of the embedder.
    """

    name: str
    columns: Mapping[str, Kind]


def _table(name: str, record: type[Any], **more: Kind) -> Table:
    own = {item.name: _KINDS.get(str(item.type), "json") for item in fields(record)}
    return Table(name=name, columns={**own, **more})


DOCUMENTS: Final = _table("documents", Document, reply_keys="texts")
PARTS: Final[Mapping[str, Table]] = {
    "chunks": _table("chunks", Chunk, vector="vector"),
    "units": _table("units", KnowledgeUnit, vector="vector"),
    "mentions": _table("mentions", Mention),
    "entities": _table("entities", Entity, document_id="text"),
    "topics": _table("topics", Topic, document_id="text"),
    "facts": _table("facts", Fact),
    "merges": _table("merges", EntityMerge),
    "replies": Table(
        name="replies", columns={"document_id": "text", "key": "text", "reply": "text"}
    ),
}
DECISIONS: Final = _table("decisions", EntityDecision)
TABLES: Final = (DOCUMENTS, *PARTS.values(), DECISIONS)

_LAYERS: Final[Mapping[str, Callable[[IndexedDocument], Scores | None]]] = {
    "chunks": lambda indexed: indexed.chunk_vectors,
    "units": lambda indexed: indexed.unit_vectors,
}


def rows_of(
    indexed: IndexedDocument, replies: Mapping[str, str], *, vectors: bool = True
) -> Iterator[tuple[Table, list[Row]]]:
    """The rows of one document in each table but that of decisions."""
    document = indexed.document
    head = _row(document, DOCUMENTS) | {"reply_keys": list(indexed.reply_keys)}
    yield DOCUMENTS, [head]
    for name, table in PARTS.items():
        if name == "replies":
            kept = sorted(replies.items())
            yield (
                table,
                [{"document_id": document.id, "key": key, "reply": reply} for key, reply in kept],
            )
            continue
        rows = [_row(record, table, document.id) for record in getattr(indexed, name)]
        if name in _LAYERS:
            given = _LAYERS[name](indexed) if vectors else None
            for at, row in enumerate(rows):
                row["vector"] = None if given is None else given[at]
        yield table, rows


def decision_rows(decisions: Iterable[EntityDecision]) -> list[Row]:
    return [_row(decision, DECISIONS) for decision in decisions]


def plain_of(row: Row, table: Table) -> Row:
    """A row as :mod:`clew.stores.codec` reads records: without the columns that only join tables,
    and with JSON unfolded.
    """
    joins = {"vector", "reply_keys"}
    if table.name in {"entities", "topics"}:
        joins.add("document_id")
    return {
        name: json.loads(row[name]) if kind == "json" else row[name]
        for name, kind in table.columns.items()
        if name not in joins
    }


def _row(record: Any, table: Table, document_id: str = "") -> Row:
    row = record_to_dict(record)
    for name, kind in table.columns.items():
        if kind == "json":
            row[name] = json.dumps(row[name], ensure_ascii=False)
    if "document_id" in table.columns:
        row.setdefault("document_id", document_id)
    return row
