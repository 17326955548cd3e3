"""The cells of a sentence that is a row: of a table, of a record, or a line with a label.

A row of a table is a line of cells ("| Norr Bridge | 1910 |", or parted by tabs) whose header
stands in the context of the unit. A record is several lines "path: value", as data files are
outlined: each line is a cell under the last part of its path. "Label: value" is a row of one cell.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from clew.answering.evidence import Sentence

_LONGEST_LABELLED = 160
_LABELLED = re.compile(
    r"[*_]{0,2}(?P<label>[^\W\d_][^:|\t\n.?!]{1,40}?)[*_]{0,2}:[*_]{0,2}\s+"
    r"(?P<value>[^|\t\n]*[^|\s.])\.?\s*$"
)
_FIELD = re.compile(
    r"(?P<path>(?:[^\s:|.]+\.)*)(?P<field>[^\W\d][^\s:|.]*):[ \t]+(?P<value>\S[^\n]*?)[ \t]*"
)


@dataclass(frozen=True, slots=True)
class Cell:
    """``sentence.text[start:end]`` under ``header``."""

    start: int
    end: int
    text: str
    header: str


def cells_of(sentence: Sentence) -> list[Cell]:
    """The cells of a row with their headers, of a record with the names of its fields, or the value
    of a line "Label: value"; empty for what is none of these.
    """
    text = sentence.text
    labelled = _LABELLED.match(text)
    if labelled and len(text) <= _LONGEST_LABELLED:
        start, end = labelled.span("value")
        return [Cell(start, end, labelled["value"], labelled["label"].strip(" *_"))]
    if "\n" in text and (fields := _fields(text)):
        return fields
    if "|" not in text and "\t" not in text:
        return []
    spans = _spans(text)
    header = sentence.context.strip().split("\n")[-1] if sentence.context else ""
    names = [header[a:b] for a, b in _spans(header)]
    if len(spans) < 2 or len(names) < len(spans):
        return []
    return [Cell(a, b, text[a:b], name) for (a, b), name in zip(spans, names, strict=False)]


def _fields(text: str) -> list[Cell]:
    """One cell a line, where every line is a field of one record with its value."""
    cells = []
    paths = set()
    at = 0
    for line in text.split("\n"):
        found = _FIELD.fullmatch(line)
        if found is None:
            return []
        paths.add(found["path"])
        start, end = found.span("value")
        cells.append(Cell(at + start, at + end, found["value"], found["field"]))
        at += len(line) + 1
    return cells if len(paths) == 1 else []


def _spans(line: str) -> list[tuple[int, int]]:
    """Trimmed cells, empty ones kept as empty spans so that columns stay in line."""
    body = line.strip()
    offset = line.find(body) if body else 0
    if body.startswith("|"):
        offset, body = offset + 1, body[1:]
    body = body.removesuffix("|")
    spans = []
    at = 0
    for part in re.split(r"[|\t]", body):
        inner = part.strip()
        start = offset + at + (part.find(inner) if inner else 0)
        spans.append((start, start + len(inner)))
        at += len(part) + 1
    return spans
