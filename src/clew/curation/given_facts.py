"""Facts that somebody brings: made into a document, so that they have a source like all others.

Each fact is written down as a statement, in its own words where it has some, else as subject,
predicate and object; the statement is its unit, and what a citation shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from clew.errors import DocumentError, nearest
from clew.extraction.assemble import assemble
from clew.extraction.base import Extraction
from clew.extraction.config import ExtractionConfig
from clew.extraction.facts.reading import kind_of
from clew.extraction.facts.times import is_reversed, iso_date
from clew.extraction.matching import Homes
from clew.extraction.places import places_of
from clew.graph.fact_identity import identified
from clew.ids import content_id, occurrences, unit_id
from clew.records import Chunk, Document, Fact, FactKind, KnowledgeUnit

_KEY = "given_facts"
_OF_THE_STORE = {"id", "document_id", "unit_id", "start", "end", "predicate_as_said"}
_FIELDS = {item.name for item in fields(Fact)} - _OF_THE_STORE
_KNOWN = _FIELDS | {"text", "subject_type", "object_type"}
_DATES = {"time_start", "time_end", "stated_at"}
_ISO = re.compile(r"-?\d{4}(?:-\d\d(?:-\d\d(?:[T ]\d\d:.*)?)?)?")
_FLAGS, _NUMBERS = {"negated"}, {"confidence"}


def facts_document(
    facts: Iterable[Any] | Fact,
    *,
    name: str | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a document, as a dict, that states ``facts`` (or the one given): mappings with
    ``subject``, ``predicate``, ``object`` and any other field of :class:`clew.records.Fact`,
    ``text`` (the statement), ``subject_type``, ``object_type``; or triples.

    Raises :class:`clew.errors.DocumentError` that names the fact and what is wrong with it.
    """
    if isinstance(facts, Mapping | Fact):
        facts = [facts]
    read = [_read(fact, number) for number, fact in enumerate(facts, 1)]
    if not read:
        raise DocumentError("no facts were given")
    text = "\n\n".join(fact["text"] for fact in read) + "\n"
    told = {_KEY: read, **(metadata or {})}
    own = name or content_id("facts-", *(repr(sorted(fact.items())) for fact in read))
    return {"text": text, "doc_id": own, "metadata": told}


class GivenFacts:
    """The extraction method of such documents."""

    method = "given"

    def __init__(self, config: ExtractionConfig) -> None:
        self._config = config

    def extract(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> list[Extraction]:
        return [self._extraction(document, chunks) for document, chunks in documents]

    def _extraction(self, document: Document, chunks: Sequence[Chunk]) -> Extraction:
        homes = Homes(chunks)
        by_id = {chunk.id: chunk for chunk in chunks}
        stated = list(_stated(document, homes))
        names = [
            places_of(document, by_id[unit.chunk_id], unit, _names_of(fact))
            for unit, fact in stated
        ]
        units = [unit for unit, _ in stated]
        extraction = assemble(document, chunks, units, names, config=self._config)
        facts = {made.id: made for unit, fact in stated for made in [_fact(unit, fact)]}
        return replace(extraction, facts=tuple(facts.values()))


def _read(fact: Any, number: int) -> dict[str, Any]:
    where = f"fact {number}"
    if isinstance(fact, Fact):
        fact = {name: getattr(fact, name) for name in _FIELDS}
    if isinstance(fact, str) or not isinstance(fact, Mapping | Sequence):
        raise DocumentError(f"{where}: {fact!r} is neither a mapping nor a triple")
    if not isinstance(fact, Mapping):
        if len(fact) != 3:
            raise DocumentError(f"{where}: {fact!r} has {len(fact)} parts; a triple has 3")
        fact = dict(zip(("subject", "predicate", "object"), fact, strict=True))
    told = {key: _checked(key, value, where) for key, value in fact.items() if value is not None}
    for key in ("subject", "predicate"):
        if not told.get(key):
            raise DocumentError(f"{where}: {key} is missing")
    for key in _DATES & told.keys():
        told[key] = _day(key, told[key], where)
    if is_reversed(told.get("time_start", ""), told.get("time_end", "")):
        raise DocumentError(
            f"{where}: time_end={told['time_end']!r} is before time_start={told['time_start']!r}"
        )
    told["kind"] = _kind(told, where)
    told["text"] = " ".join(str(told.get("text") or _statement(told)).split())
    return told


def _checked(key: str, value: Any, where: str) -> Any:
    if key not in _KNOWN:
        raise DocumentError(f"{where}: unknown field {key!r}{nearest(key, _KNOWN)}")
    if key in _FLAGS:
        good = isinstance(value, bool)
    elif key in _NUMBERS:
        good = isinstance(value, int | float) and 0 <= value <= 1
    else:
        good = isinstance(value, str | int | float) and not isinstance(value, bool)
        value = " ".join(str(value).replace("\0", "").split()) if good else value
    if not good:
        wanted = "true or false" if key in _FLAGS else "0 to 1" if key in _NUMBERS else "text"
        raise DocumentError(f"{where}: {key}={value!r} must be {wanted}")
    return value


def _day(key: str, value: str, where: str) -> str:
    day = value if not value or _ISO.fullmatch(value) else iso_date(value)
    if value and not day:
        raise DocumentError(
            f"{where}: {key}={value!r} is no date; write 2010, 2010-05 or 2010-05-14, and other "
            "words into time_as_said"
        )
    return day


def _kind(told: Mapping[str, Any], where: str) -> str:
    kind = told.get("kind") or kind_of(str(told.get("object", "")))
    if kind not in set(FactKind):
        choices = [str(one) for one in FactKind]
        raise DocumentError(
            f"{where}: kind={kind!r} is not one of {', '.join(choices)}{nearest(kind, choices)}"
        )
    return str(kind)


def _statement(told: Mapping[str, Any]) -> str:
    """``Norr Works acquired Tarn Ltd in 1999.``"""
    predicate = str(told["predicate"]).replace("_", " ")
    parts = (told["subject"], predicate, told.get("object", ""), told.get("time_as_said", ""))
    statement = " ".join(part for part in parts if part)
    return f"It is not so that {statement}." if told.get("negated") else f"{statement}."


def _stated(document: Document, homes: Homes) -> Iterator[tuple[KnowledgeUnit, dict[str, Any]]]:
    """The unit of each fact; the statements stand in the text one after the other."""
    told = document.metadata[_KEY]
    at = 0
    for (text, count), fact in zip(occurrences(one["text"] for one in told), told, strict=True):
        start = document.text.index(text, at)
        at = start + len(text)
        yield (
            KnowledgeUnit(
                id=unit_id(document.id, text, count),
                document_id=document.id,
                chunk_id=homes.of(start, at).id,
                start=start,
                end=at,
                text=text,
                origin=GivenFacts.method,
            ),
            fact,
        )


def _names_of(fact: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Subject and object, where they are names."""
    named = [(fact["subject"], fact.get("subject_type", ""))]
    if fact["kind"] != FactKind.ATTRIBUTE and fact.get("object"):
        named.append((fact["object"], fact.get("object_type", "")))
    return [(name, kind.upper()) for name, kind in named]


def _fact(unit: KnowledgeUnit, told: Mapping[str, Any]) -> Fact:
    values = {key: value for key, value in told.items() if key in _FIELDS}
    values["kind"] = FactKind(values["kind"])
    values.setdefault("object", "")
    return identified(
        Fact(
            id="",
            document_id=unit.document_id,
            unit_id=unit.id,
            start=unit.start,
            end=unit.end,
            **values,
        )
    )
