"""When a statement was made: the day of its document, or of the fact that it was read into.

A statement about the present holds from that day on, until a later one says otherwise; so of two
documents of different years each answers for its own time. Time zones count: moments are compared
in universal time.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from functools import lru_cache

from clew.answering.evidence import Sentence
from clew.answering.intervals import OPEN, UNKNOWN, Interval
from clew.records import Fact
from clew.results import RetrievalItem
from clew.retrieval.question.dates import find_dates
from clew.retrieval.question.languages import ENGLISH
from clew.retrieval.question.records import (
    AnswerType,
    Day,
    Question,
    Slot,
    TimeExpression,
    TimeKind,
)
from clew.retrieval.question.relations import relations_of_word

_TIMESTAMP = re.compile(
    r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?"
)
_DATE = re.compile(r"(-?\d{1,4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")
_NO_DAY: Day = (0, 0, 0)
_MONTHS, _DAYS_OF_MONTH = 12, 31
_NOW = TimeExpression(kind=TimeKind.NOW, first=(0, 0, 0), last=(0, 0, 0), start=0, end=0)
_DAYS = ("date", "published", "published_at", "publication_date", "created", "modified", "year")
"""Metadata that tell when a document was said, as the extraction of facts reads them."""
_PAST_AUXILIARIES = frozenset("was were had did".split())


@lru_cache(maxsize=4096)
def moment_of(value: str) -> tuple[Day, int]:
    """The day in universal time, and the second of it; ``((0, 0, 0), 0)`` for what is no date.

    >>> moment_of("2024-03-01T23:30:00-08:00"), moment_of("2012")
    (((2024, 3, 2), 27000), ((2012, 0, 0), 0))
    """
    told = value.strip()
    if _TIMESTAMP.fullmatch(told) is not None:
        return _universal(told)
    match = _DATE.fullmatch(told)
    if match is None:
        found = find_dates(told)
        return (found[0].day if found else _NO_DAY), 0
    day = (int(match[1]), int(match[2] or 0), int(match[3] or 0))
    return (day if day[1] <= _MONTHS and day[2] <= _DAYS_OF_MONTH else _NO_DAY), 0


def _universal(stamp: str) -> tuple[Day, int]:
    """A timestamp without a zone counts as universal time."""
    try:
        told = dt.datetime.fromisoformat(stamp)
        moment = (told.replace(tzinfo=dt.UTC) if told.tzinfo is None else told).astimezone(dt.UTC)
    except (ValueError, OverflowError):  # no such day, or one before the first
        return _NO_DAY, 0
    seconds = moment.hour * 3600 + moment.minute * 60 + moment.second
    return (moment.year, moment.month, moment.day), seconds


def day_of_item(item: RetrievalItem) -> str:
    """The day of a passage's document as its metadata say it; empty when they do not."""
    metadata = {str(key).lower(): value for key, value in item.metadata.items()}
    for name in _DAYS:
        value = metadata.get(name)
        if isinstance(value, dt.datetime | dt.date):
            return value.isoformat()
        if isinstance(value, int | str) and not isinstance(value, bool):
            return str(value)
    return ""


def asked_time(question: Question) -> TimeExpression | None:
    """The time that the answer must hold at; none where the answer itself is a time."""
    if AnswerType.DATE in question.types or question.slot == Slot.WHEN:
        return None
    if question.times:
        return question.times[0]
    return _NOW if question.present else None


def interval_of_fact(fact: Fact) -> Interval | None:
    """When a typed fact holds: as it says, else from when it was stated, if about the present."""
    if fact.time_start or fact.time_end:
        first = moment_of(fact.time_start)[0] if fact.time_start else UNKNOWN
        last = moment_of(fact.time_end)[0] if fact.time_end else OPEN
        return Interval(first, last, -1, -1, is_point=first == last)
    day, second = moment_of(fact.stated_at)
    if not day[0] or fact.tense == "past" or fact.predicate.casefold() in ENGLISH.past_verbs:
        return None
    return Interval(day, OPEN, -1, -1, is_said=True, second=second)


def interval_of_facts(facts: Sequence[Fact], folded: str) -> Interval | None:
    """When the facts that name ``folded`` (a folded name) hold, where one of them says so."""
    for fact in facts:
        names = {fact.subject.casefold(), fact.object.casefold()}
        if fact.negated or not any(folded in name or name in folded for name in names if name):
            continue
        if fact.time_start or fact.time_end:
            return interval_of_fact(fact)
    return None


def interval_of_statement(sentence: Sentence, said: str) -> Interval | None:
    """From the day on which a statement about the present was made."""
    day, second = moment_of(said)
    if not day[0] or not is_present(sentence):
        return None
    return Interval(day, OPEN, -1, -1, is_said=True, second=second)


def is_present(sentence: Sentence) -> bool:
    """Whether the sentence says how things are: by "is", "has", or a verb in -s behind a name."""
    words = [token.lower for token in sentence.tokens]
    if any(word in _PAST_AUXILIARIES | ENGLISH.past_verbs for word in words):
        return False
    if any(word in ENGLISH.present_auxiliaries | ENGLISH.present_verbs for word in words):
        return True
    ends = {end for _, end in sentence.names}
    return any(
        at < len(words) and words[at].endswith("s") and bool(relations_of_word(words[at]))
        for at in ends
    )
