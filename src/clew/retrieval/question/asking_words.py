"""Words that ask, and say nothing of what is asked about: "how *long*", "wie *oft*"."""

from __future__ import annotations

from clew.retrieval.question.languages import LANGUAGES
from clew.retrieval.question.records import ContentTerm, Question

_ASKING = {
    language.code: frozenset(language.measures) | language.many | language.much
    for language in LANGUAGES
}


def only_asks(question: Question, term: ContentTerm) -> bool:
    """Whether the word stands behind the question word as a part of it."""
    is_next = term.distance == 1 and term.start > question.wh_start
    return is_next and not term.in_name and term.text.casefold() in _ASKING[question.language]
