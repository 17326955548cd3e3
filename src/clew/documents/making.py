"""The one place where a :class:`~clew.records.Document` is made: cleaned, partitioned, hashed."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from clew.documents.titles import find_title
from clew.ids import content_id, document_id
from clew.records import DEFAULT_SCOPE, Block, Document, Page
from clew.text.blocks import partition

_SYNTAX = {"text/markdown": "markdown", "text/x-rst": "rst"}
_BOM = "\ufeff"
_NUL = "\x00"
_SURROGATE = re.compile("[\ud800-\udfff]")


def make_document(
    text: str,
    *,
    doc_id: str,
    title: str = "",
    metadata: Mapping[str, Any] | None = None,
    source: str = "",
    media_type: str = "text/plain",
    scope: str = DEFAULT_SCOPE,
    blocks: Sequence[Block] | None = None,
    pages: Sequence[Page] = (),
    source_hash: str = "",
) -> Document:
    """Return the document of ``text``.

    A byte order mark in front and NULs anywhere are removed and the offsets of ``blocks`` and
    ``pages`` moved along; half a surrogate pair becomes U+FFFD, so that every text can be stored.
    Without ``blocks`` the text is partitioned by the syntax of its media type; without ``title``
    one is looked for in the front matter and at the head of the text.
    """
    cleaned = _storable(text.removeprefix(_BOM).replace(_NUL, ""))
    if cleaned is not text and len(cleaned) != len(text):
        blocks = None if blocks is None else _moved_blocks(text, blocks)
        pages = _moved_pages(text, pages)
    if blocks is None:
        blocks = partition(cleaned, _SYNTAX.get(media_type, "plain"))
    found = " ".join(_storable(title.replace(_NUL, "")).split()) or find_title(cleaned, blocks)
    details = {str(key): value for key, value in metadata.items()} if metadata else {}
    name = _storable(doc_id.replace(_NUL, ""))
    return Document(
        id=document_id(scope, name),
        doc_id=name,
        text=cleaned,
        title=found,
        source=_storable(source),
        media_type=media_type,
        scope=scope,
        metadata=details,
        blocks=tuple(blocks),
        pages=tuple(pages),
        content_hash=_content_hash(cleaned, found, details, blocks, pages),
        source_hash=source_hash,
    )


def _storable(text: str) -> str:
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _content_hash(
    text: str,
    title: str,
    metadata: Mapping[str, Any],
    blocks: Sequence[Block],
    pages: Sequence[Page],
) -> str:
    shape = ";".join([f"{block.kind},{block.end},{block.level}" for block in blocks])
    numbers = ";".join([f"{page.number},{page.start},{page.end}" for page in pages])
    details = json.dumps(metadata, sort_keys=True, default=str) if metadata else "{}"
    return content_id("h", text, title, details, shape, numbers)


class _Offsets:
    """Where an offset into the given text lies once the mark and the NULs are gone."""

    def __init__(self, text: str) -> None:
        self._removed = [match.start() for match in re.finditer(_NUL, text)]
        if text.startswith(_BOM):
            self._removed.insert(0, 0)

    def __getitem__(self, offset: int) -> int:
        return offset - bisect_left(self._removed, offset)


def _moved_blocks(text: str, blocks: Sequence[Block]) -> list[Block]:
    moved = _Offsets(text)
    shifted = [
        Block(kind=block.kind, start=moved[block.start], end=moved[block.end], level=block.level)
        for block in blocks
    ]
    return [block for block in shifted if block.end > block.start]


def _moved_pages(text: str, pages: Sequence[Page]) -> list[Page]:
    moved = _Offsets(text)
    return [
        Page(number=page.number, start=moved[page.start], end=moved[page.end]) for page in pages
    ]
