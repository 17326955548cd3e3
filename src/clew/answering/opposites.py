"""Verbs that say the opposite of each other: when a train leaves is not when it arrives.

Only those of which a text that tells one easily stands for the other, since all else of the
question is there. Verbs of two sides (buy and sell) say one event and are no opposites
(:mod:`clew.answering.converse`).
"""

from __future__ import annotations

from functools import cache

from clew.retrieval.question.tokens import stem_of

_PAIRS = (
    ("arrive arrives arrived arrival", "leave leaves left depart departs departed departure"),
    ("begin begins began start starts started", "end ends ended finish finishes finished stop"),
    ("open opens opened reopened", "close closes closed shut"),
    ("enter enters entered", "exit exits exited leave leaves left"),
    ("win wins won", "lose loses lost"),
    ("rise rises rose increase increases increased", "fall falls fell decrease decreased"),
    ("join joins joined", "leave leaves left quit resigned"),
    ("hire hires hired appoint appointed", "dismiss dismissed fire fired sack sacked"),
    ("build built erected", "demolish demolished destroy destroyed"),
    ("accept accepts accepted", "refuse refuses refused reject rejected decline declined"),
    ("send sends sent", "receive receives received"),
)


@cache
def opposites_of(stem: str) -> frozenset[str]:
    """The stems that say the opposite of a stem; empty for most."""
    found: set[str] = set()
    for one, other in ((a, b) for pair in _stems() for a, b in (pair, pair[::-1])):
        if stem in one:
            found |= other
    return frozenset(found)


@cache
def _stems() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    return tuple(
        (frozenset(map(stem_of, one.split())), frozenset(map(stem_of, other.split())))
        for one, other in _PAIRS
    )
