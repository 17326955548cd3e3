"""Words that say the same: a question asks for the *director*, a text says "directed by".

The relations that questions ask for (:mod:`clew.retrieval.question.relations`) list the words that
state each of them, and :mod:`clew.retrieval.pool.word_groups` those that a text may have instead in
general. For what a passage *covers* of the question, any of them counts as the word itself; for its
BM25 score only the word does.

A word of which every sixteenth unit has one says the same of too many things ("first", "film" in a
corpus of films) and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.errors import QuestionError
from clew.retrieval.pool.word_groups import same_group
from clew.retrieval.question import ContentTerm, analyse_question
from clew.stores.base import GraphReader

_TOO_MANY = 16
_ALWAYS_FEW = 20


def kindred_terms(question: str, terms: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Per search term of ``question`` the other terms that say the same, ascending.

    Words inside names have none: "The Director" is a title.

    >>> kindred_terms("Who was born in Ostby?", ["born", "ostbi"])
    (('birth', 'birthdat', 'birthday', 'birthplac', 'nativ'), ())
    """
    found: dict[str, set[str]] = {}
    for word in _words(question):
        same = set() if word.in_name else same_group(word.term)
        found.setdefault(word.term, set()).update(word.alternatives, same)
    return tuple(tuple(sorted(found.get(term, set()) - {term})) for term in terms)


def telling_terms(
    reader: GraphReader, kindred: Sequence[Sequence[str]], *, unit_count: int
) -> tuple[tuple[str, ...], ...]:
    """``kindred`` without the terms that too many units hold to tell anything."""
    every = sorted({term for terms in kindred for term in terms})
    held = reader.document_frequencies("unit", every)
    most = max(_ALWAYS_FEW, unit_count / _TOO_MANY)
    few = {term for term, count in zip(every, held, strict=True) if count <= most}
    return tuple(tuple(term for term in terms if term in few) for terms in kindred)


def _words(question: str) -> Sequence[ContentTerm]:
    """What carries meaning in ``question``. A text of marks alone can be searched for, though there
    is nothing in it to analyse.
    """
    try:
        return analyse_question(question).terms
    except QuestionError:
        return ()
