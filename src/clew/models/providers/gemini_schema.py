"""JSON schemas in the dialect of Gemini, which is a part of OpenAPI 3.0.

Types are in capitals, ``null`` is a flag, there are no references, no constants and no maps from
any key. What cannot be said in the dialect is left out where the schema then allows more, never
less; a schema of which nothing is left gives None, and the model is asked for plain JSON.
See https://ai.google.dev/api/caching#Schema.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_TYPES = {"string", "number", "integer", "boolean", "array", "object"}
_FORMATS = {"string": {"date-time", "enum"}, "number": {"float", "double"}}
_COPIED = {"description": "description", "minItems": "min_items", "maxItems": "max_items"}
_MOST_LEVELS = 20


class _UnsayableError(Exception):
    """This part of a schema has no form in the dialect."""


def gemini_schema(schema: Mapping[str, Any], *, alternatives: bool = True) -> dict[str, Any] | None:
    """Return ``schema`` as Gemini takes it, with names in snake case; None where it cannot be said.

    ``alternatives`` says whether the SDK knows ``any_of``.
    """
    try:
        return _translate(schema, schema, alternatives, 0)
    except _UnsayableError:
        return None


def _translate(
    schema: Mapping[str, Any], root: Mapping[str, Any], alternatives: bool, level: int
) -> dict[str, Any]:
    if level > _MOST_LEVELS:
        raise _UnsayableError  # a schema that refers to itself has no end
    schema = _resolved(schema, root)
    options, nullable = _options(schema)
    if len(options) == 1:
        found = _one(options[0], root, alternatives, level)
    elif options and alternatives:
        found = {"any_of": [_translate(one, root, alternatives, level + 1) for one in options]}
    else:
        raise _UnsayableError
    return found | ({"nullable": True} if nullable else {})


def _resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow ``$ref`` within the schema; what stands beside it stays."""
    for _ in range(_MOST_LEVELS):
        reference = schema.get("$ref")
        if reference is None:
            return schema
        found: Any = root
        for step in str(reference).removeprefix("#").strip("/").split("/"):
            key = step.replace("~1", "/").replace("~0", "~")
            found = found.get(key) if isinstance(found, Mapping) and key else found
        if not isinstance(found, Mapping):
            raise _UnsayableError
        schema = {**found, **{key: value for key, value in schema.items() if key != "$ref"}}
    raise _UnsayableError


def _options(schema: Mapping[str, Any]) -> tuple[list[Mapping[str, Any]], bool]:
    """What a value may be, without null, and whether null is among it."""
    kind = schema.get("type")
    if isinstance(kind, str) and "anyOf" not in schema and "oneOf" not in schema:
        return [schema], bool(schema.get("nullable"))
    if isinstance(kind, Sequence) and not isinstance(kind, str):
        options = [{**schema, "type": one} for one in kind]
    else:
        given = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf") or [schema]
        if "allOf" in schema and len(given) > 1:
            raise _UnsayableError
        told = {key: value for key, value in schema.items() if key == "description"}
        options = [{**told, **one} for one in given]
    rest = [one for one in options if one.get("type") != "null"]
    return list(rest), len(rest) < len(options)


def _one(
    schema: Mapping[str, Any], root: Mapping[str, Any], alternatives: bool, level: int
) -> dict[str, Any]:
    schema = _resolved(schema, root)
    if not isinstance(schema.get("type"), str) and _options(schema)[0] != [schema]:
        return _translate(schema, root, alternatives, level + 1)
    values = schema.get("enum", [schema["const"]] if "const" in schema else None)
    kind = schema.get("type") or _kind_of(schema, values)
    if kind not in _TYPES:
        raise _UnsayableError
    found: dict[str, Any] = {"type": kind.upper()}
    found |= {own: schema[name] for name, own in _COPIED.items() if name in schema}
    if schema.get("format") in _FORMATS.get(kind, ()):
        found["format"] = schema["format"]
    if values is not None and kind == "string":
        found["enum"] = [str(value) for value in values if value is not None]
    if kind == "array":
        found["items"] = _translate(schema.get("items") or {}, root, alternatives, level + 1)
    if kind == "object":
        found |= _object(schema, root, alternatives, level)
    return found


def _object(
    schema: Mapping[str, Any], root: Mapping[str, Any], alternatives: bool, level: int
) -> dict[str, Any]:
    properties = schema.get("properties")
    if not properties:
        raise _UnsayableError  # an object of any keys is refused
    return {
        "properties": {
            name: _translate(own, root, alternatives, level + 1) for name, own in properties.items()
        },
        "required": [name for name in schema.get("required", ()) if name in properties],
    }


def _kind_of(schema: Mapping[str, Any], values: Sequence[Any] | None) -> str | None:
    """The type of a schema that does not name it."""
    if "properties" in schema:
        return "object"
    if "items" in schema:
        return "array"
    return "string" if values and all(isinstance(value, str) for value in values) else None
