"""Words that say the same: a question asks for the *director*, a text says "directed by".

The relations that questions ask for (:mod:`clew.retrieval.question.relations`) list the words that
state each of them. For what a passage *covers* of the question, any of them counts as the word
itself; for its BM25 score only the word does.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.errors import QuestionError
from clew.retrieval.question import ContentTerm, analyse_question


def kindred_terms(question: str, terms: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Per search term of ``question`` the other terms that say the same, ascending.

    Words inside names have none: "The Director" is a title.

    >>> kindred_terms("Who was born in Ostby?", ["born", "ostbi"])
    (('birth', 'birthdat', 'birthday', 'birthplac'), ())
    """
    found: dict[str, set[str]] = {}
    for term in _words(question):
        found.setdefault(term.term, set()).update(term.alternatives)
    return tuple(tuple(sorted(found.get(term, set()) - {term})) for term in terms)


def _words(question: str) -> Sequence[ContentTerm]:
    """What carries meaning in ``question``. A text of marks alone can be searched for, though there
    is nothing in it to analyse.
    """
    try:
        return analyse_question(question).terms
    except QuestionError:
        return ()
