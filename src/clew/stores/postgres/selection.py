"""Which documents a search may see, decided by the database.

A ``where`` clause (:mod:`clew.stores.filters`, which also says what is wrong with one) becomes a
condition over the metadata, so that only the numbers of documents come back. Values are parameters;
nothing that somebody typed becomes part of the statement. A key that is missing is an SQL null,
a value of ``None`` the JSON null; every comparison is made true or false, never unknown, so that
``$not`` and ``$nin`` mean what they say.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from math import isfinite
from typing import Any

from clew.stores.base import Numbers
from clew.stores.filters import parse_where
from clew.stores.postgres.connections import Session, sayable

_FIELDS: dict[str, str] = {
    "doc_id": "doc_id",
    "source": "source",
    "title": "title",
    "media_type": "media_type",
}
_ORDERS: dict[str, str] = {"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
_TRUE: str = "true"
_FALSE: str = "false"


def select_documents(
    session: Session, scope: str | None, where: Mapping[str, Any] | None
) -> Numbers:
    """The sorted numbers of the documents; raises :class:`clew.errors.FilterError`."""
    parse_where(where)
    condition = _Condition()
    parts = []
    if scope is not None:
        parts.append(condition.scope(scope))
    if where is not None:
        parts.append(condition.clause(where))
    numbers: Numbers = session.row(
        "SELECT coalesce(array_agg(number ORDER BY number), '{}') FROM documents WHERE "
        + _joined(parts, " AND ", _TRUE),
        condition.parameters,
    )[0]
    return numbers


class _Condition:
    """Builds one condition; its values gather in ``parameters``."""

    def __init__(self) -> None:
        self.parameters: dict[str, Any] = {}

    def scope(self, scope: str) -> str:
        if not sayable(scope):
            return _FALSE
        name = self._value(scope)
        return "(left(scope, 200) = left(" + name + ", 200) AND scope = " + name + ")"

    def clause(self, where: Mapping[str, Any]) -> str:
        return _joined([self._part(key, value) for key, value in where.items()], " AND ", _TRUE)

    def _part(self, key: str, value: Any) -> str:
        if key == "$not":
            return "(NOT " + self.clause(value) + ")"
        if key in {"$and", "$or"}:
            word: str = " AND " if key == "$and" else " OR "
            return _joined([self.clause(item) for item in value], word, _TRUE)
        found = self._found(key)
        if not isinstance(value, Mapping):
            return self._equal(found, value)
        tests = [self._test(found, name, operand) for name, operand in value.items()]
        return _joined(tests, " AND ", _TRUE)

    def _found(self, key: str) -> str:
        """The value of a key: of the metadata, a field of the document, or inside mappings."""
        if not sayable(key):
            return "NULL::jsonb"
        places: list[str] = ["described -> " + self._value(key)]
        if key in _FIELDS:
            places.append("to_jsonb(" + _FIELDS[key] + ")")
        elif "." in key:
            inside: str = "described"
            for part in key.split("."):
                inside = inside + " -> " + self._value(part)
            places.append(inside)
        return "coalesce(" + ", ".join(places) + ")"

    def _test(self, found: str, name: str, operand: Any) -> str:
        if name == "$eq":
            return self._equal(found, operand)
        if name == "$ne":
            return "(NOT " + self._equal(found, operand) + ")"
        if name in _ORDERS:
            return self._ordered(found, _ORDERS[name], operand)
        if name in {"$in", "$nin"}:
            inside = _joined([self._equal(found, item) for item in operand], " OR ", _FALSE)
            return inside if name == "$in" else "(NOT " + inside + ")"
        if name == "$exists":
            return "(" + found + (" IS NOT NULL)" if operand else " IS NULL)")
        return self._contains(found, operand)

    def _equal(self, found: str, operand: Any) -> str:
        operand = _comparable(operand)
        if not _is_json(operand):
            return _FALSE
        value = self._json(operand)
        missing: str = found + " IS NULL OR " if operand is None else ""
        return (
            "("
            + missing
            + "coalesce("
            + found
            + " = "
            + value
            + ", false) OR "
            + _any_item(found, "item = " + value)
            + ")"
        )

    def _ordered(self, found: str, order: str, operand: Any) -> str:
        operand = _comparable(operand)
        if isinstance(operand, str):
            if not sayable(operand):
                return _FALSE
            kind: str = "string"
            side: str = "(item #>> '{}') COLLATE \"C\""
            value = self._value(operand)
        elif operand != operand:  # noqa: PLR0124 - not a number: nothing is more or less
            return _FALSE
        else:
            kind, side = "number", "(item #>> '{}')::numeric"
            value = self._value(str(operand)) + "::numeric"
        test = (
            "CASE WHEN jsonb_typeof(item) = '"
            + kind
            + "' THEN "
            + side
            + " "
            + order
            + " "
            + value
            + " ELSE false END"
        )
        one: str = "(SELECT " + test + " FROM (SELECT " + found + " AS item) AS alone)"
        return "(coalesce(" + one + ", false) OR " + _any_item(found, test) + ")"

    def _contains(self, found: str, operand: Any) -> str:
        operand = _comparable(operand)
        if not _is_json(operand):
            return _FALSE
        item = _any_item(found, "item = " + self._json(operand))
        if not isinstance(operand, str):
            return item
        inside = (
            "coalesce(CASE WHEN jsonb_typeof("
            + found
            + ") = 'string' THEN strpos("
            + found
            + " #>> '{}', "
            + self._value(operand)
            + ") > 0 END, false)"
        )
        return "(" + inside + " OR " + item + ")"

    def _value(self, value: str) -> str:
        name = f"w{len(self.parameters)}"
        self.parameters[name] = value
        return "%(" + name + ")s::text"

    def _json(self, value: Any) -> str:
        return self._value(json.dumps(value)) + "::jsonb"


def _any_item(found: str, test: str) -> str:
    """Whether an item of the list that ``found`` is, if it is one, passes the test."""
    return (
        "EXISTS (SELECT FROM jsonb_array_elements(CASE jsonb_typeof("
        + found
        + ") WHEN 'array' THEN "
        + found
        + " ELSE '[]' END) AS items (item) WHERE "
        + test
        + ")"
    )


def _joined(parts: Sequence[str], word: str, none: str) -> str:
    return "(" + word.join(parts) + ")" if parts else none


def _comparable(operand: Any) -> Any:
    if isinstance(operand, date):
        return operand.isoformat()
    return list(operand) if isinstance(operand, tuple) else operand


def _is_json(value: Any) -> bool:
    """Whether stored metadata can hold the value at all."""
    if isinstance(value, str):
        return sayable(value)
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, (list, tuple)):
        return all(map(_is_json, value))
    if isinstance(value, Mapping):
        return all(isinstance(key, str) and sayable(key) for key in value) and all(
            map(_is_json, value.values())
        )
    return value is None or isinstance(value, (bool, int))
