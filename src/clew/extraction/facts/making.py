"""From facts that the passage bears out to records: their time, their span, their id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from clew.extraction.facts.grounding import grounded, period_and_words
from clew.extraction.facts.polarity import denies
from clew.extraction.facts.reading import FactReply
from clew.extraction.facts.times import Period, iso_of
from clew.extraction.grounding import Grounds
from clew.extraction.matching import Origin, Sentences
from clew.graph.fact_identity import identified
from clew.records import Document, Fact, KnowledgeUnit

_DAYS = ("date", "published", "published_at", "publication_date", "created", "modified", "year")
"""Metadata that tell when a document was said, the most exact first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Drafted:
    """A fact that still wants the id of its unit."""

    fact: FactReply
    period: Period
    time_as_said: str
    start: int
    end: int


def drafted(
    facts: Sequence[FactReply],
    statement: str,
    named: Sequence[tuple[str, str]],
    *,
    origin: Origin,
    grounds: Grounds,
    sentences: Sentences,
) -> tuple[list[Drafted], int]:
    """The facts of a statement that came from ``origin``, and how many more are ungrounded."""
    kept: dict[FactReply, None] = {}
    ungrounded = 0
    for fact in facts:
        supported = grounded(_as_stated(fact, statement), named, grounds)
        if supported is None:
            ungrounded += 1
        else:
            kept.setdefault(supported)
    alone = statement if len(kept) == 1 else ""
    drafts = []
    for fact in kept:
        period, words = period_and_words(fact, alone)
        start, end = sentences.narrowest(origin, f"{fact.subject} {fact.object}", fact.predicate)
        drafts.append(Drafted(fact=fact, period=period, time_as_said=words, start=start, end=end))
    return drafts, ungrounded


def _as_stated(fact: FactReply, statement: str) -> FactReply:
    return replace(fact, negated=True) if denies(statement, fact.predicate) else fact


def facts_of(unit: KnowledgeUnit, drafts: Iterable[Drafted], stated_at: str) -> list[Fact]:
    """The records, each id once; what is said with a time and without one has it."""
    made: dict[str, Fact] = {}
    for draft in _timed(drafts):
        fact = draft.fact
        found = Fact(
            id="",
            document_id=unit.document_id,
            unit_id=unit.id,
            start=draft.start,
            end=draft.end,
            kind=fact.kind,
            subject=fact.subject,
            predicate=fact.predicate,
            object=fact.object,
            negated=fact.negated,
            confidence=fact.confidence,
            time_start=draft.period.start,
            time_end=draft.period.end,
            time_as_said=draft.time_as_said,
            condition=fact.condition,
            modality=fact.modality,
            quantifier=fact.quantifier,
            speech_act=fact.speech_act,
            tense=fact.tense,
            stated_at=stated_at,
        )
        found = identified(found)
        made.setdefault(found.id, found)
    return list(made.values())


def _timed(drafts: Iterable[Drafted]) -> Iterator[Drafted]:
    told = list(drafts)
    known = {_without_time(draft) for draft in told if _has_time(draft)}
    return (one for one in told if _has_time(one) or _without_time(one) not in known)


def _has_time(draft: Drafted) -> bool:
    return any(draft.period) or bool(draft.time_as_said)


def _without_time(draft: Drafted) -> tuple[str | bool, ...]:
    fact = draft.fact
    return fact.subject, fact.predicate, fact.object, fact.negated, fact.condition


def stated_at(document: Document) -> str:
    """The day (or month, or year) of ``document``, as far as its metadata tell."""
    metadata = {key.lower(): value for key, value in document.metadata.items()}
    return next((day for name in _DAYS if (day := iso_of(metadata.get(name)))), "")
