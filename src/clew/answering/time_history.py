"""Histories: *Who has led Orm Works?* wants all who have, each with the time."""

from __future__ import annotations

from clew.answering.candidates import Candidate, Form
from clew.answering.intervals import UNKNOWN, Interval
from clew.answering.ranking import Ranked, Ranker
from clew.answering.study import Study
from clew.answering.support import Finding, distinct

MARGIN = 4.0
"""How far below the best of its sentence a further holder may score."""


def past_holders(study: Study, ranker: Ranker) -> Finding | None:
    """All that held, in the order of their times; None for fewer than two."""
    if not study.question.history or not ranker.ranked:
        return None
    held = sorted(_holders(study, ranker), key=lambda pair: _order(pair[1], pair[0]))
    if len(held) < 2:
        return None
    texts = [f"{candidate.text}{_when(interval)}" for candidate, interval in held]
    return Finding(
        text=", ".join(texts),
        method="history",
        sentences=distinct([candidate.sentence for candidate, _ in held]),
        certainty=0.8,
        is_span=False,
        trace={"members": texts},
    )


def _holders(study: Study, ranker: Ranker) -> list[tuple[Candidate, Interval]]:
    """Names with a time, each once for each time, of sentences that say what is asked."""
    times = ranker.times
    best: dict[int, float] = {}
    found: dict[tuple[str, Interval], Candidate] = {}
    for item in ranker.ranked:
        candidate = item.candidate
        sentence = candidate.sentence
        if not (_may_hold(item, study) and times.is_wanted(candidate)):
            continue
        if not (times.says_predicate(sentence) and times.is_about(sentence)):
            continue
        interval = times.interval(candidate)
        top = best.setdefault(sentence.number, item.score)
        if interval is None or item.score < top - MARGIN:
            continue
        if not any(_same(candidate, other) and interval == i for (_, i), other in found.items()):
            found[candidate.key, interval] = candidate
    return [(candidate, interval) for (_, interval), candidate in found.items()]


def _may_hold(item: Ranked, study: Study) -> bool:
    candidate = item.candidate
    is_asked = candidate.text.casefold() in study.question.text.casefold()
    return candidate.form in {Form.NAME, Form.QUOTED} and not is_asked


def _same(one: Candidate, other: Candidate) -> bool:
    return one.key in other.key or other.key in one.key


def _order(interval: Interval, candidate: Candidate) -> tuple[object, ...]:
    return (*interval.first, interval.second, *interval.last, candidate.sentence.number)


def _when(interval: Interval) -> str:
    """ " (2010–2015)", " (since 2015)", " (until 2010)", " (2012)"."""
    if interval.is_said:
        return f" (as of {_year(interval)})"
    if interval.is_point:
        return f" ({_year(interval)})"
    if interval.first == UNKNOWN:
        return f" (until {interval.last[0]})"
    if interval.is_open:
        return f" (since {interval.first[0]})"
    return f" ({interval.first[0]}–{interval.last[0]})"


def _year(interval: Interval) -> int:
    return interval.first[0]
