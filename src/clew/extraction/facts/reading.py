"""Facts in a model's reply, however they are written down.

Objects under many names of their members, with qualifiers beside or inside; triples as lists or as
lines; several kinds under lists of their own ("relations", "attributes", "events"). What has no
subject or no predicate is no fact. Everything is brought into one form here: negation is a boolean
and stands in no predicate, confidence lies between 0 and 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from clew.extraction.facts.qualifiers import first, negated, qualifiers, times
from clew.extraction.facts.wording import confidence_of, plain, tense_of, without_denial
from clew.records import FactKind

FACT_LISTS = (
    "facts", "triples", "triplets", "relations", "relationships", "attributes", "properties",
    "events", "claims", "edges",
)  # fmt: skip
_SUBJECTS = ("subject", "subj", "head", "source", "from", "entity", "agent", "s")
_PREDICATES = (
    "predicate", "pred", "relation", "relationship", "rel", "property", "attribute", "verb",
    "action", "event", "label", "p",
)  # fmt: skip
_OBJECTS = ("object", "obj", "tail", "target", "value", "to", "patient", "o")
_KINDS = ("kind", "type", "fact_type", "category")
_KIND_WORDS = {
    "relation": FactKind.RELATION, "relationship": FactKind.RELATION, "triple": FactKind.RELATION,
    "attribute": FactKind.ATTRIBUTE, "property": FactKind.ATTRIBUTE, "state": FactKind.ATTRIBUTE,
    "event": FactKind.EVENT, "action": FactKind.EVENT,
}  # fmt: skip
_LIST_KINDS = {
    "relations": FactKind.RELATION, "relationships": FactKind.RELATION,
    "attributes": FactKind.ATTRIBUTE, "properties": FactKind.ATTRIBUTE, "events": FactKind.EVENT,
}  # fmt: skip
_UNITS = ("unit", "unit_number", "statement", "unit_id")
_PASSAGES = ("passage", "passage_number", "chunk")
_BARE_VALUE = re.compile(r"[^\w]*\d[\d.,:/\s%-]*\w{0,12}")
_LINE = re.compile(r"\s*[|;\t]\s*|\s+[-–—]+>?\s+")
_TRIPLE = 3
_LONGEST_NAME = 300
_NO_NAME = frozenset({"none", "null", "n/a", "unknown", "unspecified", "not specified"})


@dataclass(frozen=True, kw_only=True, slots=True)
class FactReply:
    """A fact as the model wrote it. ``unit`` and ``passage`` are the numbers that it gave, if any;
    times are as written, not yet as ISO dates.
    """

    subject: str
    predicate: str
    object: str = ""
    kind: FactKind = FactKind.RELATION
    negated: bool = False
    confidence: float = 1.0
    time_as_said: str = ""
    time_start: str = ""
    time_end: str = ""
    condition: str = ""
    modality: str = ""
    quantifier: str = ""
    speech_act: str = ""
    tense: str = ""
    unit: int | None = None
    passage: int | None = None

    @property
    def as_text(self) -> str:
        """The fact as a statement, where the model gave none."""
        words = ("not", self.predicate) if self.negated else (self.predicate,)
        return " ".join(part for part in (self.subject, *words, self.object) if part)


def read_fact(item: Any, kind: FactKind | None = None) -> FactReply | None:
    """Return the fact that ``item`` says; None for anything else."""
    if isinstance(item, str):
        item = _parts(item)
    if isinstance(item, list):
        return _of_list(item, kind)
    return _of_object(item, kind) if isinstance(item, dict) else None


def read_facts(value: Any, kind: FactKind | None = None) -> tuple[FactReply, ...]:
    """The facts of a list, each once, in order; a fact alone is a list of one, and one with several
    objects is as many facts.
    """
    if isinstance(value, dict):
        value = [value]
    items = [one for item in value for one in _by_object(item)] if isinstance(value, list) else ()
    found = [fact for item in items if (fact := read_fact(item, kind)) is not None]
    alone = None if found else read_fact(value, kind)
    return tuple(dict.fromkeys([alone] if alone else found))


def facts_in(value: Mapping[str, Any]) -> tuple[FactReply, ...]:
    """The facts under every list of ``value`` that is named for facts of some kind."""
    lower = {key.lower(): inner for key, inner in value.items()}
    found = (
        fact
        for name in FACT_LISTS
        if name in lower
        for fact in read_facts(lower[name], _LIST_KINDS.get(name))
    )
    return tuple(dict.fromkeys(found))


def to_plain(fact: FactReply) -> dict[str, Any]:
    """What :func:`read_fact` reads as this fact again, without what goes without saying."""
    return {
        item.name: getattr(fact, item.name)
        for item in fields(fact)
        if item.name in _ALWAYS or getattr(fact, item.name) != item.default
    }


_ALWAYS = frozenset({"kind", "subject", "predicate", "object"})


def _parts(line: str) -> list[str] | None:
    """``a | b | c``, ``a - b -> c`` and ``(a, b, c)``."""
    inner = line.strip()
    bracketed = inner[:1] in "(<[" and inner[-1:] in ")>]"
    parts = _LINE.split(inner.strip("()<>[]"))
    if len(parts) != _TRIPLE and bracketed:
        parts = inner[1:-1].split(",", 2)
    return parts if len(parts) == _TRIPLE else None


def _of_list(item: list[Any], kind: FactKind | None) -> FactReply | None:
    if len(item) < _TRIPLE or not all(isinstance(part, str | int | float) for part in item[:3]):
        return None
    subject, predicate, value = (str(part) for part in item[:3])
    time = str(item[3]) if len(item) > _TRIPLE and isinstance(item[3], str) else ""
    return _fact(subject, predicate, value, kind, {"time": time})


def _of_object(item: dict[str, Any], kind: FactKind | None) -> FactReply | None:
    lower = {key.lower().replace(" ", "_"): inner for key, inner in item.items()}
    said = lower | qualifiers(lower)
    word = first(said, _KINDS)
    told = _KIND_WORDS.get(word.strip().lower()) if isinstance(word, str) else None
    subject, predicate = first(said, _SUBJECTS), first(said, _PREDICATES)
    subject = _value(subject) if isinstance(subject, dict | list) else subject
    if predicate is None and told is None and first(said, _OBJECTS) is not None:
        predicate = word  # {"head": …, "type": …, "tail": …}
    if not (isinstance(subject, str) and isinstance(predicate, str)):
        return None
    return _fact(subject, predicate, first(said, _OBJECTS), told or kind, said)


def _fact(
    subject: str, predicate: str, value: Any, kind: FactKind | None, said: Mapping[str, Any]
) -> FactReply | None:
    subject, value = _name(subject), _name(_value(value))
    predicate, denied = without_denial(_predicate(predicate))
    if not (_says(subject) and _says(predicate)):
        return None
    value = value if _says(value) else ""
    start, end, as_said = times(said)
    return FactReply(
        subject=subject,
        predicate=predicate,
        object=value,
        kind=kind or kind_of(value),
        negated=denied or negated(said),
        confidence=confidence_of(first(said, ("confidence", "certainty", "score"))),
        time_as_said=as_said,
        time_start=start,
        time_end=end,
        condition=plain(first(said, ("condition", "if"))),
        modality=plain(first(said, ("modality", "modal", "mood"))),
        quantifier=plain(first(said, ("quantifier", "quantity"))),
        speech_act=plain(first(said, ("speech_act", "act"))),
        tense=tense_of(said.get("tense")),
        unit=_whole(first(said, _UNITS)),
        passage=_whole(first(said, _PASSAGES)),
    )


def kind_of(value: str) -> FactKind:
    """What kind of fact has this object, where nobody says: none is an event, a bare number or
    date an attribute.
    """
    if not value:
        return FactKind.EVENT
    return FactKind.ATTRIBUTE if _BARE_VALUE.fullmatch(value) else FactKind.RELATION


def _by_object(item: Any) -> list[Any]:
    """``{"object": ["A", "B"]}`` as two items."""
    if not isinstance(item, dict):
        return [item]
    key = next((key for key in item if key.lower() in _OBJECTS and item[key] is not None), None)
    if key is None or not isinstance(item[key], list) or len(item[key]) < 2:
        return [item]
    return [{**item, key: value} for value in item[key]]


def _value(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(part for item in value if (part := _value(item)))
    if isinstance(value, dict):
        value = first(value, ("name", "value", "text"))
    return str(value) if isinstance(value, str | int | float) else ""


def _name(text: str) -> str:
    return " ".join(text.split())


def _predicate(text: str) -> str:
    """In words: ``BORN_IN`` is "born in"."""
    text = _name(text)
    if "_" not in text or " " in text:
        return text
    words = text.replace("_", " ").strip()
    return words.lower() if words.isupper() else words


def _says(text: str) -> bool:
    if len(text) > _LONGEST_NAME or text.lower() in _NO_NAME:
        return False
    return any(char.isalnum() for char in text)


def _whole(value: Any) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, str) and value.strip().isdigit() else None
