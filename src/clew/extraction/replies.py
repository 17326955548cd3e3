"""What a language model's reply says, however it was written down.

Models wrap their JSON in fences and prose, think aloud before it, forget the outer object, end in
the middle. What can be understood is taken; ``whole`` tells whether the reply came to its end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from clew.extraction.facts.reading import (
    FACT_LISTS,
    FactReply,
    facts_in,
    read_fact,
    to_plain,
)
from clew.extraction.loose_json import Found, find_json
from clew.text.words import terms

_THINKING = re.compile(r"<(think|thinking|thought|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_SEPARATORS = re.compile(r"\s*[,;\n|]\s*")
_UNIT_LISTS = ("units", "knowledge_units", "statements", "propositions", "items")
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
    facts: tuple[FactReply, ...] = ()
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


def reply_of(units: Iterable[UnitReply]) -> str:
    """The reply that would have told just this."""
    listed = []
    for unit in units:
        entities = [{"name": entity.name, "type": entity.type} for entity in unit.entities]
        plain: dict[str, Any] = {"text": unit.text, "entities": entities}
        if unit.facts:
            plain["facts"] = [to_plain(fact) for fact in unit.facts]
        listed.append(plain)
    return json.dumps({"units": listed}, ensure_ascii=False)


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
    if not isinstance(value, dict):
        return _listed(value)
    units = _listed(_member(value, _UNIT_LISTS))
    if units:
        units = _with_loose_facts(units, facts_in(value))
    else:
        units = _listed(_member(value, FACT_LISTS)) if _has_texts(value) else []
        units = units or [_of_fact(fact) for fact in facts_in(value)] or _listed(_other_list(value))
    named = tuple(dict.fromkeys(_named_things(_member(value, _NAME_LISTS))))
    return [_with_names(unit, named) for unit in units] if named else units


def _listed(value: Any) -> list[UnitReply]:
    if isinstance(value, str | dict):
        value = [value]
    items = value if isinstance(value, list) else ()
    return [unit for item in items if (unit := _unit(item)) is not None]


def _has_texts(value: dict[str, Any]) -> bool:
    """Whether what is listed as facts are statements: texts, or objects that hold one."""
    listed = _member(value, FACT_LISTS)
    first = listed[0] if isinstance(listed, list) and listed else listed
    if isinstance(first, dict):
        return isinstance(_member(first, _TEXTS), str)
    return isinstance(first, str) and read_fact(first) is None


def _unit(item: Any) -> UnitReply | None:
    if isinstance(item, str):
        item = {"text": item}
    if not isinstance(item, dict):
        fact = read_fact(item)
        return None if fact is None else _of_fact(fact)
    text, fact = _member(item, _TEXTS), read_fact(item)
    if not isinstance(text, str) or not text.strip():
        return None if fact is None else _of_fact(fact)
    own = () if fact is None else (fact,)
    return UnitReply(
        text=" ".join(text.split()),
        entities=tuple(dict.fromkeys(_named_things(_member(item, _NAME_LISTS)))),
        facts=facts_in(item) or own,
        passage=_whole(_member(item, _PASSAGES)),
    )


def _of_fact(fact: FactReply) -> UnitReply:
    """A fact without a statement is its own."""
    return UnitReply(text=fact.as_text, facts=(fact,), passage=fact.passage)


def _with_loose_facts(units: Sequence[UnitReply], facts: Sequence[FactReply]) -> list[UnitReply]:
    """Give facts that were listed beside the units to the unit of their number, if that speaks of
    them, else to the one that shares most words with them.
    """
    found = list(units)
    words = [frozenset(terms(unit.text)) for unit in units]
    first = 0 if any(fact.unit == 0 for fact in facts) else 1
    for fact in facts:
        own = frozenset(terms(f"{fact.subject} {fact.object}"))
        shared = [len(own & others) for others in words]
        place = -1 if fact.unit is None else fact.unit - first
        if not (0 <= place < len(units) and shared[place]):
            place = shared.index(max(shared))
        if shared[place]:
            found[place] = replace(found[place], facts=(*found[place].facts, fact))
        else:
            found.append(_of_fact(fact))
    return found


def _with_names(unit: UnitReply, named: Iterable[NamedThing]) -> UnitReply:
    """Give a unit without names those of the whole reply that it says."""
    if unit.entities:
        return unit
    text = unit.text.casefold()
    said = tuple(thing for thing in named if thing.name.casefold() in text)
    return replace(unit, entities=said)


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


def _other_list(value: dict[str, Any]) -> Any:
    """The first list, whatever its name, that is not one of names."""
    return next(
        (
            inner
            for key, inner in value.items()
            if isinstance(inner, list) and key.lower() not in _NAME_LISTS
        ),
        None,
    )


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _whole(value: Any) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, str) and value.strip().isdigit() else None
