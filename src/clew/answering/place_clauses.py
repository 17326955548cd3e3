"""Clauses that only say where: "the country where Norr is", "the town the siege took place in"."""

from __future__ import annotations

from collections.abc import Sequence

from clew.answering.frames import is_verb
from clew.answering.lexicon.relating import HAPPENS
from clew.retrieval.question.lexicon import BE, FUNCTION_WORDS
from clew.retrieval.question.relations import relations_of_word
from clew.retrieval.question.tokens import Token

_LOCAL = frozenset("place from in part".split())
_CLAUSE_WORDS = 3  # "in which the", "where the"


def is_place_clause(tokens: Sequence[Token], first: int, at: int) -> bool:
    """Whether the clause about the name that starts at token ``first`` only says where, with its
    verb at token ``at``: "where Norr is", "where the siege took place", "Norr is from".
    """
    if at >= len(tokens):
        return False
    before = {token.lower for token in tokens[max(0, first - _CLAUSE_WORDS) : first]}
    word, following = tokens[at].lower, _word(tokens, at + 1)
    if word not in BE:
        happens = word in HAPPENS or (word in {"took", "takes", "take"} and following == "place")
        return happens and bool(before & {"where", "which"})
    if says_two(tokens, at) and not _is_name(tokens, at + 2):
        return True
    if following in {"a", "an", "the"}:
        following = _word(tokens, at + 2)
    says_more = at + 1 < len(tokens) and (
        is_verb(tokens[at + 1]) or bool(relations_of_word(following))
    )
    return "where" in before and not says_more


def says_two(tokens: Sequence[Token], at: int) -> bool:
    """ "took place", "is from", "is part": the word behind belongs to the verb."""
    return _word(tokens, at + 1) in _LOCAL


def _word(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].lower if at < len(tokens) else ""


def _is_name(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and (tokens[at].is_capital or tokens[at].lower in FUNCTION_WORDS)
