"""``where`` clauses: which documents a search may see.

A clause compares keys of the metadata, or ``doc_id``, ``source``, ``title`` and ``media_type`` of
the document where the metadata has no such key; dots lead into nested mappings::

    {"year": {"$gte": 2020}, "lang": ["…"], "$or": [{"tag": "bridge"}, {"author.name": "Orm"}]}

====================================  ========================================================
``$eq``, or a plain value             equal; a list in the metadata is equal to each of its items
                                      too; ``None`` is equal to a missing key
``$ne``                               not ``$eq``
``$gt $gte $lt $lte``                 numbers with numbers, texts with texts (so ISO dates work);
                                      anything else, and a missing key, is false
``$in $nin``                          ``$eq`` to any, to none, of a list
``$exists``                           the key is there (true) or not (false), whatever its value
``$contains``                         a text holds the text, a list holds the item
``$and $or $not``                     a list of clauses, a list of clauses, one clause
====================================  ========================================================

Booleans are not numbers: ``True`` does not equal ``1``. Dates compare as their ISO texts.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Protocol

from clew.errors import FilterError, nearest


class Described(Protocol):
    """What a clause looks at of a document."""

    @property
    def doc_id(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def media_type(self) -> str: ...
    @property
    def metadata(self) -> Mapping[str, Any]: ...


Predicate = Callable[[Described], bool]
_Test = Callable[[Any], bool]

_FIELDS = ("doc_id", "source", "title", "media_type")
_MISSING = object()
_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


def parse_where(where: Mapping[str, Any] | None) -> Predicate:
    """Return the test that ``where`` describes; raise :class:`clew.errors.FilterError`."""
    if where is None:
        return _always
    return _clause(where, "where")


def canonical_where(where: Mapping[str, Any] | None) -> str:
    """A text that two clauses share only if they are one: what caches are asked by."""
    return json.dumps(_told(where or {}), sort_keys=True, ensure_ascii=False)


def _told(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _told(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_told(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((_told(item) for item in value), key=repr)
    if isinstance(value, date):
        return value.isoformat()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise FilterError(
        f"where: cannot compare with a {type(value).__name__}; "
        "use a text, a number, true, false, None, a date or a list"
    )


def _always(_: Described) -> bool:
    return True


def _clause(where: Any, place: str) -> Predicate:
    if not isinstance(where, Mapping):
        raise FilterError(f"{place}: expected a mapping such as {{'year': 2020}}, found {where!r}")
    return _all([_part(key, value, place) for key, value in where.items()])


def _part(key: Any, value: Any, place: str) -> Predicate:
    if not isinstance(key, str):
        raise FilterError(f"{place}: keys are texts, found {key!r}")
    if key in _JOINS:
        return _JOINS[key](value, f"{place}.{key}")
    if key.startswith("$"):
        hint = nearest(key, _JOINS)
        if key in _TESTS:
            hint = f"; it belongs behind a key: {{'year': {{{key!r}: …}}}}"
        raise FilterError(
            f"{place}: unknown operator {key!r}{hint}; valid here: {', '.join(_JOINS)}"
        )
    test = _field_test(value, f"{place}.{key}")
    return lambda document: test(_look_up(document, key))


def _field_test(value: Any, place: str) -> _Test:
    if not isinstance(value, Mapping):
        return _equal_test(value, place)
    if not value:
        raise FilterError(f"{place}: no operator; valid: {', '.join(_TESTS)}")
    tests = []
    for name, operand in value.items():
        if name not in _TESTS:
            guess = nearest(name, _TESTS) or nearest(f"${name}", _TESTS)
            raise FilterError(
                f"{place}: unknown operator {name!r}{guess}; valid: {', '.join(_TESTS)}"
            )
        tests.append(_TESTS[name](operand, f"{place}.{name}"))
    return lambda found: all(test(found) for test in tests)


def _look_up(document: Described, key: str) -> Any:
    if key in document.metadata:
        return document.metadata[key]
    if key in _FIELDS:
        return getattr(document, key)
    value: Any = document.metadata
    for part in key.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return _MISSING
        value = value[part]
    return value


# --- joins ----------------------------------------------------------------------------------------


def _all(parts: list[Predicate]) -> Predicate:
    return lambda document: all(part(document) for part in parts)


def _and(value: Any, place: str) -> Predicate:
    return _all(_clauses(value, place))


def _or(value: Any, place: str) -> Predicate:
    parts = _clauses(value, place)
    return lambda document: any(part(document) for part in parts)


def _not(value: Any, place: str) -> Predicate:
    part = _clause(value, place)
    return lambda document: not part(document)


def _clauses(value: Any, place: str) -> list[Predicate]:
    if not isinstance(value, (list, tuple)) or not value:
        raise FilterError(f"{place}: expected a list of one clause or more, found {value!r}")
    return [_clause(item, f"{place}[{at}]") for at, item in enumerate(value)]


# --- tests of one value ---------------------------------------------------------------------------


def _equal_test(operand: Any, place: str) -> _Test:
    operand = _comparable(operand, place)
    return lambda found: _equal(found, operand)


def _unequal_test(operand: Any, place: str) -> _Test:
    operand = _comparable(operand, place)
    return lambda found: not _equal(found, operand)


def _order_test(compare: Callable[[Any, Any], bool]) -> Callable[[Any, str], _Test]:
    def make(operand: Any, place: str) -> _Test:
        operand = _comparable(operand, place)
        if _kind(operand) not in {"number", "text"}:
            raise FilterError(f"{place}: expected a number, a text or a date, found {operand!r}")
        kind = _kind(operand)
        return lambda found: any(
            _kind(item) == kind and compare(item, operand) for item in _items(found)
        )

    return make


def _in_test(operand: Any, place: str) -> _Test:
    if not isinstance(operand, (list, tuple, set, frozenset)):
        raise FilterError(f"{place}: expected a list of values, found {operand!r}")
    choices = [_comparable(item, place) for item in operand]
    return lambda found: any(_equal(found, choice) for choice in choices)


def _not_in_test(operand: Any, place: str) -> _Test:
    inside = _in_test(operand, place)
    return lambda found: not inside(found)


def _exists_test(operand: Any, place: str) -> _Test:
    if not isinstance(operand, bool):
        raise FilterError(f"{place}: expected true or false, found {operand!r}")
    return lambda found: (found is not _MISSING) is operand


def _contains_test(operand: Any, place: str) -> _Test:
    operand = _comparable(operand, place)

    def holds(found: Any) -> bool:
        if isinstance(found, str):
            return isinstance(operand, str) and operand in found
        return isinstance(found, (list, tuple)) and any(_same(item, operand) for item in found)

    return holds


def _equal(found: Any, operand: Any) -> bool:
    if found is _MISSING:
        return operand is None
    if _same(found, operand):
        return True
    return isinstance(found, (list, tuple)) and any(_same(item, operand) for item in found)


def _same(found: Any, operand: Any) -> bool:
    if isinstance(found, tuple):
        found = list(found)
    return _kind(found) == _kind(operand) and bool(found == operand)


def _items(found: Any) -> list[Any]:
    return list(found) if isinstance(found, (list, tuple)) else [found]


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    return "text" if isinstance(value, str) else "other"


def _comparable(operand: Any, place: str) -> Any:
    if isinstance(operand, date):
        return operand.isoformat()
    if isinstance(operand, tuple):
        operand = list(operand)
    if operand is None or isinstance(operand, (bool, int, float, str, list)):
        return operand
    raise FilterError(
        f"{place}: cannot compare with a {type(operand).__name__}; "
        "use a text, a number, true, false, None, a date or a list"
    )


_JOINS: dict[str, Callable[[Any, str], Predicate]] = {"$and": _and, "$or": _or, "$not": _not}
_TESTS: dict[str, Callable[[Any, str], _Test]] = {
    "$eq": _equal_test,
    "$ne": _unequal_test,
    **{name: _order_test(compare) for name, compare in _ORDERS.items()},
    "$in": _in_test,
    "$nin": _not_in_test,
    "$exists": _exists_test,
    "$contains": _contains_test,
}
