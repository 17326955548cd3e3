"""Filters as people write them."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.cli.where import where_of
from clew.errors import FilterError

_READ: list[tuple[str, dict[str, Any]]] = [
    ("year = 2020", {"year": {"$eq": 2020}}),
    ("year==2020", {"year": {"$eq": 2020}}),
    ("year >= 2020", {"year": {"$gte": 2020}}),
    ("rating<4.5", {"rating": {"$lt": 4.5}}),
    ("rating > -1e3", {"rating": {"$gt": -1000.0}}),
    ("year = -007", {"year": {"$eq": -7}}),
    ("lang != en", {"lang": {"$ne": "en"}}),
    ('year = "2020"', {"year": {"$eq": "2020"}}),
    ("draft = true", {"draft": {"$eq": True}}),
    ("note = null", {"note": {"$eq": None}}),
    ("note = 'null'", {"note": {"$eq": "null"}}),
    ("when <= 2024-01-31", {"when": {"$lte": "2024-01-31"}}),
    ("lang in [en, 'de', 3]", {"lang": {"$in": ["en", "de", 3]}}),
    ("lang IN (en)", {"lang": {"$in": ["en"]}}),
    ("lang not in []", {"lang": {"$nin": []}}),
    ('author.name = "Ida \\"I\\" Holm"', {"author.name": {"$eq": 'Ida "I" Holm'}}),
    ('"odd key" exists', {"odd key": {"$exists": True}}),
    ("year missing", {"year": {"$exists": False}}),
    ("tags contains 'old mill'", {"tags": {"$contains": "old mill"}}),
    ("'in' = x", {"in": {"$eq": "x"}}),
    ("not a = 1", {"$not": {"a": {"$eq": 1}}}),
    (
        "a = 1 or b = 2 and not c = 3",
        {
            "$or": [
                {"a": {"$eq": 1}},
                {"$and": [{"b": {"$eq": 2}}, {"$not": {"c": {"$eq": 3}}}]},
            ]
        },
    ),
    (
        "(a = 1 or b = 2) and c = 3",
        {"$and": [{"$or": [{"a": {"$eq": 1}}, {"b": {"$eq": 2}}]}, {"c": {"$eq": 3}}]},
    ),
    (' {"year": {"$gte": 2020}} ', {"year": {"$gte": 2020}}),
]
_FAULTS = [
    ("", "expected a key.*at character 1, found the end"),
    ("year", "expected one of =, !=.*behind 'year' at character 5, found the end"),
    ("year ~ 3", "behind 'year' at character 6, found '~'"),
    ("year = ", "expected a value at character 8"),
    ("year = 1 lang = en", "'and', 'or', or the end at character 10, found 'lang'"),
    ("year = 1 adn lang = en", r"found 'adn'; did you mean 'and'\?"),
    ("tags contians x", "did you mean 'contains'"),
    ("(year = 1", r"expected '\)'"),
    ("lang in en", r"a list such as \[en, de\]"),
    ("lang in [en de]", r"',' or '\]'"),
    ("lang in [en", r"',' or '\]' at character 12, found the end"),
    ("lang not = 3", "'in' behind 'not'"),
    ("and = 3", "expected a key"),
    ("name = 'Ida", "quotation from character 8 on is not closed"),
    ("year >= true", "number"),
    ('{"year": {"gte": 1}}', r"did you mean '\$gte'"),
    ('{"year": ', "not JSON.*character 10"),
]


@pytest.mark.parametrize(("text", "clause"), _READ)
def test_read(text: str, clause: dict[str, Any]) -> None:
    assert where_of(text) == clause


def test_none_is_no_filter() -> None:
    assert where_of(None) is None


@pytest.mark.parametrize(("text", "message"), _FAULTS)
def test_what_means_nothing_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(FilterError, match=message):
        where_of(text)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(FilterError):
        where_of(text)


WHOLE = st.integers(min_value=-(10**18) + 1, max_value=10**18 - 1)  # as a store keeps them


@given(st.dictionaries(st.sampled_from("ab"), WHOLE | st.text(max_size=5), max_size=2))
def test_quoted_values_come_back(values: dict[str, int | str]) -> None:
    parts = [
        f"{key} = {value if isinstance(value, int) else json.dumps(value, ensure_ascii=False)}"
        for key, value in values.items()
        if isinstance(value, int) or json.dumps(value, ensure_ascii=False)[1:-1] == value
    ]
    if parts:
        found = where_of(" and ".join(parts))
        assert found is not None
        clauses = found.get("$and", [found])
        assert [next(iter(test.values())) for one in clauses for test in one.values()] == [
            value
            for value in values.values()
            if isinstance(value, int) or json.dumps(value, ensure_ascii=False)[1:-1] == value
        ]
