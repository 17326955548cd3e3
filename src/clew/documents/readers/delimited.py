"""CSV and TSV: a table is one document, a table with a column of texts one document a row.

RFC 4180 with whatever separator the first lines agree on. A column of which every value is a
number gives numbers as metadata, so that ``{"year": {"$gte": 1990}}`` finds its rows.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from clew.documents.builder import TextBuilder
from clew.documents.decoding import decode
from clew.documents.fields import RecordFields, read_record, text_field_of
from clew.documents.readers.base import Parsed, Rejected, SourceFile, built
from clew.errors import DocumentError

_SEPARATORS = ",;\t|"
_SAMPLE_LINES = 50
# The csv module refuses cells of more than 128 KiB unless told otherwise; texts are longer.
_MAX_CELL = 2**31 - 1
# Not "007", "1e5", "+1" or a card number of 16 digits: names that are written in digits.
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.(\d{1,9}))?")


def read_delimited(file: SourceFile, fields: RecordFields) -> Iterator[Parsed | Rejected]:
    """Yield one document a row where a column is named as the text field, else one in all."""
    text = decode(file.data).replace("\x00", "")
    rows = _rows(text, file.suffix)
    header = [name.strip() for name in rows[0]] if rows else []
    written = _as_written(fields, header)
    if written is None:
        yield _table(rows)
        return
    numeric = _numeric_columns(header, rows[1:])
    for number, row in enumerate(rows[1:], start=1):
        yield _record(dict(zip(header, row, strict=False)), number, written, numeric)


def _as_written(fields: RecordFields, header: list[str]) -> RecordFields | None:
    """Return the fields by the names that the header has, in its case; None without a text."""
    names = {name.lower(): name for name in reversed(header)}
    lowered = RecordFields(text=fields.text.lower())
    text = text_field_of(names, lowered)
    if text is None:
        return None
    chosen = fields.metadata
    if chosen is not None:
        chosen = (chosen,) if isinstance(chosen, str) else chosen
        chosen = tuple(names.get(name.lower(), name) for name in chosen)
    return RecordFields(
        text=names[text],
        title=names.get(fields.title.lower(), fields.title),
        id=tuple(names.get(name.lower(), name) for name in fields.id),
        metadata=chosen,
    )


def _rows(text: str, suffix: str) -> list[list[str]]:
    csv.field_size_limit(_MAX_CELL)
    separator = _separator(text, suffix)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    try:
        return [row for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise DocumentError(f"row {reader.line_num} is no CSV ({error})") from error


def _separator(text: str, suffix: str) -> str:
    """Return the separator that splits most of the first lines into the same number of cells."""
    if suffix.lower() in {".tsv", ".tab"}:
        return "\t"
    sample = "".join(text.splitlines(keepends=True)[:_SAMPLE_LINES])
    best, best_score = ",", 0.0
    for candidate in _SEPARATORS:
        lines = csv.reader(io.StringIO(sample, newline=""), delimiter=candidate)
        widths = [len(row) for row in lines if row]
        width = max(set(widths), key=lambda w: (widths.count(w), w), default=1)
        score = widths.count(width) / len(widths) if width > 1 else 0.0
        if score > best_score:
            best, best_score = candidate, score
    return best


def _table(rows: list[list[str]]) -> Parsed:
    builder = TextBuilder()
    builder.add_table(rows)
    return built(builder, media_type="text/csv", metadata={})


def _numeric_columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> frozenset[str]:
    """The columns of numbers. Where the decimals differ in number and end in 0, as in the versions
    3.9 and 3.10, the column holds names.
    """
    numeric = set()
    for at, name in enumerate(header):
        found = [
            _NUMBER.fullmatch(row[at].strip())
            for row in rows
            if row[at : at + 1] and row[at].strip()
        ]
        decimals = [match[1] or "" for match in found if match]
        uniform = len({len(part) for part in decimals}) == 1
        if len(decimals) == len(found) > 0 and (uniform or not any(map(_padded, decimals))):
            numeric.add(name)
    return frozenset(numeric)


def _padded(decimals: str) -> bool:
    return decimals.endswith("0")


def _value(text: str, *, numeric: bool) -> str | int | float:
    if not numeric:
        return text
    return float(text) if "." in text else int(text)


def _record(
    record: dict[str, str], number: int, fields: RecordFields, numeric: frozenset[str]
) -> Parsed | Rejected:
    try:
        values = read_record(record, fields)
    except DocumentError as error:
        return Rejected(doc_id=f"#{number}", reason=f"row {number}: {error}")
    return Parsed(
        text=values.text,
        doc_id=values.doc_id or f"#{number}",
        title=values.title,
        metadata={
            key: _value(value, numeric=key in numeric)
            for key, value in values.metadata.items()
            if key and value != ""
        },
    )
