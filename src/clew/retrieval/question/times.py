"""The times that a question names: *in 2012*, *before the war* (not a time), *since May*, *now*."""

from __future__ import annotations

import re

from clew.retrieval.question.dates import DateSpan, find_dates
from clew.retrieval.question.lexicon import PRESENT_MARKS
from clew.retrieval.question.records import TimeExpression, TimeKind
from clew.retrieval.question.tokens import Token

_KINDS = {
    "before": TimeKind.BEFORE,
    "after": TimeKind.AFTER,
    "since": TimeKind.SINCE,
    "until": TimeKind.UNTIL,
    "till": TimeKind.UNTIL,
}
_LEAD = re.compile(
    r"\b(before|after|since|until|till|from|between|by|in|on|during|as of|at)\s+"
    r"(?:the\s+)?(?:year\s+|early\s+|late\s+|end\s+of\s+)?$",
    re.IGNORECASE,
)
_JOIN = re.compile(r"\s*(?:to|and|until|till|through|–|—|-)\s*", re.IGNORECASE)
_PRESENT_PHRASE = re.compile(
    r"\b(?:at present|at the moment|these days|right now)\b", re.IGNORECASE
)


def find_times(text: str, tokens: list[Token], name_ends: dict[int, int]) -> list[TimeExpression]:
    """Return the time expressions outside names; ``name_ends`` maps each name's start to its end.

    A year inside a name ("the 1999 World Drivers' Championship") is part of the name.
    """
    dates = [span for span in find_dates(text) if not _is_inside(span, name_ends)]
    found: list[TimeExpression] = []
    at = 0
    while at < len(dates):
        first = dates[at]
        lead = _LEAD.search(text, 0, first.start)
        word = lead[1].casefold() if lead else ""
        start = lead.start() if lead else first.start
        if at + 1 < len(dates) and _JOIN.fullmatch(text[first.end : dates[at + 1].start]):
            last = dates[at + 1]
            found.append(_expression(TimeKind.BETWEEN, first, last, start))
            at += 2
            continue
        found.append(_expression(_KINDS.get(word, TimeKind.AT), first, first, start))
        at += 1
    return sorted([*found, *_present(text, tokens)], key=lambda item: item.start)


def _expression(kind: TimeKind, first: DateSpan, last: DateSpan, start: int) -> TimeExpression:
    return TimeExpression(kind=kind, first=first.day, last=last.day, start=start, end=last.end)


def _present(text: str, tokens: list[Token]) -> list[TimeExpression]:
    spans = [match.span() for match in _PRESENT_PHRASE.finditer(text)]
    spans += [
        (token.start, token.end)
        for token in tokens
        if token.lower in PRESENT_MARKS and not token.is_capital
        if not any(start <= token.start < end for start, end in spans)
    ]
    now = (0, 0, 0)
    return [
        TimeExpression(kind=TimeKind.NOW, first=now, last=now, start=start, end=end)
        for start, end in spans
    ]


def _is_inside(span: DateSpan, name_ends: dict[int, int]) -> bool:
    return any(start <= span.start and span.end <= end for start, end in name_ends.items())
