"""What cannot stand alone ("she", "its bridge", "the company"), and what it stands for.

A pronoun in a fact is replaced where the statement itself names just one thing that it can stand
for; a fact that keeps one is of no use to anybody who meets it alone. "The company" may be all that
a text ever says, so such words are *unclear* and no more: worth a second look.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from clew.extraction.facts.reading import FactReply
from clew.extraction.lexicon.types import PERSON

_PERSONAL = frozenset("he she him her himself herself".split())
_NEUTRAL = frozenset("it itself".split())
_SPEAKERS = frozenset("i me myself we us ourselves you yourself".split())
_VAGUE = frozenset("this that these those one ones who whom which both here there".split())
_PRONOUNS = _PERSONAL | _NEUTRAL | _SPEAKERS | _VAGUE | frozenset("they them themselves".split())
_FOREIGN = frozenset("er sie es ihm ihn ihr ihnen il elle ils elles él ella ellos ellas".split())
"""Only where they are written small: ``Ella`` is a name."""
_POSSESSIVES = {"his": _PERSONAL, "her": _PERSONAL, "its": _NEUTRAL, "their": frozenset[str]()}
_POSSESSIVE = re.compile(r"(his|her|its|their)\s+(?=\w)", re.IGNORECASE)
_COMMON = (
    "company|firm|group|agency|organi[sz]ation|film|movie|book|novel|story|album|song|single|band|"
    "team|club|series|show|episode|game|city|town|village|region|country|river|island|building|"
    "bridge|station|ship|school|university|museum|magazine|newspaper|species|family|couple|battle|"
    "event|award|project|product|method|system|model|paper|study|author|president|director|founder"
)
_DEFINITE = re.compile(rf"(?:the|this|that|these|those)\s+(?:{_COMMON}|latter|former)s?")
_LEADING = re.compile(
    r"[\"'“‘(]?(?P<said>(?:He|She|It|They|His|Her|Its|Their|This|That|These|Those|Both)\b"
    rf"(?!-)|(?:The|This|That|These|Those)\s(?:{_COMMON}|latter|former)s?\b(?!\s+of\b))"
)
_FILLER = re.compile(
    r"It (?:is|was|has been|will be|would be)?\s*(?:not )?(?:said|known|believed|thought|possible|"
    r"likely|clear|true|important|necessary|estimated|reported|claimed|rain|snow)|"
    r"That (?:is why|said)\b|This (?:is because)\b"
)


def leading_reference(text: str) -> str:
    """The words at the head of ``text`` that lean on what stands before it, if it has such.

    >>> leading_reference("She left."), leading_reference("The company of Orm left.")
    ('She', '')
    """
    match = _LEADING.match(text)
    return "" if match is None or _FILLER.match(text) else match["said"]


def is_pronoun(name: str) -> bool:
    """Whether ``name`` is one, or begins with one that tells whose it is.

    >>> is_pronoun("She"), is_pronoun("its keel"), is_pronoun("IT"), is_pronoun("Ella")
    (True, True, False, False)
    """
    if len(name) > 1 and name.isupper():
        return False
    word = name.lower()
    return word in _PRONOUNS or name in _FOREIGN or _POSSESSIVE.match(word) is not None


def unclear_in(text: str, facts: Iterable[FactReply]) -> list[str]:
    """The words in a statement and its facts that need something from elsewhere, each once."""
    said = [leading_reference(text)]
    for fact in facts:
        said += [name for name in (fact.subject, fact.object) if _may_clear(name)]
    return list(dict.fromkeys(words for words in said if words))


def with_names(fact: FactReply, named: Sequence[tuple[str, str]]) -> FactReply:
    """Put names in place of pronouns. ``named`` are the (name, type) of the fact's statement."""
    subject = _named(fact.subject, fact.object, named)
    return replace(fact, subject=subject, object=_named(fact.object, subject, named))


def _named(name: str, other: str, named: Sequence[tuple[str, str]]) -> str:
    if not name or not is_pronoun(name):
        return name
    possessive = _POSSESSIVE.match(name)
    word = (possessive[1] if possessive else name).lower()
    kinds = _POSSESSIVES.get(word, frozenset({word})) if possessive else frozenset({word})
    candidates = [
        thing
        for thing, kind in named
        if thing != other and not is_pronoun(thing) and _fits(kinds, kind)
    ]
    if len(candidates) != 1 or not (possessive or word in _PERSONAL | _NEUTRAL):
        return name
    return f"{candidates[0]}'s {name[possessive.end() :]}" if possessive else candidates[0]


def _fits(words: frozenset[str], kind: str) -> bool:
    """Whether a thing of this type may be meant; one without a type may be anything."""
    if not kind or not words:
        return True
    if words <= _PERSONAL:
        return kind == PERSON
    return kind != PERSON and kind not in {"DATE", "QUANTITY", "CONCEPT"}


def _may_clear(name: str) -> bool:
    """Whether what stands before may tell whom ``name`` means; who "we" are it seldom says."""
    if is_pronoun(name):
        return name.lower() not in _SPEAKERS | _VAGUE
    return _DEFINITE.fullmatch(name[:1].lower() + name[1:]) is not None
