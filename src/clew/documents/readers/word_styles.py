"""Styles of a Word file: which paragraphs are headings, lists, code or quotes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from clew.documents.readers.office_package import value_of
from clew.documents.xml_tree import Element, attribute, child, children
from clew.records import BlockKind

_HEADING = re.compile(r"heading\s*(\d)")
_CODE = re.compile(r"\bcode\b|preformatted|verbatim|listing|plain text", re.IGNORECASE)
_QUOTE = re.compile(r"\bquote|block\s*text", re.IGNORECASE)
_BODY_LEVEL = 9
_MAX_LEVEL = 6


@dataclass(frozen=True, slots=True)
class Style:
    """What a style says of a paragraph; the values of its ancestors are merged in."""

    name: str = ""
    heading: int = 0
    number_id: str = ""
    number_level: int | None = None
    kind: BlockKind = BlockKind.PARAGRAPH


class Styles:
    """Styles by id, each with what it inherits."""

    def __init__(self, root: Element | None) -> None:
        self._elements = {
            attribute(element, "styleId"): element
            for element in (children(root, "style") if root is not None else ())
        }
        self._known: dict[str, Style] = {}

    def get(self, style_id: str) -> Style:
        if style_id not in self._known:
            self._known[style_id] = self._read(style_id)
        return self._known[style_id]

    def _read(self, style_id: str) -> Style:
        lineage: list[Element] = []
        current = style_id
        while current in self._elements and len(lineage) < len(self._elements):
            lineage.append(self._elements[current])
            current = value_of(lineage[-1], "basedOn")
        names = [value_of(element, "name").lower() for element in lineage]
        name = names[0] if names else style_id.lower()
        level = _first(lineage, "pPr", "numPr", "ilvl")
        return Style(
            name=name,
            heading=_heading_level(names or [name], _first(lineage, "pPr", "outlineLvl")),
            number_id=_first(lineage, "pPr", "numPr", "numId"),
            number_level=int(level) if level.isdecimal() else None,
            kind=_kind(name),
        )


def outline_level(value: str) -> int:
    """Return the heading level of an outline level; 0 for body text.

    >>> outline_level("0"), outline_level("9"), outline_level("")
    (1, 0, 0)
    """
    if not value.isdecimal() or int(value) >= _BODY_LEVEL:
        return 0
    return min(int(value) + 1, _MAX_LEVEL)


def _first(lineage: list[Element], *path: str) -> str:
    for element in lineage:
        if child(element, *path) is not None:
            return value_of(element, *path)
    return ""


def _heading_level(names: list[str], outline: str) -> int:
    for name in names:
        match = _HEADING.match(name)
        if match is not None:
            return min(max(1, int(match[1])), _MAX_LEVEL)
        if name == "title":
            return 1
        if name == "subtitle":
            return 2
    return outline_level(outline)


def _kind(name: str) -> BlockKind:
    if _CODE.search(name):
        return BlockKind.CODE
    return BlockKind.QUOTE if _QUOTE.search(name) else BlockKind.PARAGRAPH
