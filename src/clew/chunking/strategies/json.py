"""JSON by its members: a record is not parted from its fields while it fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from clew.chunking.base import Span
from clew.chunking.levels import BlockLevel, InnerLevel, Level
from clew.chunking.outline import Outline
from clew.chunking.parts import Part, PartedChunker, section_parts, whole
from clew.chunking.syntax.json_source import JsonMembers, json_members
from clew.chunking.syntax.nesting import NestedLevel

_DEEPEST = 12


@dataclass(frozen=True, kw_only=True)
class JsonChunker(PartedChunker):
    """Cuts before members, outer ones rather; every bracket, key and scalar is kept.

    Each chunk says the path of its first member. What is no JSON is cut by sections and blocks;
    JSON Lines are values in a row.
    """

    max_size: int = 1800

    name: ClassVar[str] = "json"

    def parts(self, outline: Outline) -> list[Part]:
        return section_parts(outline) if self._members(outline) is None else [whole(outline)]

    def levels(self, outline: Outline) -> Sequence[Level]:
        members = self._members(outline)
        if members is None:
            return super().levels(outline)
        nested = [NestedLevel(outline.text, starts) for starts in members.by_depth(_DEEPEST)]
        return [*nested, BlockLevel(outline), InnerLevel(outline)]

    def describe(self, outline: Outline, span: Span) -> Mapping[str, Any]:
        members = self._members(outline)
        if members is None:
            return {}
        return {"json_path": members.path(span.start), "source_format": "json"}

    def _members(self, outline: Outline) -> JsonMembers | None:
        return outline.derive("json members", lambda outline: json_members(outline.text))
