"""A question that says what it asks for in other words, put in the words that a text has for it.

"What does the son of Jean Muir do?" asks for an occupation; nothing in the text says "do".
"""

from __future__ import annotations

import re

from clew.answering.lexicon.things import ORG_WORDS, PLACE_WORDS
from clew.graph.given_names import is_given_name
from clew.retrieval.question.lexicon import NOUN_TYPES
from clew.retrieval.question.records import AnswerType

_DOES = re.compile(
    r"what (?P<does>does|did) (?P<who>.+?) do(?: for a living| for work| professionally)?[ ?]*",
    re.IGNORECASE,
)

_ALLOWED = re.compile(
    r"(?:is|are) (?P<who>.+?) (?:allowed|permitted) to (?P<what>.+?)[ ?]*", re.IGNORECASE
)
_JOINTS = frozenset("the a an of his her their our my".split())


def reworded(text: str) -> str:
    """Return the question in other words where it has such; else as it is.

    >>> reworded("What does Jane Roe do?"), reworded("What does the lever do?")
    ('What is the occupation of Jane Roe?', 'What does the lever do?')
    >>> reworded("Is the tenant allowed to keep dogs?")
    'May the tenant keep dogs?'
    """
    if allowed := _ALLOWED.fullmatch(text):
        return f"May {allowed['who']} {allowed['what']}?"
    match = _DOES.fullmatch(text)
    if match is None or not _is_person(match["who"]):
        return text
    verb = "is" if match["does"].casefold() == "does" else "was"
    return f"What {verb} the occupation of {match['who']}?"


def _is_person(phrase: str) -> bool:
    """A name of one person, or a noun for a person with what it is said of, and nothing more."""
    words = phrase.split()
    small = [word for word in words if word.islower() and word not in _JOINTS]
    if not small:
        is_name = len(words) in {2, 3} or is_given_name(words[0].casefold())
        return is_name and words[-1].casefold() not in ORG_WORDS | PLACE_WORDS
    types = [NOUN_TYPES.get(word, ()) for word in small]
    return all(kinds and kinds[0] == AnswerType.PERSON for kinds in types)
