"""Sections by a pattern: for texts whose headings no mark-up tells."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from clew.chunking.base import Span
from clew.chunking.outline import Outline
from clew.chunking.parts import Part, PartedChunker, parts_at
from clew.chunking.trimming import content_start
from clew.errors import ConfigError
from clew.records import BlockKind
from clew.text.graphemes import is_boundary
from clew.text.headings import heading_text

_LONGEST_TITLE = 300
HEADINGS = (
    r"^[ \t]*(?:"
    r"\#{1,6}[ \t]+\S"
    r"|(?:chapter|section|part|article|appendix|annex|clause|schedule|kapitel|abschnitt|chapitre"
    r"|capítulo|§)[ \t]+(?:\d|[ivxlc]+\b|[a-z]\b)"
    r"|\d{1,3}(?:\.\d{1,3}){0,5}[.)]?[ \t]+(?=\w)(?!\d)(?=[^\n\r]{1,80}[^.,;:\n\r]$)"
    r"|第[一二三四五六七八九十百零〇\d]+[章节節条條編部]"
    r")"
)
"""Markdown, ``Chapter 3``, ``2.1 Title``, ``§ 4``, ``第三章``, each at the start of a line."""


@dataclass(frozen=True, kw_only=True)
class RegexSectionChunker(PartedChunker):
    """A line in which ``heading_pattern`` matches begins a chunk; it is matched with ``^`` and
    ``$`` at every line, in any case. None stands for :data:`HEADINGS`. No line of fenced code
    begins one.
    """

    heading_pattern: str | None = None
    max_size: int = 1800

    name: ClassVar[str] = "regex-section"

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            re.compile(self._pattern)
        except re.error as error:
            raise ConfigError(
                f"heading_pattern={self.heading_pattern!r} is no regular expression: {error}"
            ) from error

    @property
    def _pattern(self) -> str:
        return HEADINGS if self.heading_pattern is None else self.heading_pattern

    def parts(self, outline: Outline) -> list[Part]:
        return parts_at(outline, self._starts(outline))

    def describe(self, outline: Outline, span: Span) -> Mapping[str, Any]:
        starts = self._starts(outline)
        number = bisect_right(starts, span.start)
        title = ""
        if number:
            at = starts[number - 1]
            lines = outline.text[at : at + _LONGEST_TITLE].lstrip().splitlines()
            title = heading_text(lines[0]) if lines else ""
        return {
            "section_title": title,
            "section_index": number,
            "section_instance_id": f"section-{number}",
        }

    def _starts(self, outline: Outline) -> Sequence[int]:
        return outline.derive(("headings", self._pattern), self._find)

    def _find(self, outline: Outline) -> list[int]:
        text = outline.text
        found: list[int] = []
        before = 0
        for match in re.finditer(self._pattern, text, re.MULTILINE | re.IGNORECASE):
            place = content_start(text, match.start()) if match[0].strip() else match.start()
            line = text.rfind("\n", before, place) + 1
            if (line or not found) and line not in found[-1:] and not _is_fenced(outline, line):
                found.append(line)
            before = max(before, place)
        return [at for at in found if is_boundary(text, at)]


def _is_fenced(outline: Outline, place: int) -> bool:
    number = bisect_right(outline.starts, place) - 1
    if number < 0 or outline.kinds[number] is not BlockKind.CODE or place >= outline.ends[number]:
        return False
    return outline.text.startswith(("```", "~~~"), outline.starts[number])
