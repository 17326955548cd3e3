"""Statements in a model's reply, with the names and facts in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from clew.extraction.facts.reading import (
    FACT_LISTS,
    FactReply,
    facts_in,
    read_fact,
    read_facts,
    to_plain,
)
from clew.extraction.loose_json import find_json
from clew.extraction.named_things import NAME_LISTS, NamedThing, member, named_things
from clew.text.words import terms

_UNIT_LISTS = ("units", "knowledge_units", "statements", "propositions", "items")
_TEXTS = ("text", "unit", "fact", "statement", "proposition", "content", "sentence")
_PASSAGES = ("passage", "passage_number", "chunk", "index")
_NUMBERED = re.compile(r"(?:passage|chunk|text)?[ _#-]*(\d{1,6})", re.IGNORECASE | re.ASCII)
_MAX_WRAPPINGS = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class UnitReply:
    """A statement as the model wrote it. ``passage`` is the number that it gave, if any."""

    text: str
    entities: tuple[NamedThing, ...] = ()
    facts: tuple[FactReply, ...] = ()
    passage: int | None = None


def units_in(value: Any, depth: int = 0) -> list[UnitReply]:
    """The statements that a value of a reply lists, under whatever stands around the list."""
    if not isinstance(value, dict):
        return _listed(value, depth)
    listed = member(value, _UNIT_LISTS)
    units = _listed(listed, depth)
    if units:
        units = _with_loose_facts(units, facts_in(value))
    else:
        units = _listed(member(value, FACT_LISTS), depth) if _has_texts(value) else []
        units = units or [_of_fact(fact) for fact in facts_in(value)]
        units = units or ([] if isinstance(listed, list) else _wrapped(value, depth))
    named = tuple(dict.fromkeys(named_things(member(value, NAME_LISTS))))
    if named:
        units = [_with_names(unit, named) for unit in units]
    return _of_passage(units, member(value, _PASSAGES))


def _listed(value: Any, depth: int) -> list[UnitReply]:
    """The items of a list, each a statement or something that holds some; a lone one too."""
    if isinstance(value, dict) and value and unit_of(value) is None:
        inner = list(value.values())
        value = inner if all(isinstance(item, dict) for item in inner) else value
    if isinstance(value, str | dict):
        value = [value]
    units: list[UnitReply] = []
    for item in value if isinstance(value, list) else ():
        unit = unit_of(item, listed=True)
        if unit is not None:
            units.append(unit)
        elif isinstance(item, dict | list) and depth < _MAX_WRAPPINGS:
            units += units_in(item, depth + 1)
    return units


def _wrapped(value: dict[str, Any], depth: int) -> list[UnitReply]:
    """What the members of an object without a list of statements hold: one result, or passages by
    their numbers. Lists of objects go before lists of texts, which may be mere remarks.
    """
    found: list[UnitReply] = []
    remarks: list[UnitReply] = []
    for key, inner in value.items():
        if key.lower() in NAME_LISTS or depth >= _MAX_WRAPPINGS:
            continue
        if isinstance(inner, str) and inner.lstrip()[:1] in ("{", "["):
            for written in find_json(inner):
                found += _of_passage(units_in(written.value, depth + 1), key)
        elif isinstance(inner, dict):
            found += _of_passage(units_in(inner, depth + 1) or _alone(inner), key)
        elif isinstance(inner, list) and all(isinstance(item, str) for item in inner):
            remarks += _of_passage(_listed(inner, depth), key)
        elif isinstance(inner, list):
            found += _of_passage(_listed(inner, depth), key)
    return found or remarks


def _alone(item: dict[str, Any]) -> list[UnitReply]:
    unit = unit_of(item)
    return [] if unit is None else [unit]


def _of_passage(units: Sequence[UnitReply], told: Any) -> list[UnitReply]:
    """Give ``units`` without a number of their own the one that stood over them."""
    number = _whole(told)
    return [
        unit if number is None or unit.passage is not None else replace(unit, passage=number)
        for unit in units
    ]


def _has_texts(value: dict[str, Any]) -> bool:
    """Whether what is listed as facts are statements: texts, or objects that hold one."""
    listed = member(value, FACT_LISTS)
    first = listed[0] if isinstance(listed, list) and listed else listed
    if isinstance(first, dict):
        return isinstance(member(first, _TEXTS), str)
    return isinstance(first, str) and read_fact(first) is None


def unit_of(item: Any, *, listed: bool = False) -> UnitReply | None:
    """The one statement that ``item`` is; None for anything else. Of one that is ``listed`` among
    statements the text may stand under any name.
    """
    if isinstance(item, str):
        item = {"text": item}
    if not isinstance(item, dict):
        fact = read_fact(item)
        return None if fact is None else _of_fact(fact)
    inner = member(item, _UNIT_LISTS)
    if isinstance(inner, list) and inner:
        return None  # a passage given back, with what it says
    fact = read_fact(item)
    text = member(item, _TEXTS) or (_only_sentence(item) if listed and fact is None else None)
    if not isinstance(text, str) or not text.strip():
        return None if fact is None else _of_fact(fact)
    own = () if fact is None else (fact,)
    return UnitReply(
        text=" ".join(text.split()),
        entities=tuple(dict.fromkeys(named_things(member(item, NAME_LISTS)))),
        facts=facts_in(item) or own or _other_facts(item),
        passage=_whole(member(item, _PASSAGES)),
    )


def _only_sentence(item: dict[str, Any]) -> str | None:
    """The one text of several words beside names or facts: a statement under another name."""
    texts = [one for one in item.values() if isinstance(one, str) and len(one.split()) > 1]
    told = member(item, NAME_LISTS) or facts_in(item) or _other_facts(item)
    return texts[0] if told and len(texts) == 1 else None


def _other_facts(item: dict[str, Any]) -> tuple[FactReply, ...]:
    """The facts of a list under a name of the model's own."""
    lists = (
        read_facts(inner)
        for key, inner in item.items()
        if isinstance(inner, list) and key.lower() not in NAME_LISTS
    )
    return next((facts for facts in lists if facts), ())


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


def _whole(value: Any) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    told = _NUMBERED.fullmatch(value.strip()) if isinstance(value, str) else None
    return int(told[1]) if told else None
