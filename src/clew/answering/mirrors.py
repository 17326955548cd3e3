"""Verbs of two sides that say one thing: who studies under somebody is taught by that one.

*Per Moe taught Jon Berg* answers "Who did Jon Berg study under?", and *Orm Hall belongs to
Siri Aas* answers "Who owns Orm Hall?".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

WHO = r"who|which \w+"
"""What asks for a side, as a pattern."""


@dataclass(frozen=True, slots=True)
class _Verb:
    """``behind`` are the prepositions that follow it, the usual one first."""

    base: str
    past: str
    present: str
    behind: str = ""

    def said(self, form: str) -> str:
        return f"{form} {self.behind.partition('|')[0]}".rstrip()

    def pattern(self, form: str) -> str:
        return rf"(?:{form})" + (rf" (?:{self.behind})" if self.behind else "")


_PAIRS = (
    (_Verb("study", "studied", "studies", "under|with"), _Verb("teach", "taught", "teaches")),
    (_Verb("work", "worked", "works", "for"), _Verb("employ", "employed", "employs")),
    (_Verb("belong", "belonged", "belongs", "to"), _Verb("own", "owned", "owns")),
)


def mirrored(text: str) -> Iterator[str]:
    """The question with the verb of the other side; ``text`` without its question mark.

    >>> list(mirrored("Who did Jon Berg study under"))
    ['Who taught Jon Berg?']
    """
    for pair in _PAIRS:
        for one, other in (pair, pair[::-1]):
            subject, thing = _patterns(one)
            if match := subject.fullmatch(text):
                is_present = match["verb"].casefold() == one.present
                does = "does" if is_present else "did"
                yield f"{match['who']} {does} {match['side']} {other.said(other.base)}?"
                return
            if match := thing.fullmatch(text):
                form = other.present if match["does"].casefold() == "does" else other.past
                yield f"{match['who'] or 'Who'} {other.said(form)} {match['side']}?"
                return


@cache
def _patterns(verb: _Verb) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Questions for the side that does it, and for the other one."""
    finite = verb.pattern(rf"(?P<verb>{verb.past}|{verb.present})")
    subject = rf"(?P<who>{WHO}|what) {finite} (?P<side>.+)"
    bare = verb.pattern(f"{verb.base}|{verb.past}")
    thing = rf"(?P<who>{WHO}|what) (?P<does>did|does) (?P<side>.+?) {bare}"
    return re.compile(subject, re.IGNORECASE), re.compile(thing, re.IGNORECASE)
