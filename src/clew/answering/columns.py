"""What the heading of a column says: its words, and whether it begins or ends a span of time.

Headings are written as identifiers too: ``height_m``, ``first_ascent``, ``builtBy``. Two columns
that bound a time ("from" and "to") make one interval of a row; a row holds for every year in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from clew.answering.evidence import cached_tokens
from clew.retrieval.question.dates import find_dates
from clew.retrieval.question.records import Day, Question, Slot, TimeKind
from clew.retrieval.question.relations import alternatives
from clew.retrieval.question.tokens import stem_of

_JOINTS = re.compile(r"_+|(?<=[a-z])(?=[A-Z])")
_FROM = frozenset("from since start began begin beginning first started opened appointed".split())
_TO = frozenset("to until till end ended last left".split())
_NOW = frozenset({"", "-", "–", "—", "present", "now", "today"})
_HELD = {"tall": "height", "heavy": "weight", "big": "area", "large": "area", "old": "age"}


@lru_cache(maxsize=4096)
def spoken(header: str) -> str:
    """The heading as words.

    >>> spoken("first_ascent"), spoken("builtBy")
    ('first ascent', 'built By')
    """
    return _JOINTS.sub(" ", header).strip()


def stems_of_header(header: str) -> frozenset[str]:
    return frozenset(token.stem for token in cached_tokens(spoken(header)) if token.stem)


def measured(question: Question) -> frozenset[str]:
    """Stems of the measure that "how high" asks for: high, height."""
    if question.slot != Slot.MEASURE:
        return frozenset()
    words = question.text[max(question.wh_start, 0) :].casefold().split()
    if len(words) < 2:
        return frozenset()
    word = words[1].strip("?,.")
    stem = stem_of(word)
    return alternatives(stem) | {stem, stem_of(_HELD.get(word, word))}


def spell_of(cells: Sequence[tuple[str, str]]) -> tuple[int, int] | None:
    """The years from and to which a row of (heading, text) holds; None where none are given."""
    first = _bound(cells, _FROM)
    last = _bound(cells, _TO)
    if first is None or last is None:
        return None
    return (first or -9999, last or 9999)


def holds_in(cells: Sequence[tuple[str, str]], question: Question) -> float:
    """+1 for a row that holds at the time asked for, −1 for one that does not, else 0."""
    times = [time for time in question.times if time.first[0]]
    spell = spell_of(cells)
    if not times or spell is None:
        return 0.0
    time = times[0]
    if time.kind not in {TimeKind.AT, TimeKind.BETWEEN}:
        return 0.0
    return 1.0 if spell[0] <= _year(time.last) and _year(time.first) <= spell[1] else -1.0


def _bound(cells: Sequence[tuple[str, str]], words: frozenset[str]) -> int | None:
    """The year under a heading of ``words``; 0 where the cell says that it lasts."""
    for header, text in cells:
        if {token.lower for token in cached_tokens(spoken(header))} & words:
            dates = find_dates(text)
            if dates:
                return dates[0].day[0]
            if text.strip().casefold() in _NOW:
                return 0
    return None


def _year(day: Day) -> int:
    return day[0]
