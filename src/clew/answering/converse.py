"""Two verbs for one event: what one side buys the other sells.

*Orm Works bought Norr Works* answers "To whom was Norr Works sold?", and *Norr Works was sold to
Orm Works* answers "Who bought Norr Works?". The question is put again with the other verb, each
side in its place: the giver, the taker, and what changes hands. Where nothing changes hands
(:mod:`clew.answering.mirrors`), there are two sides only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from clew.answering.mirrors import WHO, mirrored


@dataclass(frozen=True, slots=True)
class _Verbs:
    """Base form, past and participle of either side's verb, and further forms that mean it."""

    take: str
    took: str
    taken: str
    give: str
    gave: str
    given: str
    taking: str = ""
    giving: str = ""


_PAIRS = (
    _Verbs(
        "buy",
        "bought",
        "bought",
        "sell",
        "sold",
        "sold",
        "buys acquire acquires acquired purchase purchases purchased",
        "sells",
    ),
    _Verbs("borrow", "borrowed", "borrowed", "lend", "lent", "lent", "borrows", "lends"),
    _Verbs("inherit", "inherited", "inherited", "leave", "left", "left", "inherits", "bequeathed"),
    _Verbs("receive", "received", "received", "give", "gave", "given", "receives", "gives handed"),
    _Verbs("learn", "learned", "learned", "teach", "taught", "taught", "learns learnt", "teaches"),
)

_BY_TAKER = (
    ("taker", r"(?P<who>WHO)(?: has)? VERB (?P<thing>.+?)(?: from (?P<giver>.+))?"),
    ("taker", r"(?:by whom|who) was (?P<thing>.+?) VERB(?: by)?(?: from (?P<giver>.+))?"),
    ("giver", r"(?:from whom|who) did (?P<taker>.+?) VERB (?P<thing>.+?)(?: from)?"),
    ("thing", r"what did (?P<taker>.+?) VERB(?: from (?P<giver>.+))?"),
)
_BY_GIVER = (
    ("taker", r"(?:to whom|who) was (?P<thing>.+?) VERB(?: to)?(?: by (?P<giver>.+))?"),
    ("taker", r"(?:to whom|who) did (?P<giver>.+?) VERB (?P<thing>.+?)(?: to)?"),
    ("giver", r"who VERB (?P<thing>.+?)(?: to (?P<taker>.+))?"),
    ("thing", r"what did (?P<giver>.+?) VERB(?: to (?P<taker>.+))?"),
)


@dataclass(frozen=True, slots=True)
class Transfer:
    """Who gives what to whom: ``asked`` is ``giver``, ``taker`` or ``thing``; a side that is not
    said is empty.
    """

    asked: str
    giver: str = ""
    taker: str = ""
    thing: str = ""
    who: str = ""


def converse_of(text: str) -> Iterator[str]:
    """The question with the verb of the other side; nothing where it asks about no such event.

    >>> list(converse_of("Who bought Norr Works from Ola Roe?"))
    ['To whom did Ola Roe sell Norr Works?']
    """
    text = " ".join(text.split()).rstrip(" ?")
    for verbs in _PAIRS:
        if transfer := _read(text, _patterns(verbs, by_taker=True)):
            yield _said_by_giver(transfer, verbs)
            break
        if transfer := _read(text, _patterns(verbs, by_taker=False)):
            yield _said_by_taker(transfer, verbs)
            break
    yield from mirrored(text)


@cache
def _patterns(verbs: _Verbs, *, by_taker: bool) -> tuple[tuple[str, re.Pattern[str]], ...]:
    forms = (
        [verbs.take, verbs.took, verbs.taken, *verbs.taking.split()]
        if by_taker
        else [verbs.give, verbs.gave, verbs.given, *verbs.giving.split()]
    )
    verb = rf"(?:{'|'.join(forms)})\b"
    shapes = _BY_TAKER if by_taker else _BY_GIVER
    return tuple(
        (asked, re.compile(s.replace("VERB", verb).replace("WHO", WHO), re.IGNORECASE))
        for asked, s in shapes
    )


def _read(text: str, patterns: Sequence[tuple[str, re.Pattern[str]]]) -> Transfer | None:
    for asked, pattern in patterns:
        if match := pattern.fullmatch(text):
            sides = {name: value or "" for name, value in match.groupdict().items()}
            return Transfer(asked, **sides)
    return None


def _said_by_giver(transfer: Transfer, verbs: _Verbs) -> str:
    if transfer.asked == "taker" and transfer.giver:
        return f"To {_whom(transfer)} did {transfer.giver} {verbs.give} {transfer.thing}?"
    if transfer.asked == "taker":
        return f"To {_whom(transfer)} was {transfer.thing} {verbs.given}?"
    if transfer.asked == "giver":
        return f"Who {verbs.gave} {transfer.thing} to {transfer.taker}?"
    if transfer.giver:
        return f"What did {transfer.giver} {verbs.give} to {transfer.taker}?"
    return f"What was {verbs.given} to {transfer.taker}?"


def _whom(transfer: Transfer) -> str:
    """ "whom", or "which company" where the question says of what kind."""
    return "whom" if transfer.who.casefold() in {"", "who"} else transfer.who.casefold()


def _said_by_taker(transfer: Transfer, verbs: _Verbs) -> str:
    origin = f" from {transfer.giver}" if transfer.giver else ""
    if transfer.asked == "taker":
        return f"Who {verbs.took} {transfer.thing}{origin}?"
    if transfer.asked == "giver" and transfer.taker:
        return f"From whom did {transfer.taker} {verbs.take} {transfer.thing}?"
    if transfer.asked == "giver":
        return f"From whom was {transfer.thing} {verbs.taken}?"
    if transfer.taker:
        return f"What did {transfer.taker} {verbs.take}{origin}?"
    return f"What was {verbs.taken}{origin}?"
