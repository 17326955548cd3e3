"""HTML source by its elements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from clew.chunking.base import Span
from clew.chunking.outline import Outline
from clew.chunking.parts import Part, section_parts
from clew.chunking.section_metadata import SectionedChunker
from clew.chunking.syntax.html_source import html_blocks, html_title, is_html


@dataclass(frozen=True, kw_only=True)
class HtmlChunker(SectionedChunker):
    """Source text with tags is cut before headings and block elements, tags kept as they are; the
    first rows of a table are its context.

    A document that was read from HTML has its blocks already and is cut by them.
    """

    min_size: int = 500
    max_size: int = 1800

    name: ClassVar[str] = "html"

    def reading(self, outline: Outline) -> Outline:
        if not outline.derive("is html", lambda outline: is_html(outline.text)):
            return outline
        return outline.read_as("html", html_blocks, html_title)

    def parts(self, outline: Outline) -> list[Part]:
        return section_parts(outline)

    def describe(self, outline: Outline, span: Span) -> Mapping[str, Any]:
        return {**super().describe(outline, span), "source_format": "html"}
