"""Which words of a question must be found, and which only say the kind of thing that is asked for.

"Which *city* is Norr Works based in?", "the *film* Silent Snow": a text need not say the noun for
the answer to be right. Such words weigh a quarter of the others.
"""

from __future__ import annotations

import re

import numpy as np

from clew.answering.matching import Matching, Vector
from clew.retrieval.question.asking_words import only_asks
from clew.retrieval.question.lexicon import AUXILIARIES, NOUN_TYPES, ORDER_WORDS
from clew.retrieval.question.records import ContentTerm, Question, Slot
from clew.retrieval.question.relations import relations_of_word
from clew.retrieval.question.wh import singular

QUIET_WEIGHT = 0.25
_TAKING_PART = re.compile(r"\b(?:take|takes|took|taken|taking)\s+part\b", re.IGNORECASE)
_POSTURES = frozenset("lie lies lay stand stands stood sit sits sat".split())
"""Verbs that say no more than that a thing is there: "how deep does the wreck lie"."""


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
    """Whether the word only says the kind of the answer, or of a thing that is named.

    "Which *city*", "what *format*", "how *long*", "the *film* X" are quiet. "What is the *capital*
    of" is not: the noun is the relation itself, and a text that does not say it says nothing.
    """
    if term.in_name:
        return False
    word = term.text.casefold()
    if term.is_focus:
        return _is_determined(question, term)
    if only_asks(question, term) or (question.slot == Slot.MEASURE and word in _POSTURES):
        return True
    if word in ORDER_WORDS or _takes_part(question, term):
        return True
    return singular(word) in NOUN_TYPES and not relations_of_word(word)


def _takes_part(question: Question, term: ContentTerm) -> bool:
    """ "Took" and "part" of "took part": being in it is said in many ways."""
    return any(
        found.start() <= term.start < found.end() for found in _TAKING_PART.finditer(question.text)
    )


def _is_determined(question: Question, term: ContentTerm) -> bool:
    """ "which city", "what low budget comedy": no verb between the wh-word and the noun."""
    between = question.text[max(question.wh_start, 0) : term.start].casefold().split()
    return not AUXILIARIES.intersection(between) and not {"'s", "what's", "who's"} & set(between)
