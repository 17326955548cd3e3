"""When a statement holds: *from 2010 to 2015*, *since 2015*, *until May*, *became … in 2015*.

Only what is written is read. A time belongs to the span that it follows, or else precedes, with no
other name of the same kind between; so "Ola led it from 2010 to 2015 and Kari since then" keeps the
two apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from clew.retrieval.question.dates import DateSpan, find_dates
from clew.retrieval.question.records import Day, TimeExpression, TimeKind

OPEN: Day = (9999, 12, 31)
UNKNOWN: Day = (-9999, 0, 0)

_JOIN = re.compile(r"\s*(?:to|and|until|till|through|–|—|-)\s*", re.IGNORECASE)
_SINCE = re.compile(r"\b(?:since|as of|starting in|beginning in)\s+(?:the\s+)?$", re.IGNORECASE)
_UNTIL = re.compile(
    r"\b(?:until|till|up to|before|through)\s+(?:the\s+)?(?:end of\s+)?$", re.IGNORECASE
)
_AT = re.compile(
    r"\b(?:in|on|at|during|by)\s+(?:the\s+)?(?:early\s+|late\s+|mid-?\s*)?$", re.IGNORECASE
)
_ONWARDS = re.compile(
    r"\s*(?:onwards?|to (?:the )?present|to date|[–—-]\s*(?:present|now|\)|,|$))", re.IGNORECASE
)
_STARTS = re.compile(
    r"\b(?:became|becomes|appointed|elected|took over|takes over|succeeded|replaced|joined|named|"
    r"promoted|inherited|moved|took office|hired|chosen)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\b(?:left|resigned|retired|stepped down|sold|ceased|stopped|quit|was replaced|dismissed|"
    r"former|formerly|ex-|once|previously|last)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Interval:
    """From ``first`` to ``last``; ``OPEN`` when nothing ends it, ``UNKNOWN`` when no start is said.
    ``start`` and ``end`` are where the time is written in the sentence (-1 when it is not);
    ``is_point`` marks a time that only says when something happened, ``is_said`` one that only says
    when the statement was made, ``second`` of that day.
    """

    first: Day
    last: Day
    start: int
    end: int
    is_point: bool = False
    is_said: bool = False
    second: int = 0

    @property
    def is_open(self) -> bool:
        return self.last == OPEN


@lru_cache(maxsize=4096)
def find_intervals(text: str) -> tuple[Interval, ...]:
    """Return the times of ``text`` in order.

    >>> [(i.first[0], i.last[0]) for i in find_intervals("from 2010 to 2015, then since 2016")]
    [(2010, 2015), (2016, 9999)]
    """
    dates = find_dates(text)
    found: list[Interval] = []
    at = 0
    while at < len(dates):
        first = dates[at]
        if at + 1 < len(dates) and _JOIN.fullmatch(text[first.end : dates[at + 1].start]):
            second = dates[at + 1]
            if _ordered(first.day, second.day):
                found.append(Interval(first.day, second.day, first.start, second.end))
                at += 2
                continue
        found.append(_single(text, first))
        at += 1
    return tuple(found)


def interval_of(
    text: str, start: int, end: int, rivals: Sequence[tuple[int, int]]
) -> Interval | None:
    """The interval that belongs to ``text[start:end]``; ``rivals`` are spans it must not cross."""
    best: tuple[int, Interval] | None = None
    for interval in find_intervals(text):
        if interval.start < end and start < interval.end:
            continue
        follows = interval.start >= end
        low, high = (end, interval.start) if follows else (interval.end, start)
        if ";" in text[low:high] or any(low <= a and b <= high for a, b in rivals):
            continue
        distance = (high - low) + (0 if follows else 40)
        if best is None or distance < best[0]:
            best = (distance, interval)
    return best[1] if best else None


def is_former(text: str, start: int, end: int) -> bool:
    """Whether a word like "former" stands close before or behind the span."""
    return _ENDS.search(text, max(0, start - 30), min(len(text), end + 30)) is not None


def says_change(text: str) -> bool:
    """Whether a question asks about the change itself: "Who was elected in 2012?"."""
    return _STARTS.search(text) is not None or _ENDS.search(text) is not None


def as_event(interval: Interval) -> Interval:
    """The moment of a change instead of the state that it began or ended."""
    if interval.first == UNKNOWN:
        return replace(interval, first=interval.last, is_point=True)
    if interval.is_open:
        return replace(interval, last=interval.first, is_point=True)
    return interval


def agreement(interval: Interval, time: TimeExpression) -> float:
    """+1 when the interval holds at the time asked for, −1 when it cannot, less for mere points."""
    if time.kind == TimeKind.NOW:
        return 1.0 if interval.is_open else 0.0 if interval.is_point else -1.0
    first, last = time.first, time.last
    if time.kind == TimeKind.BEFORE:
        return 1.0 if _compare(interval.first, first) < 0 else -1.0
    if time.kind in {TimeKind.AFTER, TimeKind.SINCE}:
        return 1.0 if _compare(interval.last, first) > 0 else -1.0
    if _compare(interval.first, last) <= 0 and _compare(interval.last, first) >= 0:
        return _shared(interval, first, last)
    return -0.5 if interval.is_point else -1.0


def _shared(interval: Interval, first: Day, last: Day) -> float:
    """1 where the interval fills the time asked for, down to 0.5 for less of a span of years."""
    years = last[0] - first[0] + 1
    if years < 2 or interval.is_point:
        return 1.0
    common = min(interval.last[0], last[0]) - max(interval.first[0], first[0]) + 1
    return 0.5 + 0.5 * common / years


def _single(text: str, date: DateSpan) -> Interval:
    lead = text[max(0, date.start - 24) : date.start]
    if _ONWARDS.match(text, date.end) or _SINCE.search(lead):
        return Interval(date.day, OPEN, date.start, date.end)
    if _UNTIL.search(lead):
        return Interval(UNKNOWN, date.day, date.start, date.end)
    clause = text[max(0, date.start - 80) : date.start]
    if _AT.search(lead) and (change := _last_change(clause)):
        if change == "start":
            return Interval(date.day, OPEN, date.start, date.end)
        return Interval(UNKNOWN, date.day, date.start, date.end)
    return Interval(date.day, date.day, date.start, date.end, is_point=True)


def _last_change(clause: str) -> str:
    """Whether the clause says that something began or ended."""
    start = max((match.start() for match in _STARTS.finditer(clause)), default=-1)
    stop = max((match.start() for match in _ENDS.finditer(clause)), default=-1)
    if max(start, stop) < 0:
        return ""
    return "start" if start > stop else "end"


def _ordered(first: Day, second: Day) -> bool:
    return first[0] != 0 and second[0] != 0 and first <= second


def _compare(one: Day, other: Day) -> int:
    """Compare as far as both are said: 2012 and May 2012 are equal."""
    for left, right in zip(one, other, strict=True):
        if left == 0 or right == 0:
            return 0
        if left != right:
            return -1 if left < right else 1
    return 0
