"""What the strategies that know sections say of each chunk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.chunking.base import Span
from clew.chunking.outline import Outline
from clew.chunking.parts import PartedChunker


class SectionedChunker(PartedChunker):
    """A strategy by sections: its chunks say which one they belong to."""

    def describe(self, outline: Outline, span: Span) -> Mapping[str, Any]:
        return section_metadata(self.reading(outline), span)


def section_metadata(outline: Outline, span: Span) -> dict[str, Any]:
    """Return title and number of the section of a chunk; ``section_instance_id`` tells two sections
    of the same title apart. Before the first heading the title is empty.
    """
    number = max(0, outline.section_at(*span))
    path = outline.heading_path(*span)
    return {
        "section_title": path[-1] if path else "",
        "section_index": number,
        "section_instance_id": f"section-{number}",
    }
