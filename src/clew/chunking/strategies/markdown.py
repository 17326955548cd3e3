"""Markdown by its headings, fences, lists and tables, whatever the text is said to be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from clew.chunking.outline import Outline
from clew.chunking.parts import Part, section_parts
from clew.chunking.section_metadata import SectionedChunker
from clew.text.blocks import partition


@dataclass(frozen=True, kw_only=True)
class MarkdownChunker(SectionedChunker):
    """As :class:`SectionAwareChunker`, over the text read as Markdown.

    Plain text is read as Markdown first, since much of it is; documents of other kinds, whose
    readers found their structure, are taken as they are.
    """

    min_size: int = 500
    max_size: int = 1800

    name: ClassVar[str] = "markdown"

    def reading(self, outline: Outline) -> Outline:
        if outline.media_type != "text/plain":
            return outline
        return outline.read_as("markdown", partial(partition, syntax="markdown"))

    def parts(self, outline: Outline) -> list[Part]:
        return section_parts(outline)
