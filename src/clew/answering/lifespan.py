"""Birth and death as biographies open: "Jane Roe (3 May 1901, Oslo – 1980) was …".

The first bracket behind a name that holds a year is read as a life: what stands before the dash
is the birth, what stands behind it the death. A lone date is a birth unless "died" or "d." says
otherwise.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from clew.retrieval.question.dates import find_dates

_OPENING_CHARS = 400
_BRACKET = re.compile(r"\(((?:[^()]|\([^()]*\))*)\)")
_SPLIT = re.compile(r"\s[-–—]\s?|[–—]|\s?-\s|;?\s*(?:\bdied\b|\bd\.)|(?<=\d)-(?=\d)")
_DEATH = re.compile(r"\bdied\b|\bd\.|\bdeath\b|†")
_BIRTH = re.compile(r"\bborn\b|\bb\.|\bnée?\b|\*")


@dataclass(frozen=True, slots=True)
class Life:
    """Offsets into the sentence: where birth and death are written; (0, 0) when they are not."""

    birth: tuple[int, int] = (0, 0)
    death: tuple[int, int] = (0, 0)


@lru_cache(maxsize=4096)
def life_of(sentence: str) -> Life:
    """Return the parts of the first bracket of ``sentence`` that reads as a life.

    >>> text = "Jane Roe (3 May 1901 – 1980) was a builder."
    >>> life = life_of(text); text[slice(*life.birth)], text[slice(*life.death)]
    ('3 May 1901', '1980')
    """
    for match in _BRACKET.finditer(sentence[:_OPENING_CHARS]):
        start, end = match.span(1)
        dates = [span for span in find_dates(sentence) if start <= span.start and span.end <= end]
        years = re.findall(r"\b\d{3,4}\b", match[1])
        if not dates and not years:
            continue
        life = _read(sentence, start, end)
        if life is not None:
            return life
    return Life()


def _read(sentence: str, start: int, end: int) -> Life | None:
    inner = sentence[start:end]
    for split in _SPLIT.finditer(inner):
        left, right = inner[: split.start()], inner[split.end() :]
        if _has_year(left) and (_has_year(right) or "present" in right or not right.strip()):
            return Life(
                birth=_trimmed(sentence, start, start + split.start()),
                death=_trimmed(sentence, start + split.end(), end),
            )
        if _DEATH.search(split[0]) and _has_year(right) and not _has_year(left):
            return Life(death=_trimmed(sentence, start + split.end(), end))
    if _DEATH.search(inner) and not _BIRTH.search(inner):
        return Life(death=_trimmed(sentence, start, end))
    if _BIRTH.search(inner) or find_dates(inner):
        return Life(birth=_trimmed(sentence, start, end))
    return None


def _has_year(text: str) -> bool:
    return re.search(r"\b\d{3,4}\b", text) is not None


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    start += len(part) - len(part.lstrip(" ,;"))
    return start, max(start, start + len(part.strip(" ,;")))
