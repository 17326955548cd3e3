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


def reworded(text: str) -> str:
    """Return the question in other words where it has such; else as it is.

    >>> reworded("What does Jane Roe do?"), reworded("What does the lever do?")
    ('What is the occupation of Jane Roe?', 'What does the lever do?')
    """
    match = _DOES.fullmatch(text)
    if match is None or not _is_person(match["who"]):
        return text
    verb = "is" if match["does"].casefold() == "does" else "was"
    return f"What {verb} the occupation of {match['who']}?"


def _is_person(phrase: str) -> bool:
    """A noun for a person, a given name in front, or a name of two or three words that is none of a
    body or a place.
    """
    words = phrase.split()
    if len(words) in {2, 3} and all(word[0].isupper() for word in words):
        return words[-1].casefold() not in ORG_WORDS | PLACE_WORDS
    types = [NOUN_TYPES.get(word.casefold(), ()) for word in words[:3] if word.islower()]
    return is_given_name(words[0].casefold()) or any(
        kinds and kinds[0] == AnswerType.PERSON for kinds in types
    )
