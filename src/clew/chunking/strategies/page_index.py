"""Pages, and on each page its sections: chunks that can be told by page and heading path."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from clew.chunking.base import Span
from clew.chunking.outline import Outline
from clew.chunking.pages import FORM_FEED, page_index, page_spans
from clew.chunking.parts import Part
from clew.chunking.strategies.page import PagedChunker


@dataclass(frozen=True, kw_only=True)
class PageIndexChunker(PagedChunker):
    """A page is divided at its headings; no chunk holds two pages or two sections with text.

    A section that goes on over a page end keeps its path there. ``section_instance_id`` names the
    occurrence: the page, and the section of the document.
    """

    page_delimiter: str = FORM_FEED
    max_size: int = 1800

    name: ClassVar[str] = "page-index"

    def parts(self, outline: Outline) -> list[Part]:
        starts = outline.section_starts
        levels = [section.level for section in outline.sections]
        found = []
        for page in self.page_parts(outline):
            first, stop = bisect_right(starts, page.start), bisect_left(starts, page.end)
            begins = [page.start, *starts[first:stop]]
            ends = [outline.ends[outline.block_at(at) - 1] for at in starts[first:stop]]
            for place, (start, end) in enumerate(zip(begins, [*ends, page.end], strict=True)):
                level = levels[first + place - 1] if first + place else 0
                found.append(Part(start, end, level, closed=place == 0))
        return found

    def describe(self, outline: Outline, span: Span) -> Mapping[str, Any]:
        number = page_index(outline, self.page_delimiter, span.start)
        page = page_spans(outline, self.page_delimiter)[number]
        section = max(0, outline.section_at(*span))
        first = max(0, bisect_right(outline.section_starts, page.start) - 1)
        path = outline.heading_path(*span)
        return {
            "page_index": number,
            "page_start_char": page.start,
            "page_end_char": page.end,
            "page_section_index": section - first,
            "heading_path": list(path),
            "section_title": path[-1] if path else "",
            "section_instance_id": f"page-{number}/section-{section}",
        }
