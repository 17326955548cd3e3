"""Which field of a record is its text, its title, its name and its metadata."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clew.errors import DocumentError

# Tried in this order where the text field is left at its default and the record has none.
TEXT_FIELDS = ("text", "content", "body", "page_content")


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordFields:
    """Names of fields. ``metadata`` names those to keep: a mapping gives its entries, anything
    else is kept under its own name. None keeps the mapping called ``metadata``, if there is one,
    and all other fields that hold a single value.
    """

    text: str = "text"
    title: str = "title"
    id: tuple[str, ...] = ("doc_id", "id")
    metadata: str | tuple[str, ...] | None = None


DEFAULT_FIELDS = RecordFields()


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordValues:
    """A record read through :class:`RecordFields`; ``doc_id`` is empty where it has none."""

    text: str
    title: str
    doc_id: str
    metadata: Mapping[str, Any]


def read_record(record: Mapping[str, Any], fields: RecordFields) -> RecordValues:
    """Return the values of ``record``, or raise :class:`DocumentError` saying what is wrong."""
    text_field = text_field_of(record, fields)
    if text_field is None:
        have = ", ".join(map(str, record)) or "none"
        raise DocumentError(f"it has no field {fields.text!r} with its text; its fields: {have}")
    id_field = next((name for name in fields.id if record.get(name) not in (None, "")), None)
    used = {text_field, fields.title, id_field}
    title = record.get(fields.title)
    return RecordValues(
        text=_text(record[text_field], text_field),
        title="" if title is None else _text(title, fields.title),
        doc_id="" if id_field is None else _name(record[id_field], id_field),
        metadata=_metadata(record, fields, used),
    )


def text_field_of(record: Mapping[str, Any], fields: RecordFields) -> str | None:
    names = TEXT_FIELDS if fields.text == TEXT_FIELDS[0] else (fields.text,)
    return next((name for name in names if record.get(name) is not None), None)


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise DocumentError(f"its field {name!r} is {_kind(value)}, not text: {_short(value)}")
    return value


def _name(value: Any, name: str) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise DocumentError(
            f"its field {name!r} is {_kind(value)}, not text or a whole number: {_short(value)}"
        )
    return str(value)


def _metadata(
    record: Mapping[str, Any], fields: RecordFields, used: set[str | None]
) -> dict[str, Any]:
    if fields.metadata is not None:
        return _chosen_metadata(record, fields.metadata)
    given = record.get("metadata")
    if given is None:
        given = {}
    elif not isinstance(given, Mapping):
        raise DocumentError(
            f"its field 'metadata' is {_kind(given)}, not a mapping: {_short(given)}"
        )
    scalars = {
        key: value
        for key, value in record.items()
        if key not in used and isinstance(value, (str, int, float, bool))
    }
    return scalars | dict(given)


def _chosen_metadata(record: Mapping[str, Any], names: str | tuple[str, ...]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name in (names,) if isinstance(names, str) else names:
        value = record.get(name)
        if isinstance(value, Mapping):
            kept |= value
        elif value is not None:
            kept[name] = value
    return kept


def _kind(value: Any) -> str:
    names = {dict: "a mapping", list: "a list", bool: "true or false", type(None): "null"}
    return names.get(type(value), f"of type {type(value).__name__}")


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
