"""The forms in which a JSON schema reaches a model, from the one that a server keeps to, down to
words in the prompt.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from clew.models.base import Message

Form = Literal["json_schema", "json_object_with_schema", "json_object", "prompt"]
Schema = Mapping[str, Any]

SCHEMA_NAME = "reply"
_NESTED_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_NESTED_MAPS = ("properties", "$defs", "definitions")


def response_format(form: Form, schema: Schema) -> dict[str, Any] | None:
    """What chat completions call ``response_format``; None for the prompt alone."""
    if form == "json_schema":
        closed = closed_schema(schema)
        named = {"name": SCHEMA_NAME, "schema": closed, "strict": _is_strict(closed)}
        return {"type": "json_schema", "json_schema": named}
    if form == "json_object_with_schema":
        return {"type": "json_object", "schema": dict(schema)}
    return {"type": "json_object"} if form == "json_object" else None


def with_schema(messages: Sequence[Message], schema: Schema) -> list[Message]:
    """The messages with the schema put into the last one of the user."""
    told = (
        "Reply with JSON alone, no other words, that follows this JSON schema:\n"
        f"{json.dumps(schema, ensure_ascii=False)}"
    )
    users = [place for place, message in enumerate(messages) if message.role == "user"]
    if not users:
        return [*messages, Message(role="user", content=told)]
    at = users[-1]
    joined = Message(role="user", content=f"{messages[at].content}\n\n{told}")
    return [*messages[:at], joined, *messages[at + 1 :]]


def closed_schema(schema: Any) -> Any:
    """The schema with every object closed against keys that it does not name, as providers that
    keep to a schema want it.
    """
    if not isinstance(schema, Mapping):
        return schema
    closed = {key: _closed_part(key, value) for key, value in schema.items()}
    if "properties" in closed:
        closed.setdefault("additionalProperties", False)
    return closed


def _closed_part(key: str, value: Any) -> Any:
    if key in _NESTED_MAPS and isinstance(value, Mapping):
        return {name: closed_schema(part) for name, part in value.items()}
    if key in _NESTED_LISTS and isinstance(value, Sequence):
        return [closed_schema(part) for part in value]
    return closed_schema(value) if key in {"items", "not"} else value


def _is_strict(schema: Any) -> bool:
    """Whether every object is closed and needs all that it names: only then may it be kept to
    strictly.
    """
    if isinstance(schema, Mapping):
        if "properties" in schema and (
            schema.get("additionalProperties") is not False
            or set(schema.get("required", ())) != set(schema["properties"])
        ):
            return False
        return all(_is_strict(part) for part in schema.values())
    if isinstance(schema, Sequence) and not isinstance(schema, str):
        return all(_is_strict(part) for part in schema)
    return True
