"""What a language model's reply says, however it was written down.

Models wrap their JSON in fences and prose, think aloud before it, forget the outer object, end in
the middle. What can be understood is taken; ``whole`` tells whether the reply came to its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from clew.extraction.loose_json import Found, find_json
from clew.extraction.named_things import NAME_LISTS, NamedThing, member, named_things
from clew.extraction.unit_replies import UnitReply, unit_of, units_in
from clew.models.thoughts import without_closed_thoughts


@dataclass(frozen=True, kw_only=True, slots=True)
class UnitReplies:
    """``whole`` is False for a reply that was cut off; ``readable`` when nothing in it was JSON."""

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
    if not found.units and '\\"' in said:  # JSON that was written as a string of JSON
        unescaped = _read(said.replace("\\n", "\n").replace('\\"', '"'))
        found = unescaped if unescaped.units else found
    return found


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
    return UnitReplies(units=tuple(units), whole=whole, readable=bool(values))


def read_names(reply: str) -> NameReplies | None:
    """Return the names in ``reply``, each once; None when it holds no list of any."""
    best: NameReplies | None = None
    for found in find_json(without_closed_thoughts(reply)):
        names = member(found.value, NAME_LISTS) if isinstance(found.value, dict) else found.value
        if isinstance(names, list | str):
            told = tuple(dict.fromkeys(named_things(names)))
            if told or best is None:
                best = NameReplies(names=told, whole=found.whole)
    return best


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
