"""The times that a question names: *in 2012*, *since May*, *now*, *last year*, *before the merger*.

A time is a span of the calendar, else an event that has one. Times relative to today are read only
where today is given, so that a question means the same whenever it is read without.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from functools import cache

from clew.retrieval.question.dates import DateSpan, find_dates_in
from clew.retrieval.question.languages import ENGLISH, Language
from clew.retrieval.question.records import Day, NameSpan, TimeEvent, TimeExpression, TimeKind
from clew.retrieval.question.tokens import Token, fold

_JOIN = re.compile(
    r"\s*(?:to|and|until|till|through|bis|und|bis zum|–|—|-)\s*(?:the\s+|zum\s+|dem\s+)?",
    re.IGNORECASE,
)
_MIDDLE = r"(?:the\s+)?(?:year\s+|early\s+|late\s+|mid-?\s*|beginning\s+of\s+|end\s+of\s+)?"
_NOW: Day = (0, 0, 0)
_UNITS = {
    "jahr": "year",
    "monat": "month",
    "woche": "week",
    "tag": "day",
    "jahrzehnt": "decade",
    "jahrhundert": "century",
}


def find_times(
    text: str,
    tokens: Sequence[Token],
    name_ends: dict[int, int],
    lang: Language = ENGLISH,
    today: dt.date | None = None,
) -> list[TimeExpression]:
    """Return the time expressions outside names; ``name_ends`` maps each name's start to its end.

    A year inside a name ("the 1999 World Drivers' Championship") is part of the name.
    """
    relative = _relative(text, lang, today) if today else []
    taken = [(time.start, time.end) for time in relative]
    dates = [
        span
        for span in find_dates_in(text, lang)
        if not _is_inside(span, name_ends)
        and not any(a < span.end and span.start < b for a, b in taken)
    ]
    found: list[TimeExpression] = []
    at = 0
    while at < len(dates):
        first = dates[at]
        kind, start = _lead(text, first.start, lang)
        if at + 1 < len(dates) and _JOIN.fullmatch(text[first.end : dates[at + 1].start]):
            found.append(_expression(TimeKind.BETWEEN, first, dates[at + 1], start))
            at += 2
            continue
        found.append(_expression(kind, first, first, start))
        at += 1
    every = [*found, *relative, *_present(text, tokens, lang)]
    return sorted(every, key=lambda item: item.start)


def find_events(
    text: str,
    tokens: Sequence[Token],
    names: Sequence[NameSpan],
    times: Sequence[TimeExpression],
    lang: Language = ENGLISH,
) -> list[TimeEvent]:
    """Return the events that give a time: "before the merger", "after she left"."""
    found: list[TimeEvent] = []
    for at, token in enumerate(tokens):
        kind = lang.leads.get(token.lower)
        if kind is None or token.is_capital or at == 0 or token.lower in lang.no_events:
            continue
        if any(n.start <= token.start < n.end for n in names):
            continue
        end = _event_end(tokens, at)
        if end > at + 1 and _is_event(tokens, at, end, times, lang):
            first, last = tokens[at + 1], tokens[end - 1]
            spoken = text[first.start : last.end]
            found.append(TimeEvent(kind=kind, text=spoken, start=token.start, end=last.end))
    return found


def _event_end(tokens: Sequence[Token], at: int) -> int:
    """An event runs to a mark; behind a bare noun phrase it ends at the next finite verb."""
    end = at + 1
    while end < len(tokens) and tokens[end].text not in ",;:?!.":
        end += 1
    return end


def _is_event(
    tokens: Sequence[Token],
    at: int,
    end: int,
    times: Sequence[TimeExpression],
    lang: Language,
) -> bool:
    """Not a date, not a question word ("after whom", "Until when"), and something happens: an
    article leads a noun, or a verb is there.
    """
    inside = tokens[at + 1 : end]
    if any(t.start < inside[-1].end and inside[0].start < t.end for t in times):
        return False
    if inside[0].lower in lang.wh or tokens[at - 1].lower in lang.naming_verbs:
        return False
    has_verb = any(
        not t.is_capital and (t.lower in lang.verbs | lang.past_verbs or _is_past(t, lang))
        for t in inside[1:]
    )
    return has_verb or (inside[0].lower in lang.determiners and len(inside) > 1)


def _is_past(token: Token, lang: Language) -> bool:
    return len(token.lower) > 4 and token.lower.endswith(lang.past_endings)


def _lead(text: str, at: int, lang: Language) -> tuple[TimeKind, int]:
    """What the words before a date make of it, and where they begin."""
    match = _lead_pattern(lang).search(text, 0, at)
    if match is None:
        return TimeKind.AT, at
    return lang.leads.get(fold(match["lead"]), TimeKind.AT), match.start()


@cache
def _lead_pattern(lang: Language) -> re.Pattern[str]:
    leads = sorted({*lang.leads, *lang.loose_leads, "as of"}, key=lambda lead: (-len(lead), lead))
    words = "|".join(lead.replace("a", "[aä]").replace("u", "[uü]") for lead in leads)
    loose = "|".join(sorted(lang.loose_leads))
    middle = rf"{_MIDDLE}(?:(?:{loose})\s+)*" if lang.nouns_are_capital else _MIDDLE
    return re.compile(rf"\b(?P<lead>{words})\s+{middle}$", re.IGNORECASE)


def _expression(kind: TimeKind, first: DateSpan, last: DateSpan, start: int) -> TimeExpression:
    return TimeExpression(kind=kind, first=first.day, last=last.last, start=start, end=last.end)


# --- relative to today --------------------------------------------------------------------------


def _relative(text: str, lang: Language, today: dt.date) -> list[TimeExpression]:
    found: list[TimeExpression] = []
    for pattern, unit, offset in _relative_patterns(lang):
        for match in pattern.finditer(text):
            parts = match.groupdict()
            said = unit or fold(parts["unit"]).rstrip("s")
            count = _count(parts.get("n"), lang)
            first, last = _shifted(today, _UNITS.get(said, said), offset * count)
            kind, start = _lead(text, match.start(), lang)
            if not any(time.start < match.end() and match.start() < time.end for time in found):
                found.append(
                    TimeExpression(kind=kind, first=first, last=last, start=start, end=match.end())
                )
    return found


@cache
def _relative_patterns(lang: Language) -> tuple[tuple[re.Pattern[str], str, int], ...]:
    return tuple(
        (re.compile(rf"\b{pattern}\b", re.IGNORECASE), unit, offset)
        for pattern, unit, offset in lang.relatives
    )


def _count(said: str | None, lang: Language) -> int:
    if not said:
        return 1
    return int(said) if said.isdigit() else lang.number_words.get(fold(said), 1)


def _shifted(today: dt.date, unit: str, by: int) -> tuple[Day, Day]:
    """The first and last day of the unit that lies ``by`` units from today's."""
    if unit in {"day", "week"}:
        moved = today + dt.timedelta(days=by * (7 if unit == "week" else 1))
        if unit == "day":
            return _day(moved), _day(moved)
        monday = moved - dt.timedelta(days=moved.weekday())
        return _day(monday), _day(monday + dt.timedelta(days=6))
    if unit == "month":
        months = today.year * 12 + today.month - 1 + by
        month: Day = (months // 12, months % 12 + 1, 0)
        return month, month
    if unit == "decade":
        start = (today.year // 10 + by) * 10
        return (start, 0, 0), (start + 9, 0, 0)
    if unit == "century":
        start = ((today.year - 1) // 100 + by) * 100 + 1
        return (start, 0, 0), (start + 99, 0, 0)
    year: Day = (today.year + by, 0, 0)
    return year, year


def _day(date: dt.date) -> Day:
    return date.year, date.month, date.day


# --- now ----------------------------------------------------------------------------------------


def _present(text: str, tokens: Sequence[Token], lang: Language) -> list[TimeExpression]:
    spans = [match.span() for match in _present_pattern(lang).finditer(text)]
    spans += [
        (token.start, token.end)
        for token in tokens
        if token.lower in lang.present_marks and not token.is_capital
        if not any(start <= token.start < end for start, end in spans)
    ]
    return [
        TimeExpression(kind=TimeKind.NOW, first=_NOW, last=_NOW, start=start, end=end)
        for start, end in spans
    ]


@cache
def _present_pattern(lang: Language) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(lang.present_phrases)})\b", re.IGNORECASE)


def _is_inside(span: DateSpan, name_ends: dict[int, int]) -> bool:
    return any(start <= span.start and span.end <= end for start, end in name_ends.items())
