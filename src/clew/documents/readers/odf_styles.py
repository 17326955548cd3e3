"""Styles of an OpenDocument file: titles, code, quotes, and how lists are numbered."""

from __future__ import annotations

import re
from collections.abc import Iterable

from clew.documents.xml_tree import Element, attribute, child, local_name
from clew.records import BlockKind

_TITLES = {"title": 1, "subtitle": 2}
_CODE = re.compile(r"preformatted|source|code|listing", re.IGNORECASE)
_QUOTE = re.compile(r"quot", re.IGNORECASE)


class OdfStyles:
    """What the names of styles mean; automatic styles are looked through to their parents."""

    def __init__(self, roots: Iterable[Element]) -> None:
        self._parents: dict[str, str] = {}
        self._shown: dict[str, str] = {}
        self._levels: dict[str, dict[int, str]] = {}
        self._lists: dict[str, str] = {}
        self._raised: set[str] = set()
        for root in roots:
            for element in root.iter():
                name = local_name(element)
                if name == "style":
                    self._add_style(element)
                elif name == "list-style":
                    self._add_list_style(element)

    def heading(self, style: str) -> int:
        """Return 1 for a title, 2 for a subtitle, 0 otherwise."""
        return next((_TITLES[n] for n in self._lineage(style) if n in _TITLES), 0)

    def kind(self, style: str) -> BlockKind:
        for name in self._lineage(style):
            if _CODE.search(name):
                return BlockKind.CODE
            if _QUOTE.search(name):
                return BlockKind.QUOTE
        return BlockKind.PARAGRAPH

    def is_numbered(self, list_style: str, depth: int) -> bool:
        return self._levels.get(list_style, {}).get(depth) == "list-level-style-number"

    def is_raised(self, style: str) -> bool:
        return style in self._raised

    def list_style_of(self, style: str) -> str:
        return self._lists.get(style, "")

    def _add_style(self, element: Element) -> None:
        name = attribute(element, "name")
        self._parents[name] = attribute(element, "parent-style-name")
        self._shown[name] = attribute(element, "display-name", name)
        self._lists[name] = attribute(element, "list-style-name")
        text = child(element, "text-properties")
        if text is not None and attribute(text, "text-position").startswith("super"):
            self._raised.add(name)

    def _add_list_style(self, element: Element) -> None:
        levels: dict[int, str] = {}
        for level in element:
            depth = attribute(level, "level")
            if depth.isdecimal():
                is_blank = not attribute(level, "num-format") and "number" in local_name(level)
                levels[int(depth)] = "blank" if is_blank else local_name(level)
        self._levels[attribute(element, "name")] = levels

    def _lineage(self, style: str) -> list[str]:
        names: list[str] = []
        while style and len(names) <= len(self._parents):
            names.append(self._shown.get(style, style).lower())
            style = self._parents.get(style, "")
        return names
