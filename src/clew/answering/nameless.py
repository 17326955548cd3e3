"""Someone without a name: "the board", "his uncle", "the museum in Kiel".

Notes, minutes and letters say who did something without a name as often as with one. Only what a
determiner opens and a noun for people or for a body of people ends is taken; what follows to say
which ("in Kiel", "of the town") belongs to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from clew.answering.lexicon.things import ORG_WORDS
from clew.retrieval.question.lexicon import DETERMINERS, FUNCTION_WORDS, NOUN_TYPES
from clew.retrieval.question.records import AnswerType
from clew.retrieval.question.relations import RELATIONS
from clew.retrieval.question.tokens import Token

_LONGEST = 4
_BODIES = frozenset(
    "board committee council government parliament court jury crew team staff family cabinet "
    "senate assembly police neighbours villagers inhabitants workers residents members".split()
)
_NO_BODIES = frozenset("works records pictures books times post news party league force".split())
_OPENERS = frozenset("the his her its their our my your".split())
_WHICH = frozenset({"of", "in", "for", "at"})


def nameless_in(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield the token ranges of such phrases, without their determiner; each with and without what
    says which one.
    """
    for at, token in enumerate(tokens):
        if token.lower not in _OPENERS:
            continue
        end = at + 1
        while end < len(tokens) and end - at <= _LONGEST and _is_plain(tokens[end]):
            end += 1
        if end > at + 1 and tokens[end - 1].lower in _heads():
            yield at + 1, end
            longer = _which_one(tokens, end)
            if longer > end:
                yield at + 1, longer


def _is_plain(token: Token) -> bool:
    return token.is_word and not token.is_capital and token.lower not in FUNCTION_WORDS


def _which_one(tokens: Sequence[Token], at: int) -> int:
    """The end of "in Kiel", "of the town of Norr" behind a noun; ``at`` where nothing follows."""
    if at + 1 >= len(tokens) or tokens[at].lower not in _WHICH:
        return at
    end = at + 1
    while end < len(tokens) and tokens[end].lower in DETERMINERS:
        end += 1
    first = end
    while end < len(tokens) and tokens[end].is_capital:
        end += 1
    return end if end > first else at


@cache
def _heads() -> frozenset[str]:
    people = {noun for noun, types in NOUN_TYPES.items() if types[0] == AnswerType.PERSON}
    kin = {name for name, relation in RELATIONS.items() if relation.gender}
    return frozenset(people | kin | (ORG_WORDS - _NO_BODIES) | _BODIES)
