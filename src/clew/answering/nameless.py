"""Someone without a name: "the board", "his uncle", "the museum in Kiel".

Notes, minutes and letters say who did something without a name as often as with one. Only what a
determiner opens and a noun for people or for a body of people ends is taken; what follows to say
which ("in Kiel", "of the town") belongs to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from clew.answering.frames import is_verb
from clew.answering.lexicon.places import demonyms
from clew.answering.lexicon.things import ORG_WORDS
from clew.retrieval.question.lexicon import DETERMINERS, FUNCTION_WORDS, NOUN_TYPES
from clew.retrieval.question.records import AnswerType
from clew.retrieval.question.relations import RELATIONS
from clew.retrieval.question.tokens import Token
from clew.retrieval.question.wh import is_plural, singular

_LONGEST = 4
_BODIES = frozenset(
    "board committee council government parliament court jury crew team staff family cabinet "
    "senate assembly police neighbour villager inhabitant worker resident member troops tenant "
    "guest visitor volunteer customer nurse patient pupil colleague farmer merchant sailor".split()
)
_NO_BODIES = frozenset("works records pictures books times post news party league force".split())
_OPENERS = frozenset("the his her its their our my your".split())
_BEFORE_PLURAL = frozenset({"by", "after", "before", "when", "because", "that", ","})
_INDEFINITE = frozenset({"a", "an"})
_OBLIQUE = frozenset({"by", "from", "to", "with"})
_ENDINGS = ("keeper", "keepers", "smith", "smiths", "wright", "ician", "icians", "ologist", "man")
_WHICH = frozenset({"of", "in", "for", "at"})


def nameless_in(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield the token ranges of such phrases, without their determiner; each with and without what
    says which one.
    """
    for at, token in enumerate(tokens):
        before = tokens[at - 1].lower if at else ""
        is_bare = token.lower in _BEFORE_PLURAL
        opens = token.lower in _OPENERS or (token.lower in _INDEFINITE and before in _OBLIQUE)
        if not (opens or is_bare):
            continue
        first = at + 1
        end = _end_of(tokens, first)
        if _is_named_next(tokens, end):
            continue
        if end > first and (not is_bare or is_plural(tokens[end - 1].lower)):
            yield first, end
            longer = _which_one(tokens, end)
            if longer > end:
                yield first, longer


def _is_named_next(tokens: Sequence[Token], end: int) -> bool:
    """ "Their engineer, Piet Maas", "the owner of number 14, Mrs Pell": they have a name."""
    comma = next((at for at in range(end, min(end + 4, len(tokens))) if tokens[at].text == ","), -1)
    return 0 < comma < len(tokens) - 1 and tokens[comma + 1].is_capital


def _end_of(tokens: Sequence[Token], first: int) -> int:
    """Where the noun phrase ends, behind its last noun for people; ``first`` if it has none."""
    end = at = first
    while at < len(tokens) and at - first < _LONGEST and _is_part(tokens, at, first):
        at += 1
        if _is_head(tokens[at - 1].lower):
            end = at
    return end


def _is_part(tokens: Sequence[Token], at: int, first: int) -> bool:
    token = tokens[at]
    if token.is_capital and not (at == first and token.lower in demonyms()):
        return False
    return token.is_word and token.lower not in FUNCTION_WORDS and not is_verb(token)


def _is_head(word: str) -> bool:
    return word in _heads() or singular(word) in _heads() or word.endswith(_ENDINGS)


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
