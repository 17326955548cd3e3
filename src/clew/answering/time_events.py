"""The times of a question, made days: *before the merger* by the day that the evidence gives the
merger, *last year* by today's.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from clew.answering.evidence import Evidence, Sentence
from clew.answering.intervals import OPEN, UNKNOWN, Interval, find_intervals
from clew.retrieval.question import analyse_question
from clew.retrieval.question.lexicon import FUNCTION_WORDS, PRONOUNS
from clew.retrieval.question.records import Question, TimeEvent, TimeExpression, TimeKind
from clew.retrieval.question.relations import alternatives
from clew.retrieval.question.tokens import tokenise


def in_time(
    question: Question, evidence: Evidence, today: dt.date | None = None
) -> tuple[Question, tuple[Sentence, ...]]:
    """The question with its events and relative times as days, and the sentences that date them.

    The words of an event that is dated no longer describe the answer, and are left out.
    """
    day = today or current_day()
    times = list(analyse_question(question.text, today=day).times) or list(question.times)
    dated: list[Sentence] = []
    open_events: list[TimeEvent] = []
    done: list[tuple[int, int]] = []
    for event in question.events:
        found = _date_of(event, evidence)
        if found is None:
            open_events.append(event)
            continue
        sentence, interval = found
        dated.append(sentence)
        done.append((event.start, event.end))
        times.append(_expression(event, interval))
    if not done:
        return replace(question, times=tuple(times)), ()
    return (
        replace(
            question,
            times=tuple(times),
            events=tuple(open_events),
            terms=tuple(t for t in question.terms if not _inside(t.start, done)),
            names=tuple(n for n in question.names if not _inside(n.start, done)),
            relations=tuple(r for r in question.relations if not _inside(r.start, done)),
        ),
        tuple(dated),
    )


def current_day() -> dt.date:
    """Today where the user is: what "last year" counts from."""
    return dt.datetime.now().astimezone().date()


def _inside(at: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in spans)


def _date_of(event: TimeEvent, evidence: Evidence) -> tuple[Sentence, Interval] | None:
    """The shortest sentence with a time that says all words of the event."""
    words = tokenise(event.text)
    wanted = [t.stem for t in words if t.stem and t.lower not in FUNCTION_WORDS]
    if not wanted or words[0].lower in PRONOUNS:
        return None
    best: tuple[int, int, Sentence, Interval] | None = None
    for sentence in evidence.sentences:
        stems = {token.stem for token in sentence.tokens if token.stem}
        if not all(stem in stems or stems & alternatives(stem) for stem in wanted):
            continue
        for interval in find_intervals(sentence.text)[:1]:
            rank = (len(sentence.tokens), sentence.number)
            if best is None or rank < best[:2]:
                best = (*rank, sentence, interval)
    return (best[2], best[3]) if best else None


def _expression(event: TimeEvent, interval: Interval) -> TimeExpression:
    first = interval.last if interval.first == UNKNOWN else interval.first
    last = first if interval.last == OPEN else interval.last
    if event.kind in {TimeKind.AFTER, TimeKind.SINCE}:
        first = last
    elif event.kind in {TimeKind.BEFORE, TimeKind.UNTIL}:
        last = first
    return TimeExpression(kind=event.kind, first=first, last=last, start=event.start, end=event.end)
