"""What a passage speaks of that defines nothing: the name in subject position, the name it repeats.

A passage from the middle of a text begins "At the University of Tarn, Orm took two degrees": the
first name is not what it is about, the first *subject* is. Where no sentence begins with a name,
the one that most sentences say stands in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from clew.extraction.lexicon.closed import OPENERS
from clew.records import KnowledgeUnit
from clew.text.names import Name, name_key

LEAST_REPEATED = 2
_LONGEST_INTRODUCTION = 120

_BEFORE = re.compile(r"[\"'“‘„«*_(]{0,2}(?:(?:the|a|an) )?$", re.IGNORECASE)
_ASIDE = re.compile(r"(?:(?:an?|the) [\w -]{3,40}|\w+(?:ed|ing)\b.*)", re.IGNORECASE)
_DATE = re.compile(r"(?:In|On|By|From|Since|After|Until) [\w ]{0,20}\d{4} ")
_VERB_BEHIND = re.compile(r"(?:\s?\([^()]{0,80}\))?,?\s[a-zà-ÿ]")
_REFERS_BACK = re.compile(
    r"[\"'“‘(]?(?:(?:He|She|It|They|His|Her|Its|Their|This|These)\b"
    r"|The (?:latter|company|firm|group|agency|organi[sz]ation|film|movie|book|novel|story|album"
    r"|song|single|band|team|club|series|show|episode|game|city|town|village|region|country|river"
    r"|island|building|bridge|station|ship|school|university|museum|magazine|newspaper|species"
    r"|family|couple|battle|event|award|project|product|method|system|model|paper|study)\b)"
)
_NO_VERB_BEHIND = re.compile(r"\s(?:of|and|or|in|at|on|to|for|with|by|from|as)\b")


def subject_of(unit: KnowledgeUnit, names: Sequence[Name]) -> str:
    """The name that ``unit`` begins with, an introduction left aside; ``""`` for another subject.

    ``names`` are those of the unit in the order of the text.
    """
    text = unit.text
    for name in names[:3]:
        before = text[: name.start - unit.start]
        article = _BEFORE.search(before)
        lead = before[: article.start()] if article else before
        if lead and not _introduces(lead):
            continue
        behind = text[name.end - unit.start :]
        if _VERB_BEHIND.match(behind) and not _NO_VERB_BEHIND.match(behind):
            return name.surface
    return ""


def repeated_name(names: Sequence[Sequence[Name]]) -> str:
    """The name that most units say, if two of them do; of equals the earliest."""
    units: Counter[str] = Counter()
    surfaces: dict[str, str] = {}
    for found in names:
        keys = {name_key(name.surface): name.surface for name in reversed(found)}
        units.update(keys.keys())
        for key, surface in keys.items():
            surfaces.setdefault(key, surface)
    best = max(units.values(), default=0)
    if best < LEAST_REPEATED:
        return ""
    order = {name_key(name.surface): at for at, name in enumerate(_all(names)[::-1])}
    key = max((key for key, count in units.items() if count == best), key=order.__getitem__)
    return surfaces[key]


def _all(names: Sequence[Sequence[Name]]) -> list[Name]:
    return [name for found in names for name in found]


def _introduces(lead: str) -> bool:
    """Whether ``lead`` is a phrase before the subject: "In 1921, ", "Born in Tarn, "."""
    if len(lead) > _LONGEST_INTRODUCTION or not lead.endswith(", "):
        return _DATE.fullmatch(lead) is not None
    first = lead.partition(" ")[0].rstrip(",").lower()
    return first in OPENERS or _ASIDE.match(lead) is not None


def goes_on(sentence: str, subject: str, names: Sequence[Sequence[Name]]) -> bool:
    """Whether a chunk that begins with ``sentence`` goes on about ``subject``: it begins with a
    pronoun or "the company", or says the name or its last word.

    >>> goes_on("She left.", "Jane Roe", []), goes_on("Rain fell.", "Jane Roe", [])
    (True, False)
    """
    if _REFERS_BACK.match(sentence):
        return True
    key = name_key(subject)
    short = key.rpartition(" ")[2]
    return any(
        key in said or said.rpartition(" ")[2] == short
        for found in names
        for said in (name_key(name.surface) for name in found)
    )
