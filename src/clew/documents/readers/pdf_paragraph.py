"""A paragraph of a PDF while it is put together from lines."""

from __future__ import annotations

from dataclasses import dataclass, field

from clew.documents.readers.pdf_lines import Line
from clew.records import BlockKind


@dataclass(slots=True)
class Paragraph:
    """``page_marks`` are offsets into the text where further pages begin, with their numbers;
    ``rows`` stand in for text and lines where it is a table.
    """

    page: int
    kind: BlockKind = BlockKind.PARAGRAPH
    text: str = ""
    level: int = 0
    page_marks: list[tuple[int, int]] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
