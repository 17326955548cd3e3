"""What a language model's reply says, however it was written down.

Models wrap their JSON in fences and prose, think aloud before it, forget the outer object, end in
the middle. What can be understood is taken; ``whole`` tells whether the reply came to its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any

from clew.extraction.loose_json import Found, find_json
from clew.extraction.named_things import NAME_LISTS, NamedThing, member, named_things
from clew.extraction.unit_replies import UnitReply, unit_of, units_in
from clew.models.thoughts import without_closed_thoughts

ASKED_TYPES = frozenset(
    "PERSON ORG ORGANIZATION ORGANISATION PLACE LOCATION WORK EVENT PRODUCT DATE QUANTITY "
    "CONCEPT".split()
)
_BULLET = re.compile(r"^\s*(?:(?:[-*•+]|\(?\d{1,4}[.):])\s+|\|\s*)")
_TYPE_BEHIND = re.compile(r"\s*(?:[|\t:]|\s[-–—]\s|\s\()\s*")
_MOST_DEPTH = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class UnitReplies:
    """``whole`` is False for a reply that was cut off; ``readable`` where nothing in it was JSON
    that could list statements.
    """

    units: tuple[UnitReply, ...] = ()
    whole: bool = True
    readable: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class NameReplies:
    """``whole`` is False for a reply that was cut off."""

    names: tuple[NamedThing, ...] = ()
    whole: bool = True


def read_units(reply: str) -> UnitReplies:
    """Return the statements in ``reply``: those of the last value that holds any, and of those
    before it that speak of other passages.
    """
    said = without_closed_thoughts(reply)
    found = _read(said)
    if not found.units and (plain := _unescaped(said)) != said:
        unescaped = _read(plain)
        found = unescaped if unescaped.units else found
    return found


def _unescaped(said: str) -> str:
    """JSON that was written as a string of JSON, or for a page."""
    plain = said.replace("\\n", "\n").replace('\\"', '"') if '\\"' in said else said
    return unescape(plain) if "&quot;" in plain else plain


def _read(said: str) -> UnitReplies:
    values = list(find_json(said))
    best: tuple[list[UnitReply], bool] = ([], False)
    for units, whole in _unit_lists(values):
        if _speak_of_others(best[0], units):
            best = ([*best[0], *units], best[1] and whole)
        elif _is_remark(units) and not _is_remark(best[0]):
            continue
        elif units and (whole or not best[1] or units[: len(best[0])] == best[0]):
            best = (units, whole)
    units, whole = best
    whole = whole if units else all(found.whole for found in values)
    alone = "{" not in said
    readable = bool(units) or any(_lists(found, alone=alone) for found in values)
    return UnitReplies(units=tuple(units), whole=whole, readable=readable)


def read_names(reply: str) -> NameReplies | None:
    """Return the names in ``reply``, each once; None when it holds no list of any."""
    best: NameReplies | None = None
    for found in find_json(without_closed_thoughts(reply)):
        names = _names_in(found.value)
        if names is not None:
            told = tuple(dict.fromkeys(named_things(names)))
            if told or best is None:
                best = NameReplies(names=told, whole=found.whole)
    return best


def read_lines(reply: str) -> Iterator[NamedThing]:
    """What each line of ``reply`` may name, behind a bullet or a number and before a type: for a
    reply that is no JSON, where it is known what may be named.
    """
    for line in without_closed_thoughts(reply).splitlines():
        text = _BULLET.sub("", line).strip(" \t*`\"',")
        yield NamedThing(text)
        name, mark, kind = _TYPE_BEHIND.sub("|", text, count=1).partition("|")
        if mark:
            yield NamedThing(name.strip(" *`\"'"), kind.strip(" |)*`\"'"))


def _names_in(value: Any, depth: int = 0) -> Any:
    """The list or object of names in ``value``, whatever stands around it."""
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return None
    names = member(value, NAME_LISTS)
    if isinstance(names, list | str | dict):
        return names
    if value and all(map(_is_kind_of_names, value.keys(), value.values())):
        return value
    inner = (_names_in(one, depth + 1) for one in value.values() if isinstance(one, dict))
    return next((one for one in inner if one is not None), None) if depth < _MOST_DEPTH else None


def _is_kind_of_names(key: str, value: Any) -> bool:
    """Whether it is ``{"Norr": "PLACE"}`` or ``{"PLACE": ["Norr"]}``: types are what was asked."""
    if isinstance(value, str):
        return value.strip().upper() in ASKED_TYPES
    return key.strip().upper() in ASKED_TYPES and isinstance(value, list)


def _lists(found: Found, *, alone: bool) -> bool:
    """Whether there is a list in it, be it empty. A list by itself is an answer where it stands
    ``alone``; beside braces it is what is left of something that nobody could read.
    """
    value = found.value
    if isinstance(value, dict):
        inner = [Found(one, True) for one in value.values() if isinstance(one, dict)]
        return not found.whole or _has_list(value) or any(_lists(one, alone=True) for one in inner)
    return alone and isinstance(value, list)


def _has_list(value: dict[str, Any]) -> bool:
    return any(isinstance(one, list) for one in value.values())


def _speak_of_others(before: Iterable[UnitReply], units: Iterable[UnitReply]) -> bool:
    """Whether all of both are numbered, and no passage is in both."""
    first, second = {unit.passage for unit in before}, {unit.passage for unit in units}
    return bool(first and second) and None not in first | second and not first & second


def _is_remark(units: Iterable[UnitReply]) -> bool:
    """Whether these are mere texts, such as a list of notes behind the reply."""
    return not any(unit.entities or unit.facts or unit.passage is not None for unit in units)


def _unit_lists(values: Iterable[Found]) -> Iterator[tuple[list[UnitReply], bool]]:
    """The units of each value; objects that stand side by side, one a unit, are one list."""
    beside: list[UnitReply] = []
    for found in values:
        unit = unit_of(found.value) if isinstance(found.value, dict) else None
        units = [] if unit else units_in(found.value)
        if unit and found.whole:
            beside.append(unit)
        if unit or (beside and not units and not found.whole):
            yield list(beside), found.whole
        else:
            yield units, found.whole
