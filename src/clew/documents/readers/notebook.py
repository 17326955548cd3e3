"""Jupyter notebooks (nbformat 4, and the worksheets of 3): Markdown, code and text outputs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from clew.documents.builder import TextBuilder
from clew.documents.decoding import decode
from clew.documents.readers.base import Parsed, SourceFile, built
from clew.errors import BrokenDocumentError
from clew.records import BlockKind
from clew.text.blocks import partition

_TERMINAL_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def read_notebook(file: SourceFile) -> Parsed:
    try:
        notebook = json.loads(decode(file.data))
    except ValueError as error:
        raise BrokenDocumentError(f"it is no JSON ({error})") from error
    if not isinstance(notebook, Mapping):
        raise BrokenDocumentError("it is JSON, but no notebook: the top is no mapping")
    builder = TextBuilder()
    for cell in _cells(notebook):
        _add_cell(builder, cell)
    details = _mapping(notebook.get("metadata"))
    return built(
        builder,
        media_type="application/x-ipynb+json",
        title=_text(details.get("title")),
        metadata={"language": _text(_mapping(details.get("kernelspec")).get("language"))},
    )


def _cells(notebook: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    sheets = notebook.get("worksheets")
    holders = [notebook, *(sheets if isinstance(sheets, list) else [])]
    for holder in holders:
        cells = _mapping(holder).get("cells")
        yield from map(_mapping, cells if isinstance(cells, list) else [])


def _add_cell(builder: TextBuilder, cell: Mapping[str, Any]) -> None:
    source = _text(cell.get("source", cell.get("input")))
    kind = cell.get("cell_type")
    if kind == "code":
        builder.add(BlockKind.CODE, source)
        for output in cell.get("outputs") or []:
            builder.add(BlockKind.CODE, _output(_mapping(output)))
    elif kind == "heading":
        builder.add(BlockKind.HEADING, source, int(cell.get("level", 1)))
    else:
        text = source.replace("\x00", "")
        builder.add_blocks(text, partition(text, "markdown" if kind == "markdown" else "plain"))


def _output(output: Mapping[str, Any]) -> str:
    if output.get("output_type") in {"error", "pyerr"}:
        said = f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"
        return _TERMINAL_COLOURS.sub("", said)
    data = _mapping(output.get("data"))
    text = _text(output.get("text")) or _text(data.get("text/plain"))
    return _TERMINAL_COLOURS.sub("", text)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""
