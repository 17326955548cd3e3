"""JSON Lines: a header, then one document a line with everything that it contributed.

Never more than one document is in memory: the way to move a large store, or to look into it with
line tools. Vectors are base64 of little-endian float32.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from clew.errors import StoreCorruptError
from clew.exchange.selection import Selection
from clew.exchange.sources import Header, Read
from clew.exchange.streams import text_target
from clew.stores import codec
from clew.stores.files import named_errors

LINES_FORMAT = "clew.documents"


def write_lines(selection: Selection, path: Path) -> None:
    """Write the selection to ``path``, whole or not at all."""
    with text_target(path) as file:
        header = {
            "format": LINES_FORMAT,
            "version": codec.FORMAT_VERSION,
            "embedding": codec.space_to_dict(selection.embedding),
            "documents": len(selection.listed),
            "decisions": codec.decisions_to_list(selection.decisions),
        }
        _write_line(file, header)
        for indexed in selection.documents():
            replies = selection.replies(indexed)
            _write_line(file, codec.indexed_to_dict(indexed) | {"replies": replies})


class LinesSource:
    """:class:`clew.exchange.sources.Source` of JSON Lines; ``shown`` is what errors call it."""

    def __init__(self, path: Path, *, shown: Path | None = None) -> None:
        self.path = shown or path
        self._file = path

    def header(self) -> Header:
        place, plain = next(self._lines(), (str(self.path), None))
        if not isinstance(plain, dict) or plain.get("format") != LINES_FORMAT:
            found = plain.get("format") if isinstance(plain, dict) else plain
            raise StoreCorruptError(
                f"{place}: expected a first line with the format {LINES_FORMAT!r}, found "
                f"{found!r}: this is no export of clew. `clew ingest {self.path}` indexes files "
                "of other kinds"
            )
        codec.require_format(plain, LINES_FORMAT, place)
        try:
            return Header(
                embedding=codec.space_from_dict(plain["embedding"]),
                count=int(plain["documents"]),
                decisions=tuple(codec.decisions_from_list(plain.get("decisions", ()))),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise StoreCorruptError(f"{place}: the header is damaged: {error!r}") from error

    def documents(self) -> Iterator[Read]:
        for place, plain in islice(self._lines(), 1, None):
            replies = plain.pop("replies", {})
            try:
                indexed = codec.indexed_from_dict(plain)
            except StoreCorruptError as error:
                raise StoreCorruptError(f"{place}: {error}. Export again") from error
            yield Read(place=place, indexed=indexed, replies=replies)

    def _lines(self) -> Iterator[tuple[str, dict[str, Any]]]:
        with named_errors(self.path), self._file.open("rb") as file:
            for number, line in enumerate(file, start=1):
                place = f"{self.path}: line {number}"
                try:
                    plain = json.loads(line)
                except ValueError as error:  # of JSON, or of UTF-8
                    cut = "" if line.endswith(b"\n") else ", and the file ends in it: it was cut"
                    raise StoreCorruptError(
                        f"{place} is no whole JSON{cut} ({error}). Nothing was written; export "
                        "again, or fetch the whole file"
                    ) from error
                if not isinstance(plain, dict):
                    raise StoreCorruptError(f"{place} is no JSON object")
                yield place, plain


def _write_line(file: IO[str], plain: dict[str, Any]) -> None:
    file.write(json.dumps(plain, ensure_ascii=False) + "\n")
