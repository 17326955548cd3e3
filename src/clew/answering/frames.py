"""Who does what to whom, as far as word order and "by" tell.

*Orm Works bought Norr Works* and *Norr Works was bought by Orm Works* hold the same words; which of
the two a question wants is told by its own order (*Who bought Norr Works?*, *What did Orm Works
buy?*). No parser: the words around a cue decide, or nothing does.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import cache

from clew.retrieval.question.lexicon import (
    AUXILIARIES,
    BE,
    DETERMINERS,
    DO,
    FUNCTION_WORDS,
    HAVE,
    PLURAL_PRONOUNS,
    PREPOSITIONS,
    PRONOUNS,
)
from clew.retrieval.question.records import Question, Slot
from clew.retrieval.question.tokens import Token, tokenise
from clew.retrieval.question.wh import is_plural
from clew.text.verbs import irregular_pasts

_ADVERBIAL = frozenset(
    {Slot.WHEN, Slot.WHERE, Slot.WHY, Slot.HOW, Slot.HOW_MANY, Slot.HOW_MUCH, Slot.MEASURE}
)
_REACH = 12
_ADJACENT = 3
_LIKE_THE_BASE = frozenset("read put set cut hit hurt let".split())
_MORE_OFTEN_NOUNS = frozenset("ground wound bit lay left felt thought rent".split())
_OF_PLACE = frozenset("in at on near from with beside behind".split())
_LINKS = BE | DETERMINERS | frozenset({",", ":", "-", "–", "(", "as", "then", "also"})


class Role(IntEnum):
    """The part of a statement that a name plays, or that a question asks for."""

    PATIENT = -1
    NONE = 0
    AGENT = 1


def asked_role(question: Question) -> Role:
    """Which role the answer plays for the verb nearest to the wh-word."""
    tokens = tokenise(question.text)
    at = next((at for at, t in enumerate(tokens) if t.start == question.wh_start), -1)
    if at < 0 or question.slot in _ADVERBIAL:
        return Role.NONE
    if _by_whom(tokens, at):
        return Role.AGENT
    following = _verb_after(tokens, at)
    return _role_of_subject(tokens, following) if following >= 0 else Role.NONE


def _role_of_subject(tokens: Sequence[Token], verb: int) -> Role:
    """The role of what stands before the first verb of the question."""
    word = tokens[verb].lower
    if word in DO or (word in BE | HAVE and _is_passive(tokens, verb)):
        return Role.PATIENT
    if word in AUXILIARIES or not is_verb(tokens[verb]):
        return Role.NONE
    return Role.AGENT


def role_of(tokens: Sequence[Token], cue: int, first: int, last: int) -> Role:
    """The role that ``tokens[first:last]`` plays for the word at ``cue``."""
    if first <= cue < last:
        return Role.NONE
    if not (is_verb(tokens[cue]) or _acts(tokens, cue)):
        return _nominal(tokens, cue, first, last)
    if cue < first:
        return _behind(tokens, cue, first)
    if cue - last > _REACH or _crossed(tokens, last, cue) or says_where(tokens, first):
        return Role.NONE
    after_by = cue + 1 < len(tokens) and tokens[cue + 1].lower == "by"
    return Role.PATIENT if _follows_be(tokens, cue) or after_by else Role.AGENT


def says_where(tokens: Sequence[Token], first: int) -> bool:
    """ "The printer in the small OFFICE broke": a span behind such a word is no subject."""
    at = first - 1
    while at >= 0 and tokens[at].is_word and not tokens[at].is_capital:
        word = tokens[at].lower
        if word in _OF_PLACE:
            return at > 0
        if word in DETERMINERS:
            return at > 1 and tokens[at - 1].lower in _OF_PLACE
        if word in FUNCTION_WORDS or is_verb(tokens[at]):
            return False
        at -= 1
    return False


def _behind(tokens: Sequence[Token], cue: int, first: int) -> Role:
    """The role of a span that follows the verb."""
    if first - cue > _REACH:
        return Role.NONE
    between = [token.lower for token in tokens[cue + 1 : first]]
    if "by" in between:
        crossed = _crossed(tokens, cue + between.index("by") + 2, first)
        return Role.NONE if crossed else Role.AGENT
    if _follows_be(tokens, cue) or any(word in PREPOSITIONS for word in between):
        return Role.NONE
    return Role.NONE if _crossed(tokens, cue + 1, first) else Role.PATIENT


def is_verb(token: Token) -> bool:
    """Whether the form is a past or a third person rather than a noun, as far as it tells."""
    return not (token.is_capital and token.start > 0) and is_verb_form(token.lower)


def is_verb_at(tokens: Sequence[Token], at: int) -> bool:
    """As :func:`is_verb`; "the SHED" is a noun whatever its form."""
    return is_verb(tokens[at]) and not (at and tokens[at - 1].lower in DETERMINERS)


def _acts(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word that may be a noun is a verb here: "it RETURNS", "children PAY"."""
    if at == 0 or tokens[at].is_capital or not tokens[at].stem:
        return False
    before = tokens[at - 1]
    if tokens[at].lower.endswith("s"):
        return before.lower in PRONOUNS or before.is_capital
    return before.lower in PLURAL_PRONOUNS or (before.stem != "" and is_plural(before.lower))


def is_verb_form(word: str) -> bool:
    return (word.endswith("ed") and len(word) > 3) or word in _irregular() or word in THIRD_PERSONS


@cache
def _irregular() -> frozenset[str]:
    return (irregular_pasts() | _LIKE_THE_BASE) - _MORE_OFTEN_NOUNS


THIRD_PERSONS = frozenset(
    "buys builds wins writes sells leads makes runs holds teaches begins owns heads directs "
    "designs produces publishes edits plays stars supplies provides founds establishes acquires "
    "manages chairs governs employs uses sponsors invents develops performs sings composes "
    "translates lives works borders succeeds replaces manufactures delivers".split()
)


def _by_whom(tokens: Sequence[Token], at: int) -> bool:
    if at and tokens[at - 1].lower == "by":
        return True
    last = next((token for token in reversed(tokens) if token.is_word), None)
    return last is not None and last.lower == "by"


def _verb_after(tokens: Sequence[Token], at: int) -> int:
    """The first verb behind the wh-phrase: "who FOUNDED", "which company DID"."""
    for place in range(at + 1, min(at + 7, len(tokens))):
        token = tokens[place]
        if token.lower in AUXILIARIES or is_verb(token):
            return place
        if token.lower in FUNCTION_WORDS and token.lower not in {"of", "the"}:
            return -1
    return -1


def _is_passive(tokens: Sequence[Token], be: int) -> bool:
    """ "which film was directed by …": a participle behind the form of be."""
    for token in tokens[be + 1 : be + 3]:
        if is_verb(token):
            return True
        if token.is_capital or token.lower in DETERMINERS:
            return False
    return False


def _follows_be(tokens: Sequence[Token], cue: int) -> bool:
    """Whether a form of be stands within three words before, with nothing but adverbs between."""
    for at in range(cue - 1, max(cue - 4, -1), -1):
        word = tokens[at].lower
        if word in BE:
            return True
        if not (
            word.endswith("ly")
            or word in {"not", "also", "first", "later", "been", "and"}
            or is_verb(tokens[at])
        ):
            return False
    return False


def _nominal(tokens: Sequence[Token], cue: int, first: int, last: int) -> Role:
    """ "founder Jane Roe", "Jane Roe, founder of", "its founder is Jane Roe"."""
    gap = tokens[cue + 1 : first] if cue < first else tokens[last:cue]
    if len(gap) <= _ADJACENT and all(_is_link(token) for token in gap):
        return Role.AGENT
    if cue < first and gap and gap[0].lower == "of" and first - cue <= _REACH:
        rest = [token.lower for token in gap]
        copula = next((at for at, word in enumerate(rest) if word in BE), -1)
        if copula > 0 and all(_is_link(token) for token in gap[copula:]):
            return Role.AGENT
        return Role.PATIENT if len(gap) <= 2 else Role.NONE
    return Role.NONE


def _is_link(token: Token) -> bool:
    return token.lower in _LINKS or (
        token.is_word and not token.is_capital and token.lower not in PREPOSITIONS
    )


def _crossed(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Whether another clause begins between: a semicolon, or a verb with its own subject."""
    return any(
        token.text == ";" or token.lower in {"but", "while", "who", "which", "that"}
        for token in tokens[first:last]
    )
