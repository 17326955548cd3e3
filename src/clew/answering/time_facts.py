"""Typed facts at the time asked for: those that hold then, without those that were replaced."""

from __future__ import annotations

from collections.abc import Sequence

from clew.answering.evidence import Sentence
from clew.answering.intervals import Interval, agreement
from clew.answering.study import Study
from clew.answering.things import plain
from clew.answering.time_statements import asked_time, interval_of_fact
from clew.graph.predicates import predicate_key
from clew.records import Fact
from clew.retrieval.question.relations import RELATIONS, relations_of_word

Stated = tuple[Fact, Sentence]
Slot = tuple[str, str, str]


def holding(study: Study, stated: Sequence[Stated]) -> list[Stated]:
    """The facts of ``stated`` that hold at the time that the question asks about; all of them where
    it asks about none. A later fact replaces an earlier one about the same thing, unless the
    relation may hold for several.
    """
    time = asked_time(study.question)
    if time is None:
        return list(stated)
    intervals = [interval_of_fact(fact) for fact, _ in stated]
    kept = [
        at
        for at, interval in enumerate(intervals)
        if interval is None or agreement(interval, time) > 0
    ]
    latest: dict[Slot, tuple[int, ...]] = {}
    for at in kept:
        interval = intervals[at]
        for slot in _slots(study, stated[at][0]):
            if interval is not None and interval.is_open:
                latest[slot] = max(latest.get(slot, ()), _start(interval))
    return [
        stated[at]
        for at in kept
        if not _is_replaced(intervals[at], [latest.get(s) for s in _slots(study, stated[at][0])])
    ]


def _slots(study: Study, fact: Fact) -> list[Slot]:
    """What the fact fills: its predicate at each end that the question names."""
    if any(RELATIONS[name].many for name in _relations(fact.predicate)):
        return []
    named = {anchor.thing.key for anchor in study.anchors}
    predicate = predicate_key(fact.predicate)
    ends = (("subject", plain(fact.subject)), ("object", plain(fact.object)))
    return [(predicate, end, name) for end, name in ends if name in named]


def _relations(predicate: str) -> set[str]:
    words = predicate.replace("_", " ").split()
    return {name for word in words for name in relations_of_word(word)[:1]}


def _is_replaced(interval: Interval | None, latest: Sequence[tuple[int, ...] | None]) -> bool:
    if interval is None or not interval.is_open:
        return False
    return any(start is not None and _start(interval) < start for start in latest)


def _start(interval: Interval) -> tuple[int, ...]:
    return (*interval.first, interval.second)
