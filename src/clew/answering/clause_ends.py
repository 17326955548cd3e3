"""Where a relative clause ends inside a question.

"When did the country *that released the film* leave the union?" still owes the verb of "did" when
its clause begins; the word that pays the debt begins what is asked of the country. No parser: what
form the owed verb has, and what stands before it, tell it from the clause's own words.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from clew.answering.frames import is_verb
from clew.answering.lexicon.relating import HAPPENS, RELATIVE
from clew.retrieval.question.lexicon import (
    AUXILIARIES,
    BE,
    DETERMINERS,
    DO,
    FUNCTION_WORDS,
    HAVE,
    PREPOSITIONS,
)
from clew.retrieval.question.relations import RELATIONS
from clew.retrieval.question.tokens import Token
from clew.text.verbs import verb_bases

_CONJUNCTIONS = frozenset("after before when while because since until if as".split())
_SUBORDINATE = _CONJUNCTIONS | {"and", "or", "than"}
_POSSESSIVES = frozenset("his her its their our my your 's".split())
_FINITE = AUXILIARIES | HAVE
_BARE = frozenset("have be do".split())
_ADVERBS = frozenset("first also later once currently originally only".split())
_OPENING = (FUNCTION_WORDS - PREPOSITIONS - BE) | _POSSESSIVES | {"to", "-", "'"}
"""What leaves a noun phrase open: no verb of the question can follow."""
_LINKING = PREPOSITIONS | DETERMINERS


def clause_end(tokens: Sequence[Token], article: int, relative: int, asks: int) -> int:
    """Return the token behind the clause that ``relative`` opens, ``len(tokens)`` where it ends
    the question; ``article`` opens the noun phrase, ``asks`` is the wh-word.
    """
    verb = _own_verb(tokens, relative)
    if verb < 0:
        return len(tokens)
    if relative < asks:
        return _before_wh(tokens, verb, asks)
    debts = _debts(tokens, article, asks)
    for at in range(verb + 1, len(tokens)):
        if any(_pays(tokens, at, verb, debt) for debt in debts) or _parts(tokens, at):
            return at
    return len(tokens)


def _own_verb(tokens: Sequence[Token], relative: int) -> int:
    """The last word of the clause's own verb group; -1 where none is seen."""
    at = relative + 1
    while at < len(tokens) and not (_is_present(tokens, at) or tokens[at].lower in _FINITE):
        at += 1
    if at == len(tokens):
        return -1
    while at + 1 < len(tokens):
        following = tokens[at + 1]
        adverb = following.lower in _ADVERBS or following.lower.endswith("ly")
        if tokens[at].lower in _FINITE and (following.lower in _FINITE or _is_verbal(following)):
            at += 1
        elif adverb and at + 2 < len(tokens) and _is_verbal(tokens[at + 2]):
            at += 2
        elif tokens[at].lower in AUXILIARIES - BE - HAVE and following.lower not in FUNCTION_WORDS:
            return at + 1
        else:
            break
    return at


def _before_wh(tokens: Sequence[Token], verb: int, asks: int) -> int:
    """The verb of the question itself, where the wh-word comes last: "… HAS how many parts?"."""
    at = asks - 1
    while at > verb and tokens[at].lower in _LINKING:
        at -= 1
    if at <= verb or not (tokens[at].lower in _FINITE or _is_verbal(tokens[at])):
        return len(tokens)
    while at - 1 > verb and tokens[at - 1].lower in _FINITE:
        at -= 1
    if any(token.text == "." for token in tokens[:at]):
        return len(tokens)
    return at - 1 if tokens[at - 1].text == "," else at


def _debts(tokens: Sequence[Token], article: int, asks: int) -> list[str]:
    """What the words before the noun phrase still lack: the verb of "did" (``do``), the participle
    of "was" (``be``), the verb of a clause (``verb``), an auxiliary (``auxiliary``).
    """
    debts = ["auxiliary"]
    for at in range(asks + 1, article):
        word = tokens[at].lower
        if word in RELATIVE | _CONJUNCTIONS:
            debts.append("verb")
        elif word in _FINITE:
            debts[-1] = "do" if word in DO else "be" if debts[-1] == "auxiliary" else ""
        elif (debts[-1] == "do" and is_bare_verb(tokens, at)) or (
            _is_verbal(tokens[at]) and tokens[at + 1].lower != "by"
        ):
            debts[-1] = ""
    return [debt for debt in debts if debt]


def _pays(tokens: Sequence[Token], at: int, verb: int, debt: str) -> bool:
    if debt == "do":
        return is_bare_verb(tokens, at)
    if debt == "be":
        return _is_participle(tokens, at)
    if at == verb + 1 and _is_verbal(tokens[at]) and debt == "verb":
        return True
    between = {token.lower for token in tokens[verb + 1 : at]}
    return tokens[at].lower in _FINITE and not between & _SUBORDINATE


def _parts(tokens: Sequence[Token], at: int) -> bool:
    """Whether a comma ends the clause: one of "Norr, Sundland" does not."""
    if tokens[at].text != "," or at + 1 == len(tokens):
        return False
    return not (tokens[at + 1].is_capital or tokens[at + 1].is_number)


def is_bare_verb(tokens: Sequence[Token], at: int) -> bool:
    """Whether the word can be the verb that "did" waits for: no noun phrase is open before it."""
    token, before = tokens[at], tokens[at - 1]
    word = token.lower
    following = tokens[at + 1].lower if at + 1 < len(tokens) else ""
    closed = _is_verbal(before) or before.is_capital or before.is_number or before.text in ',"”'
    if word in _BARE:
        return closed
    if not _may_be_base(token) or following == "of" or before.lower in _OPENING:
        return False
    stranded = before.lower in PREPOSITIONS and (
        _is_verbal(tokens[at - 2]) or tokens[at - 2].lower in BE
    )
    if before.lower in PREPOSITIONS and not stranded:
        return False
    is_last = all(not later.is_word for later in tokens[at + 1 :])
    return word in _bases() or closed or before.lower in BE or is_last


def _may_be_base(token: Token) -> bool:
    if not token.is_word or token.is_capital or token.is_number:
        return False
    word = token.lower
    return word not in FUNCTION_WORDS | AUXILIARIES and not word.endswith(("ly", "ed", "ing"))


def _is_participle(tokens: Sequence[Token], at: int) -> bool:
    """Whether the word can be the participle that "was" waits for."""
    before = tokens[at - 1]
    if not _is_verbal(tokens[at]) or before.lower in DETERMINERS | _POSSESSIVES | _FINITE | {"to"}:
        return False
    since = next((i for i in range(at - 1, 0, -1) if tokens[i].lower in _SUBORDINATE), -1)
    return since < 0 or before.is_number or any(_is_verbal(token) for token in tokens[since:at])


def _is_finite(tokens: Sequence[Token], at: int) -> bool:
    """A verb of its own clause: "the part PLAYED by" is none."""
    return _is_verbal(tokens[at]) and tokens[at + 1].lower != "by"


def _is_present(tokens: Sequence[Token], at: int) -> bool:
    """A verb in any form, of a third person behind a name or a relative pronoun: "Norr LIES"."""
    before = tokens[at - 1]
    base = tokens[at].lower.removesuffix("s")
    acts = base in _bases() and base != tokens[at].lower
    return _is_verbal(tokens[at]) or (acts and (before.is_capital or before.lower in RELATIVE))


def _is_verbal(token: Token) -> bool:
    return is_verb(token) or token.lower == "born"


@cache
def _bases() -> frozenset[str]:
    """Verbs in the form that stands behind "did"."""
    named = {word for relation in RELATIONS.values() for word in relation.words.split()} | HAPPENS
    endings = ("s", "es", "ed", "d")
    return verb_bases() | {word for word in named if any(word + end in named for end in endings)}
