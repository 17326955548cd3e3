"""Dates as texts write them, read into (year, month, day).

A part that is not said is 0. Years before our era are negative. A century or a decade counts as its
first year, which keeps the order right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from clew.retrieval.question.languages import Language
from clew.retrieval.question.records import Day
from clew.retrieval.question.tokens import fold

_MONTHS = (
    "january february march april may june july august september october november december"
).split()
_MONTH_NUMBER = {name: at + 1 for at, name in enumerate(_MONTHS)}
_MONTH_NUMBER |= {name[:3]: at + 1 for at, name in enumerate(_MONTHS)} | {"sept": 9}
_MONTH = (
    r"(?P<month>Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?\.?|July?\.?"
    r"|Aug(?:ust|\.)?|Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>[12]\d{3}|[1-9]\d{2})(?![\d,.]\d)"
_ERA = r"(?P<era>\s?(?:BCE|BC|B\.C\.|CE|AD|A\.D\.))?"
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first"
).split()
_NO_UNIT = (
    r"(?!\s(?:k?m|[cm]m|k?g|met(?:re|er)s?|kilomet(?:re|er)s?|feet|ft|miles?|tonn?es?|tons|people|"
    r"inhabitants|residents|employees|workers|copies|seats|rooms|euros?|dollars|crowns|kroner)\b)"
)
_PATTERNS = (
    re.compile(rf"\b{_DAY}\s(?:of\s)?{_MONTH},?\s{_YEAR}\b{_ERA}"),
    re.compile(rf"\b{_MONTH}\s{_DAY}(?:,\s?|\s){_YEAR}\b{_ERA}"),
    re.compile(r"\b(?P<year>[12]\d{3})-(?P<m>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])\b"),
    re.compile(
        r"\b(?P<day>0?[1-9]|[12]\d|3[01])[./](?P<m>0?[1-9]|1[0-2])[./](?P<year>[12]\d{3})\b"
    ),
    re.compile(rf"\b{_MONTH}(?:,|\sof)?\s(?P<year>[12]\d{{3}})\b(?![\d,.]\d)"),
    re.compile(rf"\b{_DAY}\s(?:of\s)?{_MONTH}\b(?!\s?\d)"),
    re.compile(rf"\b{_MONTH}\s{_DAY}\b(?![\d,.]\d)"),
    re.compile(
        r"\b(?:(?:early|mid|late)[ -]+)?(?:the\s)?"
        r"(?P<century>\d{1,2}(?:st|nd|rd|th)|" + "|".join(reversed(_ORDINALS)) + r")"
        r"[ -](?:century|centuries)\b" + _ERA
    ),
    re.compile(r"\b(?:(?:early|mid|late)[ -]+)?(?P<year>[12]\d{2}0)'?s\b"),
    re.compile(r"\bAD\s(?P<year>\d{1,4})\b"),
    re.compile(r"\b(?P<year>\d{1,4})\s?(?P<era>BCE|BC|B\.C\.|CE|AD|A\.D\.)"),
    re.compile(
        r"(?<![\d.,$€£#-])\b(?P<year>1\d{3}|20\d{2})\b(?!-\d|[.,:]\d|\s?[%°$€£]|[A-Za-z])"
        + _NO_UNIT
    ),
    re.compile(
        r"(?:(?<=[Ii]n )|(?<=year )|(?<=born )|(?<=died )|(?<=since )|(?<=until )|(?<=c\. )"
        r"|(?<=[(–]))(?P<year>[1-9]\d{2})\b(?=\s?[–—,.;)]|\s?-\s?\d|\s(?:and|in|at|when|he|she)\b)"
        r"(?![,.]\d)"
    ),
    re.compile(
        r"\b(?P<month>January|February|March|April|June|July|August|September|October|November"
        r"|December|(?<=[Ii]n )May)\b(?!\s?\d)"
    ),
)


@dataclass(frozen=True, slots=True)
class DateSpan:
    """A date written at ``text[start:end]``. ``is_bare`` marks a number that may be a year only;
    ``years`` is 10 for a decade, 100 for a century.
    """

    start: int
    end: int
    day: Day
    is_bare: bool = False
    years: int = 1

    @property
    def last(self) -> Day:
        """The end of a decade or century; otherwise the day itself."""
        return (self.day[0] + self.years - 1, 0, 0) if self.years > 1 else self.day


@lru_cache(maxsize=8192)
def find_dates(text: str) -> tuple[DateSpan, ...]:
    """Return the dates in ``text``, in order, none inside another.

    >>> [span.day for span in find_dates("from 15 April 1899 to May 1951, in the 1990s")]
    [(1899, 4, 15), (1951, 5, 0), (1990, 0, 0)]
    """
    found: list[DateSpan] = []
    if not any(character.isdigit() for character in text) and not _may_hold_words(text):
        return ()
    for at, pattern in enumerate(_PATTERNS):
        years = _SPANS.get(at, 1)
        for match in pattern.finditer(text):
            start, end = match.span()
            if all(end <= other.start or start >= other.end for other in found):
                day = _read(match)
                found.append(DateSpan(start, end, day, is_bare=at == _BARE, years=years))
    return tuple(sorted(found, key=lambda span: span.start))


_BARE = 11
_SPANS = {7: 100, 8: 10}
_SHARED = (2, 3, _BARE)
"""Patterns of numbers only, which every language writes."""


@lru_cache(maxsize=1024)
def find_dates_in(text: str, language: Language) -> tuple[DateSpan, ...]:
    """Return the dates in a text of ``language``.

    >>> from clew.retrieval.question.languages import GERMAN
    >>> [span.day for span in find_dates_in("vom 3. Mai 1944 bis 1950", GERMAN)]
    [(1944, 5, 3), (1950, 0, 0)]
    """
    if not language.date_patterns:
        return find_dates(text)
    found: list[DateSpan] = []
    shared = [(_PATTERNS[at], at == _BARE) for at in _SHARED]
    for pattern, is_bare in [*((p, False) for p in _patterns(language)), *shared]:
        for match in pattern.finditer(text):
            start, end = match.span()
            if all(end <= other.start or start >= other.end for other in found):
                found.append(_read_in(match, language, is_bare=is_bare))
    return tuple(sorted(found, key=lambda span: span.start))


@cache
def _patterns(language: Language) -> tuple[re.Pattern[str], ...]:
    names = sorted(language.months, key=lambda name: (-len(name), name))
    month = rf"(?P<month>{'|'.join(names).replace('a', '[aä]')})"
    return tuple(
        re.compile(pattern.replace("@MONTH", month), re.IGNORECASE)
        for pattern in language.date_patterns
    )


def _read_in(match: re.Match[str], language: Language, *, is_bare: bool) -> DateSpan:
    parts = match.groupdict()
    start, end = match.span()
    if parts.get("century"):
        return DateSpan(start, end, ((int(parts["century"]) - 1) * 100 + 1, 0, 0), years=100)
    if parts.get("decade"):
        return DateSpan(start, end, (int(parts["decade"]), 0, 0), years=10)
    month = int(parts.get("m") or 0) or language.months.get(fold(parts.get("month") or ""), 0)
    day = (int(parts.get("year") or 0), month, int(parts.get("day") or 0))
    return DateSpan(start, end, day, is_bare=is_bare)


def _may_hold_words(text: str) -> bool:
    folded = text.casefold()
    return "century" in folded or "centuries" in folded or any(m in folded for m in _MONTHS)


def _read(match: re.Match[str]) -> Day:
    parts = match.groupdict()
    if parts.get("century"):
        return _signed(parts, (_century(parts["century"]) - 1) * 100 + 1, 0, 0)
    year = int(parts.get("year") or 0)
    day = int(parts.get("day") or 0)
    if parts.get("m"):
        return year, int(parts["m"]), day
    word = (parts.get("month") or "").rstrip(".").casefold()
    return _signed(parts, year, _MONTH_NUMBER.get(word, _MONTH_NUMBER.get(word[:3], 0)), day)


def _signed(parts: dict[str, str | None], year: int, month: int, day: int) -> Day:
    is_before = "B" in (parts.get("era") or "")
    return -year if is_before else year, month, day


def _century(word: str) -> int:
    return int(word[:-2]) if word[0].isdigit() else _ORDINALS.index(word) + 1
