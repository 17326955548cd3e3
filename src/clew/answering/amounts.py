"""Numbers as texts write them, read into one figure."""

from __future__ import annotations

import re

from clew.answering.candidates import Candidate, Form
from clew.retrieval.question.lexicon import NUMBER_WORDS
from clew.retrieval.question.records import AnswerType


def amount_of(candidate: Candidate) -> float | None:
    """The number that a candidate writes; None when it writes none."""
    if AnswerType.NUMBER not in candidate.kinds or candidate.form not in {
        Form.NUMBER,
        Form.QUANTITY,
    }:
        return None
    return read_amount(candidate.text)


_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "hundred": 1e2}


def read_amount(text: str) -> float | None:
    """Read "1.2 million", "1,200 m", "three".

    >>> read_amount("1.2 million"), read_amount("three"), read_amount("1,200 m")
    (1200000.0, 3.0, 1200.0)
    """
    words = text.casefold().split()
    match = _DIGITS.search(text)
    if match:
        value = float(match[0].rstrip(",").replace(",", ""))
    else:
        value = float(next((NUMBER_WORDS[w] for w in words if w in NUMBER_WORDS), -1))
    if value < 0:
        return None
    for word, scale in _SCALES.items():
        if word in words:
            value *= scale
    return value
