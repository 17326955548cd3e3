"""The languages that questions are read in, and which of them a question is in."""

from __future__ import annotations

from collections.abc import Sequence

from clew.retrieval.question.languages.base import Language
from clew.retrieval.question.languages.english import ENGLISH
from clew.retrieval.question.languages.german import GERMAN
from clew.retrieval.question.tokens import Token

LANGUAGES = (ENGLISH, GERMAN)

__all__ = ["ENGLISH", "GERMAN", "LANGUAGES", "Language", "language_of"]


def language_of(tokens: Sequence[Token]) -> Language:
    """The language whose small words the question holds most of; English when none leads.

    Words with a capital inside the question are names and count for nothing.
    """
    plain = [t.lower for t in tokens if t.start == tokens[0].start or not t.is_capital]
    shared = frozenset.intersection(*(language.function_words for language in LANGUAGES))
    counts = [sum(w in language.marks - shared for w in plain) for language in LANGUAGES]
    best = max(counts, default=0)
    return LANGUAGES[counts.index(best)]
