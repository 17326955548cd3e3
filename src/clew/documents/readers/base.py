"""What every reader takes and gives.

A reader is a plain function from a :class:`SourceFile` to :class:`Parsed`. It raises
:class:`~clew.errors.DocumentError` with a reason that does not repeat the path: the loader puts
the path in front. A reader of files that hold many records yields :class:`Parsed` and
:class:`Rejected` instead, so that one bad record costs no other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from clew.documents.builder import TextBuilder
from clew.documents.fields import RecordFields
from clew.documents.titles import find_title
from clew.records import Block, Page


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceFile:
    """The bytes of a file and the name that messages and ids use for it."""

    name: str
    data: bytes
    suffix: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Parsed:
    """What a file, or one record of it, says. ``blocks=None`` leaves the partition to the text.

    ``doc_id`` is empty where the document is the whole file.
    """

    text: str
    doc_id: str = ""
    title: str = ""
    media_type: str = "text/plain"
    metadata: Mapping[str, Any] = field(default_factory=dict)
    blocks: tuple[Block, ...] | None = None
    pages: tuple[Page, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Rejected:
    """A record of a file that cannot be a document."""

    doc_id: str
    reason: str


Reader = Callable[[SourceFile], Parsed]
RecordReader = Callable[[SourceFile, RecordFields], Iterator[Parsed | Rejected]]


def built(
    builder: TextBuilder, *, media_type: str, title: str = "", metadata: Mapping[str, Any]
) -> Parsed:
    """Return what ``builder`` holds. ``title`` is the format's own, for a text that has none;
    metadata without a value is left out.
    """
    text, blocks = builder.text, builder.blocks()
    return Parsed(
        text=text,
        title=find_title(text, blocks) or title,
        media_type=media_type,
        metadata={key: value for key, value in metadata.items() if value not in ("", [], None)},
        blocks=blocks,
        pages=builder.pages(),
    )
