"""When a fact holds: what texts write of years, months and days, as ISO 8601.

``in May 1931`` is ``1931-05`` on both ends, ``since 2015`` has no end, ``the 1930s`` run from 1930
to 1939. What needs a calendar of its own ("two years later", "44 BC") stays as it was said.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import NamedTuple

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero", "february feb februar février febrero",
            "march mar märz mars marzo", "april apr avril abril", "may mai mayo",
            "june jun juni juin junio", "july jul juli juillet julio",
            "august aug août agosto", "september sep sept septembre septiembre",
            "october oct oktober okt octobre octubre", "november nov novembre noviembre",
            "december dec dezember dez décembre diciembre",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\b\.?"
_YEAR = r"(?<!\d)(?P<year>[12]\d{3})"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th|\.)?"
_FORMS = (
    re.compile(r"D:(?P<year>\d{4})(?P<number>\d\d)(?P<day>\d\d)"),
    re.compile(r"(?P<year>\d{4})-(?P<number>\d\d)(?:-(?P<day>\d\d))?(?![\d-])(?:[T ]\d\d:.*)?"),
    re.compile(r"(?P<year>[12]\d{3})/(?P<number>\d\d)/(?P<day>\d\d)\b"),
    re.compile(rf"(?P<day>[0-3]?\d)\.\s?(?P<number>[01]?\d)\.\s?{_YEAR}\b"),
    re.compile(rf"{_DAY}\s*(?:of\s+|de\s+)?{_MONTH}(?:\s+de)?,?\s*{_YEAR}\b", re.IGNORECASE),
    re.compile(rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}\b", re.IGNORECASE),
    re.compile(rf"{_MONTH}(?:\s+of|\s+de)?,?\s+{_YEAR}\b", re.IGNORECASE),
    re.compile(r"(?:the\s+)?(?P<decade>[12]\d{2}0)['’]?s\b", re.IGNORECASE),
    re.compile(r"(?:the\s+)?(?P<century>\d{1,2})(?:st|nd|rd|th)\s+century\b", re.IGNORECASE),
    re.compile(rf"{_YEAR}(?![\d,.]*\d)\b"),
)
_SHORT_RANGE = re.compile(r"\b([12]\d)(\d\d)\s*[-–—/]\s*(\d\d)\b(?![-/\d])")
_BETWEEN = re.compile(
    r"\s*(?:[-–—]+|\b(?:to|until|till|and|through|bis|und|à|hasta)\b)\s*(?:the\s+)?", re.IGNORECASE
)
_SINCE = re.compile(r"\b(?:since|from|after|starting|as of|seit|ab|depuis|desde)\b", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till|before|by|up to|bis|jusqu|hasta)\b", re.IGNORECASE)
_YEARLESS = re.compile(
    rf"(?:\b{_DAY}(?:\s*(?:of\s+)?{_MONTH})?|{_MONTH.replace('month', 'first')}"
    rf"(?:\s+{_DAY.replace('day', 'behind')})?)\s*(?:[-–—]+|\b(?:to|until|and|bis))\s*$",
    re.IGNORECASE,
)
"""The first of two dates that share a year, or a month too: "4–6 May 1931"."""
_OTHER_ERA = re.compile(r"\b(?:BC|BCE|B\.C\.)", re.IGNORECASE)
_ADVERBIAL = re.compile(
    r"\b(?:in|on|since|from|until|till|between|during|by|before|after|throughout)\s+"
    r"(?:(?:early|late|mid|about|around|the|spring|summer|autumn|winter)[\s-]+)*",
    re.IGNORECASE,
)
_LAST_MONTH = 12
_LAST_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Period(NamedTuple):
    """From when to when, in ISO 8601 as far as known; ``""`` for an open end."""

    start: str = ""
    end: str = ""


class _Date(NamedTuple):
    first: str
    last: str
    begin: int
    stop: int


def period_of(text: str) -> Period:
    """The time that ``text`` speaks of; an empty one where it writes no year.

    >>> period_of("from 2010 to May 2015"), period_of("since 1931")
    (Period(start='2010', end='2015-05'), Period(start='1931', end=''))
    """
    text = _SHORT_RANGE.sub(r"\1\2–\1\3", text)
    first = _date(text, 0)
    if first is None or _OTHER_ERA.search(text):
        return Period()
    between = _BETWEEN.match(text, first.stop)
    second = _date(text, between.end()) if between else None
    if between and second and second.begin <= between.end() + 1 and first.first <= second.last:
        return Period(first.first, second.last)
    before = text[: first.begin]
    if shared := _shared(before, first.first):
        return Period(shared, first.last)
    if _UNTIL.search(before):
        return Period("", first.last)
    if _SINCE.search(before):
        return Period(first.first, "")
    return Period(first.first, first.last)


def is_reversed(start: str, end: str) -> bool:
    """Whether an ISO date comes before another, as far as both are known.

    >>> is_reversed("2015", "2010-05"), is_reversed("2015-05", "2015")
    (True, False)
    """
    known = min(len(start), len(end))
    return known > 0 and end[:known] < start[:known]


def iso_date(text: str) -> str:
    """One date as far as it is known: ``"1931-05"``; ``""`` where there is none.

    >>> iso_date("4 May 1931"), iso_date("the year 1931"), iso_date("some day")
    ('1931-05-04', '1931', '')
    """
    found = None if _OTHER_ERA.search(text) else _date(text, 0)
    return "" if found is None else found.first


def time_in(statement: str) -> str:
    """The words of ``statement`` that say when, if there is one place where it says so.

    >>> time_in("Ida led Orm Works from 2010 to 2015."), time_in("The 1931 bridge is long.")
    ('from 2010 to 2015', '')
    """
    places = []
    for lead in _ADVERBIAL.finditer(statement):
        date = _date(statement, lead.end())
        if date is not None and date.begin == lead.end():
            between = _BETWEEN.match(statement, date.stop)
            second = _date(statement, between.end()) if between else None
            follows = between and second and second.begin <= between.end() + 1
            places.append((lead.start(), second.stop if follows and second else date.stop))
    whole = [place for place in places if not any(_inside(place, other) for other in places)]
    return statement[whole[0][0] : whole[0][1]] if len(whole) == 1 else ""


def _inside(place: tuple[int, int], other: tuple[int, int]) -> bool:
    return place != other and other[0] <= place[0] and place[1] <= other[1]


def _date(text: str, at: int) -> _Date | None:
    """The earliest date behind ``at``; the most exact of those that begin there."""
    found = [
        (match.start(), order, match)
        for order, form in enumerate(_FORMS)
        if (match := form.search(text, at))
    ]
    for _, _, match in sorted(found, key=lambda one: one[:2]):
        bounds = _bounds(match.groupdict())
        if bounds is not None:
            return _Date(*bounds, *match.span())
    return None


def _shared(before: str, date: str) -> str:
    """The date that ``before`` ends with, its year (and month) being those of ``date``."""
    match = _YEARLESS.search(before)
    if match is None:
        return ""
    year, month, _ = (*date.split("-"), "", "")[:3]
    word = match["month"] or match["first"]
    month = f"{_MONTHS[word.lower()]:02}" if word else month
    day = match["day"] or match["behind"]
    if not month:
        return ""
    return f"{year}-{month}" + (f"-{int(day):02}" if day else "")


def _bounds(parts: dict[str, str]) -> tuple[str, str] | None:
    if decade := parts.get("decade"):
        return decade, str(int(decade) + 9)
    if century := parts.get("century"):
        first = (int(century) - 1) * 100 + 1
        return f"{first:04}", f"{first + 99:04}"
    word = parts.get("month")
    month = _MONTHS[word.lower()] if word else int(parts.get("number") or 0)
    day = int(parts.get("day") or 0)
    if month > _LAST_MONTH or (day and not (month and 1 <= day <= _LAST_DAYS[month - 1])):
        return None
    date = parts["year"] + (f"-{month:02}" if month else "") + (f"-{day:02}" if day else "")
    return date, date


def iso_of(value: object) -> str:
    """A date as metadata hold it: a date, a year, or a text that writes one."""
    if isinstance(value, dt.datetime):
        return value.date().isoformat()
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, bool) or not isinstance(value, int | str):
        return ""
    return iso_date(str(value))
