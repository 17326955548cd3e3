"""The forms of a JSON schema."""

from __future__ import annotations

from typing import Any

import pytest

from clew.models.base import Message
from clew.models.providers.schema_forms import closed_schema, response_format, with_schema

INNER: dict[str, Any] = {"type": "object", "properties": {"a": {}}, "required": ["a"]}
CLOSED_INNER = INNER | {"additionalProperties": False}


def _strict(schema: dict[str, Any]) -> bool:
    asked = response_format("json_schema", schema)
    assert asked is not None
    strict: bool = asked["json_schema"]["strict"]
    return strict


@pytest.mark.parametrize(
    ("schema", "closed"),
    [
        (INNER, CLOSED_INNER),
        ({"items": INNER}, {"items": CLOSED_INNER}),
        ({"$defs": {"x": INNER}}, {"$defs": {"x": CLOSED_INNER}}),
        ({"anyOf": [INNER, {"type": "null"}]}, {"anyOf": [CLOSED_INNER, {"type": "null"}]}),
        (INNER | {"additionalProperties": True}, INNER | {"additionalProperties": True}),
        ({"enum": ["properties"]}, {"enum": ["properties"]}),
        ({"type": "object"}, {"type": "object"}),
    ],
)
def test_every_object_is_closed(schema: Any, closed: Any) -> None:
    assert closed_schema(schema) == closed


def test_a_property_may_be_called_like_a_keyword() -> None:
    schema = {"properties": {"properties": {"type": "string"}, "items": INNER}}
    closed = closed_schema(schema)
    assert closed["properties"]["properties"] == {"type": "string"}
    assert closed["properties"]["items"] == CLOSED_INNER


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        (INNER, True),
        ({"properties": {"a": INNER}, "required": ["a"]}, True),
        ({"properties": {"a": INNER}}, False),
        ({"items": {"properties": {"a": {}, "b": {}}, "required": ["a"]}}, False),
        (INNER | {"additionalProperties": {"type": "string"}}, False),
    ],
)
def test_only_what_all_can_keep_is_strict(schema: dict[str, Any], strict: bool) -> None:
    assert _strict(schema) is strict


def test_the_lesser_forms() -> None:
    assert response_format("json_object_with_schema", INNER) == {
        "type": "json_object",
        "schema": INNER,
    }
    assert response_format("json_object", INNER) == {"type": "json_object"}
    assert response_format("prompt", INNER) is None


def test_the_schema_stands_behind_the_last_question() -> None:
    turns = [
        Message(role="user", content="one"),
        Message(role="user", content="two"),
        Message(role="assistant", content="{"),
    ]
    told = with_schema(turns, {"type": "object"})
    assert [turn.role for turn in told] == ["user", "user", "assistant"]
    assert told[0].content == "one"
    assert told[1].content.startswith("two\n\nReply with JSON alone")
    assert told[1].content.endswith('{"type": "object"}')
    [only] = with_schema([], {"type": "object"})
    assert only.role == "user"
