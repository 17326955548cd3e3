"""JSON schemas in the dialect of Gemini."""

from __future__ import annotations

from typing import Any

import pytest

from clew.models.providers.gemini_schema import gemini_schema

STRING = {"type": "STRING"}


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "string"}, STRING),
        ({"type": "string", "title": "Name", "default": "", "pattern": "x"}, STRING),
        ({"type": "string", "description": "A name."}, STRING | {"description": "A name."}),
        ({"type": "string", "format": "date-time"}, STRING | {"format": "date-time"}),
        ({"type": "string", "format": "uri"}, STRING),
        ({"const": "event"}, STRING | {"enum": ["event"]}),
        ({"enum": ["a", "b"]}, STRING | {"enum": ["a", "b"]}),
        ({"type": ["string", "null"]}, STRING | {"nullable": True}),
        (
            {"type": ["string", "null"], "enum": ["a", None]},
            STRING | {"enum": ["a"]} | {"nullable": True},
        ),
        ({"anyOf": [{"type": "null"}, {"type": "number"}]}, {"type": "NUMBER", "nullable": True}),
        (
            {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "d"},
            STRING | {"description": "d", "nullable": True},
        ),
        ({"allOf": [{"type": "boolean"}]}, {"type": "BOOLEAN"}),
        ({"type": "integer", "enum": [1, 2]}, {"type": "INTEGER"}),
        (
            {"items": {"type": "string"}, "minItems": 1, "maxItems": 3},
            {"type": "ARRAY", "items": STRING, "min_items": 1, "max_items": 3},
        ),
        (
            {"properties": {"a": {"type": "string"}}, "required": ["a", "gone"]},
            {"type": "OBJECT", "properties": {"a": STRING}, "required": ["a"]},
        ),
        ({"$ref": "#/$defs/A~1B", "$defs": {"A/B": {"type": "string"}}}, STRING),
        (
            {
                "anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}],
                "$defs": {"A": {"type": "string"}},
            },
            STRING | {"nullable": True},
        ),
        (
            {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            {"any_of": [STRING, {"type": "INTEGER"}]},
        ),
        (
            {"type": ["string", "integer", "null"]},
            {"any_of": [STRING, {"type": "INTEGER"}], "nullable": True},
        ),
    ],
)
def test_what_can_be_said_is_said(schema: dict[str, Any], said: dict[str, Any]) -> None:
    assert gemini_schema(schema) == said


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object"},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"type": "array"},
        {"type": "null"},
        {"enum": [1, "a"]},
        {"allOf": [{"type": "string"}, {"minLength": 1}]},
        {"$ref": "#/$defs/Gone"},
        {"$ref": "#"},
        {"type": "array", "items": {"$ref": "#"}},
        {"$ref": "#/$defs/Tree", "$defs": {"Tree": {"items": {"$ref": "#/$defs/Tree"}}}},
        {"type": "object", "properties": {"a": {}}},
    ],
)
def test_what_cannot_be_said_is_not(schema: dict[str, Any]) -> None:
    assert gemini_schema(schema) is None


def test_without_alternatives_a_choice_cannot_be_said() -> None:
    choice = {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    assert gemini_schema(choice, alternatives=False) is None
    assert gemini_schema({"type": ["string", "null"]}, alternatives=False) is not None
