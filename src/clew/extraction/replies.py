"""What a language model's reply says, however it was written down.

Models wrap their JSON in fences and prose, think aloud before it, forget the outer object, end in
the middle. What can be understood is taken; ``whole`` tells whether the reply came to its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from clew.extraction.loose_json import Found, find_json

_THINKING = re.compile(r"<(think|thinking|thought|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_SEPARATORS = re.compile(r"\s*[,;\n|]\s*")
_UNIT_LISTS = ("units", "knowledge_units", "facts", "statements", "propositions", "items")
_TEXTS = ("text", "unit", "fact", "statement", "proposition", "content", "sentence")
_NAME_LISTS = ("entities", "terms", "names", "keywords")
_NAMES = ("name", "entity", "term", "text", "surface", "value")
_TYPES = ("type", "label", "category", "kind")
_PASSAGES = ("passage", "passage_number", "chunk", "index")
_NO_NAME = frozenset({"", "none", "null", "n/a", "unknown"})


class NamedThing(NamedTuple):
    """A name, and the type that the model gave it (``""`` for none)."""

    name: str
    type: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class UnitReply:
    """A statement as the model wrote it. ``passage`` is the number that it gave, if any."""

    text: str
    entities: tuple[NamedThing, ...] = ()
    passage: int | None = None


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
    """Return the statements in ``reply``: those of the last value that holds any."""
    values = list(find_json(_without_thinking(reply)))
    best: tuple[list[UnitReply], bool] = ([], False)
    for units, whole in _unit_lists(values):
        if units and (whole or not best[1] or units[: len(best[0])] == best[0]):
            best = (units, whole)
    units, whole = best
    whole = whole if units else all(found.whole for found in values)
    return UnitReplies(units=tuple(units), whole=whole, readable=bool(values))


def read_names(reply: str) -> NameReplies | None:
    """Return the names in ``reply``, each once; None when it holds no list of any."""
    best: NameReplies | None = None
    for found in find_json(_without_thinking(reply)):
        names = _member(found.value, _NAME_LISTS) if isinstance(found.value, dict) else found.value
        if isinstance(names, list | str):
            told = tuple(dict.fromkeys(_named_things(names)))
            if told or best is None:
                best = NameReplies(names=told, whole=found.whole)
    return best


def _without_thinking(reply: str) -> str:
    """Thoughts that end are dropped; of those that never end only the tag is dropped."""
    return _THINKING.sub(" ", reply)


def _unit_lists(values: Iterable[Found]) -> Iterator[tuple[list[UnitReply], bool]]:
    """The units of each value; objects that stand side by side, one a unit, are one list."""
    beside: list[UnitReply] = []
    for found in values:
        unit = _unit(found.value) if isinstance(found.value, dict) else None
        units = [] if unit else _units(found.value)
        if unit and found.whole:
            beside.append(unit)
        if unit or (beside and not units and not found.whole):
            yield list(beside), found.whole
        else:
            yield units, found.whole


def _units(value: Any) -> list[UnitReply]:
    if isinstance(value, dict):
        listed = _member(value, _UNIT_LISTS)
        value = listed if listed is not None else _first_list(value)
        if isinstance(value, str | dict):
            value = [value]
    if not isinstance(value, list):
        return []
    return [unit for item in value if (unit := _unit(item)) is not None]


def _unit(item: Any) -> UnitReply | None:
    if isinstance(item, str):
        item = {"text": item}
    if not isinstance(item, dict):
        return None
    text = _member(item, _TEXTS)
    if not isinstance(text, str) or not text.strip():
        return None
    entities = tuple(dict.fromkeys(_named_things(_member(item, _NAME_LISTS))))
    passage = _member(item, _PASSAGES)
    return UnitReply(text=" ".join(text.split()), entities=entities, passage=_whole(passage))


def _named_things(value: Any) -> Iterator[NamedThing]:
    if isinstance(value, str):
        value = _SEPARATORS.split(value.strip())
    if isinstance(value, dict):
        value = [value] if _member(value, _NAMES) is not None else _by_name_or_type(value)
    for item in value if isinstance(value, list) else ():
        thing = _named_thing(item)
        if thing.name.lower() not in _NO_NAME:
            yield thing


def _by_name_or_type(value: dict[str, Any]) -> list[Any]:
    """``{"Norr": "PLACE"}`` and ``{"PLACE": ["Norr", "Tarn"]}``."""
    pairs: list[Any] = []
    for key, inner in value.items():
        if isinstance(inner, list):
            pairs += [[name, key] for name in inner if isinstance(name, str)]
        else:
            pairs.append([key, inner])
    return pairs


def _named_thing(item: Any) -> NamedThing:
    if isinstance(item, str):
        return NamedThing(item.strip())
    if isinstance(item, dict):
        return NamedThing(_text(_member(item, _NAMES)), _text(_member(item, _TYPES)))
    if isinstance(item, list) and item:
        return NamedThing(_text(item[0]), _text(item[1]) if len(item) > 1 else "")
    return NamedThing("")


def _member(value: dict[str, Any], names: Iterable[str]) -> Any:
    """The first member under one of ``names``, whatever their case."""
    lower = {key.lower(): inner for key, inner in value.items()}
    return next((lower[name] for name in names if lower.get(name) is not None), None)


def _first_list(value: dict[str, Any]) -> Any:
    return next((inner for inner in value.values() if isinstance(inner, list)), None)


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _whole(value: Any) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, str) and value.strip().isdigit() else None
