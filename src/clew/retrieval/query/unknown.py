"""Which words of a question no document has, as far as that is worth telling.

"How *much* did it cost?" asks for an amount; a document that says it need not have the word. So
words that only ask ("how many", "how old", "tell me", "wie oft") are no words to miss.
"""

from __future__ import annotations

from collections.abc import Iterable

import regex

from clew.retrieval.question import analyse_question, only_asks

_WORD = regex.compile(r"\p{Latin}+")
"""Questions are analysed in languages of this script."""


def missed(question: str, unknown: Iterable[str]) -> tuple[str, ...]:
    """Return those of the ``unknown`` words that say what ``question`` is about."""
    unknown = tuple(unknown)
    if not unknown:
        return ()
    asked = analyse_question(question)
    told = [term.text for term in asked.terms if not only_asks(asked, term)]
    content = {word for text in told for word in _WORD.findall(text)}
    silent = set(_WORD.findall(question)) - content
    return tuple(word for word in unknown if word not in silent)
