"""JSON Lines and JSON: one document a record, or one for a JSON file that holds no records."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from clew.documents.builder import TextBuilder
from clew.documents.decoding import decode
from clew.documents.fields import RecordFields, read_record, text_field_of
from clew.documents.readers.base import Parsed, Rejected, SourceFile, built
from clew.errors import BrokenDocumentError, DocumentError
from clew.records import BlockKind


def read_json_lines(file: SourceFile, fields: RecordFields) -> Iterator[Parsed | Rejected]:
    """Yield a document for each line; a record without an id is named ``#`` and its line."""
    for number, line in enumerate(decode(file.data).split("\n"), start=1):
        if not line or line.isspace():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            yield Rejected(doc_id=f"#{number}", reason=f"line {number} is no JSON ({error})")
        except RecursionError:
            yield Rejected(doc_id=f"#{number}", reason=f"line {number} is nested too deeply")
        else:
            yield _record(record, f"line {number}", number, fields)


def read_json(file: SourceFile, fields: RecordFields) -> Iterator[Parsed | Rejected]:
    """Yield a document for each record of a list; a lone record is a document too."""
    text = decode(file.data)
    if not text.strip():
        yield Parsed(text="", media_type="application/json")
        return
    try:
        value = json.loads(text)
    except ValueError as error:
        yield from _lines_under_another_name(file, fields, error)
        return
    if isinstance(value, list) and _are_records(value, fields):
        for number, record in enumerate(value, start=1):
            yield _record(record, f"record {number}", number, fields)
    elif isinstance(value, Mapping) and text_field_of(value, fields) is not None:
        parsed = _record(value, "the record", 1, fields)
        whole = parsed.doc_id == "#1"
        yield _as_whole(parsed) if whole and isinstance(parsed, Parsed) else parsed
    else:
        yield _outline(json.loads(text, parse_float=str, parse_int=str))


def _lines_under_another_name(
    file: SourceFile, fields: RecordFields, error: ValueError
) -> Iterator[Parsed | Rejected]:
    """JSON Lines are often named ``.json``; what has no good line is broken JSON."""
    items = list(read_json_lines(file, fields))
    if not any(isinstance(item, Parsed) for item in items):
        raise BrokenDocumentError(f"it is no JSON ({error})") from error
    yield from items


def _are_records(values: list[Any], fields: RecordFields) -> bool:
    return (
        bool(values)
        and all(isinstance(value, (str, Mapping)) for value in values)
        and any(
            isinstance(value, str) or text_field_of(value, fields) is not None for value in values
        )
    )


def _record(record: Any, place: str, number: int, fields: RecordFields) -> Parsed | Rejected:
    if isinstance(record, str):
        return Parsed(text=record, doc_id=f"#{number}")
    if not isinstance(record, Mapping):
        reason = f"{place} is {type(record).__name__}, not a mapping or text"
        return Rejected(doc_id=f"#{number}", reason=reason)
    try:
        values = read_record(record, fields)
    except DocumentError as error:
        return Rejected(doc_id=_name(record, fields) or f"#{number}", reason=f"{place}: {error}")
    return Parsed(
        text=values.text,
        doc_id=values.doc_id or f"#{number}",
        title=values.title,
        metadata=values.metadata,
    )


def _as_whole(parsed: Parsed) -> Parsed:
    return Parsed(text=parsed.text, title=parsed.title, metadata=parsed.metadata)


def _name(record: Mapping[str, Any], fields: RecordFields) -> str:
    for name in fields.id:
        if isinstance(record.get(name), (str, int)):
            return str(record[name])
    return ""


def _outline(value: Any) -> Parsed:
    """A JSON file without texts as lines of ``path: value``, a block for each entry on top and for
    each record of a list. Numbers come as texts: 1.10 may be a version, and long ones would lose
    digits.
    """
    builder = TextBuilder()
    for path, item in _entries("", value):
        builder.add(BlockKind.PARAGRAPH, "\n".join(_leaves(path, item)))
    return built(builder, media_type="application/json", metadata={})


def _entries(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """What stands on top, lists of records opened."""
    are_records = isinstance(value, list) and value and all(isinstance(v, Mapping) for v in value)
    if isinstance(value, list) and (not path or are_records):
        parts = [(str(number), item) for number, item in enumerate(value, start=1)]
    elif isinstance(value, Mapping) and not path:
        parts = [(str(key), item) for key, item in value.items()]
    else:
        yield path, value
        return
    for name, item in parts:
        yield from _entries(f"{path}.{name}" if path else name, item)


def _leaves(path: str, value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _leaves(f"{path}.{key}" if path else str(key), item)
    elif isinstance(value, list):
        if all(not isinstance(item, (Mapping, list)) for item in value):
            yield f"{path}: " + ", ".join(map(_shown, value))
        else:
            for number, item in enumerate(value, start=1):
                yield from _leaves(f"{path}.{number}" if path else str(number), item)
    else:
        yield f"{path}: {_shown(value)}" if path else _shown(value)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
