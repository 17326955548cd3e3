"""Which words of a question must be found, and which only say the kind of thing that is asked for.

"Which *city* is Norr Works based in?", "the *film* Silent Snow": a text need not say the noun for
the answer to be right. Such words weigh a quarter of the others.
"""

from __future__ import annotations

import numpy as np

from clew.answering.matching import Matching, Vector
from clew.retrieval.question.lexicon import NOUN_TYPES, ORDER_WORDS
from clew.retrieval.question.records import AnswerType, ContentTerm, Question
from clew.retrieval.question.wh import singular

QUIET_WEIGHT = 0.25


def loud_shares(matching: Matching) -> Vector:
    """The share of each term in the question, those that only say the kind turned down."""
    shares = np.array(
        [
            rarity * (QUIET_WEIGHT if is_quiet(matching.question, term) else 1.0)
            for term, rarity in zip(matching.terms, matching.rarity, strict=True)
        ]
    )
    total = shares.sum() if len(shares) else 0.0
    return shares / total if total else shares


def is_quiet(question: Question, term: ContentTerm) -> bool:
    """Whether the word only says the kind of the answer, or of a thing that is named."""
    if term.in_name:
        return False
    word = term.text.casefold()
    typed = question.types != (AnswerType.OTHER,)
    return (term.is_focus and typed) or singular(word) in NOUN_TYPES or word in ORDER_WORDS
