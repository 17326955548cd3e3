"""The numbers that Word writes before paragraphs: they are computed, not stored."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from clew.documents.readers.office_package import value_of
from clew.documents.xml_tree import Element, attribute, children

_PLACE = re.compile(r"%(\d)")
_ROMAN = tuple(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        "m cm d cd c xc l xl x ix v iv i".split(),
        strict=True,
    )
)
_MAX_DEPTH = 9


@dataclass(frozen=True, slots=True)
class Level:
    format: str = "decimal"
    text: str = "%1."
    start: int = 1


@dataclass(slots=True)
class Numbering:
    """Counts the paragraphs of each list in document order."""

    _levels: dict[str, dict[int, Level]] = field(default_factory=dict)  # by list definition
    _definition: dict[str, str] = field(default_factory=dict)  # of each list in use
    _overrides: dict[str, dict[int, int]] = field(default_factory=dict)
    _counters: dict[str, dict[int, int]] = field(default_factory=dict)
    _restarted: set[tuple[str, int]] = field(default_factory=set)

    @classmethod
    def read(cls, root: Element | None) -> Numbering:
        numbering = cls()
        for element in children(root, "abstractNum") if root is not None else ():
            levels = {_number(attribute(e, "ilvl")): _level(e) for e in children(element, "lvl")}
            numbering._levels[attribute(element, "abstractNumId")] = levels
        for element in children(root, "num") if root is not None else ():
            number_id = attribute(element, "numId")
            numbering._definition[number_id] = value_of(element, "abstractNumId")
            starts = numbering._overrides.setdefault(number_id, {})
            for override in children(element, "lvlOverride"):
                start = value_of(override, "startOverride")
                if start.isdecimal():
                    starts[_number(attribute(override, "ilvl"))] = int(start)
        return numbering

    def marker(self, number_id: str, depth: int) -> str:
        """Count one paragraph at ``depth`` (from 0); return ``-``, ``3.``, ``1.2.`` or ``""``."""
        definition = self._definition.get(number_id)
        if definition is None:
            return "-"
        levels = self._levels.get(definition, {})
        level = levels.get(depth, Level())
        count = self._count(number_id, definition, depth, level)
        if level.format == "bullet":
            return "-"
        if level.format == "none":
            return ""
        counters = self._counters[definition] | {depth: count}

        def written(match: re.Match[str]) -> str:
            place = int(match[1]) - 1
            above = levels.get(place, Level())
            return _written(counters.get(place, above.start), above.format)

        return _PLACE.sub(written, level.text).strip()

    def _count(self, number_id: str, definition: str, depth: int, level: Level) -> int:
        counters = self._counters.setdefault(definition, {})
        override = self._overrides.get(number_id, {}).get(depth)
        if override is not None and (number_id, depth) not in self._restarted:
            self._restarted.add((number_id, depth))
            counters[depth] = override
        else:
            counters[depth] = counters.get(depth, level.start - 1) + 1
        for deeper in range(depth + 1, _MAX_DEPTH):
            counters.pop(deeper, None)
        return counters[depth]


def _level(element: Element) -> Level:
    start = value_of(element, "start", default="1")
    return Level(
        format=value_of(element, "numFmt", default="decimal"),
        text=value_of(element, "lvlText"),
        start=int(start) if start.isdecimal() else 1,
    )


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0


def _written(count: int, format_: str) -> str:
    if format_ in {"lowerLetter", "upperLetter"} and count > 0:
        letters = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
        return letters if format_ == "lowerLetter" else letters.upper()
    if format_ in {"lowerRoman", "upperRoman"}:
        return _roman(count) if format_ == "lowerRoman" else _roman(count).upper()
    if format_ == "decimalZero":
        return f"{count:02d}"
    return str(count)


def _roman(count: int) -> str:
    digits = ""
    for value, letters in _ROMAN:
        times, count = divmod(count, value)
        digits += letters * times
    return digits
