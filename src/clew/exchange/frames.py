"""Data frames of pandas (extra ``pandas``), one for each kind of record."""

from __future__ import annotations

from typing import Any

from clew.exchange.selection import Selection
from clew.exchange.tables import DECISIONS, TABLES, Row, Table, decision_rows, rows_of
from clew.models.extras import import_extra


def frames_of(selection: Selection) -> dict[str, Any]:
    """Return ``{table: DataFrame}``, all in memory: the tables of :mod:`clew.exchange.tables`.
    ``entities`` is what each document says of its entities; their ``id`` joins documents.
    """
    pandas = import_extra("pandas", extra="pandas", purpose="to_pandas()")
    rows: dict[str, list[Row]] = {table.name: [] for table in TABLES}
    for indexed in selection.documents():
        replies = selection.replies(indexed)
        for table, some in rows_of(indexed, replies, vectors=selection.vectors):
            rows[table.name] += some
    rows[DECISIONS.name] = decision_rows(selection.decisions)
    return {table.name: _frame(pandas, table, rows[table.name]) for table in TABLES}


def _frame(pandas: Any, table: Table, rows: list[Row]) -> Any:
    return pandas.DataFrame(rows, columns=list(table.columns))
