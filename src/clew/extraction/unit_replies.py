"""Statements in a model's reply, with the names and facts in them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from clew.extraction.facts.reading import (
    FACT_LISTS,
    FactReply,
    facts_in,
    read_fact,
    to_plain,
)
from clew.extraction.named_things import NAME_LISTS, NamedThing, member, named_things
from clew.text.words import terms

_UNIT_LISTS = ("units", "knowledge_units", "statements", "propositions", "items")
_TEXTS = ("text", "unit", "fact", "statement", "proposition", "content", "sentence")
_PASSAGES = ("passage", "passage_number", "chunk", "index")


@dataclass(frozen=True, kw_only=True, slots=True)
class UnitReply:
    """A statement as the model wrote it. ``passage`` is the number that it gave, if any."""

    text: str
    entities: tuple[NamedThing, ...] = ()
    facts: tuple[FactReply, ...] = ()
    passage: int | None = None


def units_in(value: Any) -> list[UnitReply]:
    """The statements that a whole value of a reply lists."""
    if not isinstance(value, dict):
        return _listed(value)
    units = _listed(member(value, _UNIT_LISTS))
    if units:
        units = _with_loose_facts(units, facts_in(value))
    else:
        units = _listed(member(value, FACT_LISTS)) if _has_texts(value) else []
        units = units or [_of_fact(fact) for fact in facts_in(value)] or _listed(_other_list(value))
    named = tuple(dict.fromkeys(named_things(member(value, NAME_LISTS))))
    return [_with_names(unit, named) for unit in units] if named else units


def _listed(value: Any) -> list[UnitReply]:
    if isinstance(value, str | dict):
        value = [value]
    items = value if isinstance(value, list) else ()
    return [unit for item in items if (unit := unit_of(item)) is not None]


def _has_texts(value: dict[str, Any]) -> bool:
    """Whether what is listed as facts are statements: texts, or objects that hold one."""
    listed = member(value, FACT_LISTS)
    first = listed[0] if isinstance(listed, list) and listed else listed
    if isinstance(first, dict):
        return isinstance(member(first, _TEXTS), str)
    return isinstance(first, str) and read_fact(first) is None


def unit_of(item: Any) -> UnitReply | None:
    """The one statement that ``item`` is; None for anything else."""
    if isinstance(item, str):
        item = {"text": item}
    if not isinstance(item, dict):
        fact = read_fact(item)
        return None if fact is None else _of_fact(fact)
    text, fact = member(item, _TEXTS), read_fact(item)
    if not isinstance(text, str) or not text.strip():
        return None if fact is None else _of_fact(fact)
    own = () if fact is None else (fact,)
    return UnitReply(
        text=" ".join(text.split()),
        entities=tuple(dict.fromkeys(named_things(member(item, NAME_LISTS)))),
        facts=facts_in(item) or own,
        passage=_whole(member(item, _PASSAGES)),
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


def _other_list(value: dict[str, Any]) -> Any:
    """The first list, whatever its name, that is not one of names."""
    return next(
        (
            inner
            for key, inner in value.items()
            if isinstance(inner, list) and key.lower() not in NAME_LISTS
        ),
        None,
    )


def _whole(value: Any) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, str) and value.strip().isdigit() else None
