"""The subject of the clause that a span stands in, as far as word order tells it.

No parser: what stands before the verb that governs a span is its subject; a verb without one of its
own has that of the verb before ("opened and CLOSED"); and a later part of a sentence may leave out
the verb of the first ("passenger trains ended in 1930, GOODS TRAINS in 1936").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from clew.answering.evidence import cached_tokens
from clew.answering.frames import is_verb_at
from clew.answering.noun_phrases import is_noun_like
from clew.extraction.lexicon import is_common
from clew.retrieval.question.lexicon import (
    AUXILIARIES,
    BE,
    DETERMINERS,
    FUNCTION_WORDS,
    HAVE,
    NUMBER_WORDS,
    PREPOSITIONS,
    PRONOUNS,
)
from clew.retrieval.question.tokens import Token
from clew.retrieval.question.wh import is_plural

CLAUSES = frozenset({";", ":", "but", "while", "whereas", "so", "because", "if"})
PARTS = CLAUSES | {",", "(", ")"}
RELATIVE = frozenset({"who", "which", "that", "where", "when", "whose"})
JOINS = frozenset({"and", "or", "then"})
SPEAKERS = frozenset({"i", "we", "you"})
OWNERS = frozenset("his her its their our my your".split())
MODALS = frozenset("must may shall should can could will would might".split())
_AFTER_VERB = frozenset({*NUMBER_WORDS, *DETERMINERS, "to"})
_ADVERBS = frozenset("not never also still first then now again soon later only".split())


@dataclass(frozen=True, slots=True)
class Phrase:
    """A subject: all its words, and of its own noun the words before it."""

    words: tuple[Token, ...]
    head: Token
    modifiers: tuple[Token, ...]

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(token.stem for token in self.words) - {""}

    @property
    def is_name(self) -> bool:
        """Whether the capital letter is the noun's own and not that of the sentence."""
        head = self.head
        return head.is_capital and not (head.start == 0 and is_common(head.lower))


@lru_cache(maxsize=65536)
def subject_in(text: str, first: int, last: int) -> Phrase | None:
    """What stands before the verb that governs the tokens ``first`` to ``last`` of a sentence; None
    where that is a pronoun, or where no verb is known.
    """
    tokens, finite = cached_tokens(text), finite_in(text)
    shared = _elliptic(tokens, finite, first)
    if shared is not None:
        return shared
    verbs = [at for at, is_finite in enumerate(finite) if is_finite]
    before = [at for at in verbs if at < first]
    if before:
        return _before_verb(tokens, finite, before, 0)
    end = next((at for at in range(last, len(tokens)) if tokens[at].lower in CLAUSES), len(tokens))
    after = [at for at in verbs if last <= at < end]
    is_inside = last < len(tokens) and tokens[last].lower in PREPOSITIONS
    return _before_verb(tokens, finite, after[:1], last) if after and not is_inside else None


@lru_cache(maxsize=16384)
def finite_in(text: str) -> tuple[bool, ...]:
    """For each token of a sentence whether it is a finite verb: a past, a form of be or have, a
    modal, or what ends like "takes" between a noun and an amount or "to".
    """
    tokens = cached_tokens(text)
    return tuple(_is_finite(tokens, at) for at in range(len(tokens)))


def _is_finite(tokens: tuple[Token, ...], at: int) -> bool:
    token = tokens[at]
    if is_verb_at(tokens, at) or token.lower in BE | HAVE | MODALS:
        return True
    if not token.lower.endswith("s") or token.is_capital or not 0 < at < len(tokens) - 1:
        return False
    before, behind = tokens[at - 1], tokens[at + 1]
    follows = behind.is_number or behind.lower in _AFTER_VERB
    noun = is_noun_like(tokens, at - 1) and not is_plural(before.lower)
    is_apposed = before.text == "," and at > 1 and tokens[at - 2].is_capital
    return follows and (noun or is_apposed or before.lower in JOINS)


def _elliptic(tokens: tuple[Token, ...], finite: tuple[bool, ...], first: int) -> Phrase | None:
    """ "Passenger trains ended in 1930, GOODS TRAINS in 1936", "and THE ORDINARY RED 9": a subject
    whose verb was said.
    """
    at = first - 1
    while at >= 0 and tokens[at].lower in DETERMINERS:
        at -= 1
    is_bare = at >= 0 and tokens[at].lower not in PREPOSITIONS
    if at < 1 or (is_bare and not tokens[first].is_number):
        return None
    start = end = first if is_bare else at
    while start > 0 and is_noun_like(tokens, start - 1) and not finite[start - 1]:
        start -= 1
    opening = start
    while opening > 0 and tokens[opening - 1].lower in DETERMINERS:
        opening -= 1
    is_lone = opening == start and (is_bare or end - start == 1)
    if start == end or is_lone:
        return None
    is_apart = opening > 0 and tokens[opening - 1].text in {",", ";", "and", "but"}
    if not (is_apart and any(finite[:opening])):
        return None
    words = tokens[start:end]
    return Phrase(words, words[-1], words[:-1])


def _before_verb(
    tokens: tuple[Token, ...], finite: tuple[bool, ...], verbs: Sequence[int], least: int
) -> Phrase | None:
    """The subject of the last of ``verbs``; where it has none of its own ("opened and CLOSED"), of
    the one before.
    """
    verb = verbs[-1]
    end = verb
    while end > least and _is_adverb(tokens[end - 1]):
        end -= 1
    start = end
    while start > least and not _opens(tokens, start - 1, verbs[:-1]):
        start -= 1
    if start > least and tokens[start - 1].lower in RELATIVE:
        return _antecedent(tokens, start - 1) if tokens[start - 1].lower == "who" else None
    words = tokens[start:end]
    if not words:
        apposed = _apposed(tokens, finite, end, least)
        if apposed is not None:
            return apposed
        return _before_verb(tokens, finite, verbs[:-1], least) if len(verbs) > 1 else None
    return _phrase(words)


def _antecedent(tokens: tuple[Token, ...], who: int) -> Phrase | None:
    """The name before "who": of "Rui's daughter Teresa, who studied" it is Teresa."""
    end = who
    if end and tokens[end - 1].text == ",":
        end -= 1
    start = end
    while start > 0 and tokens[start - 1].is_capital:
        start -= 1
    words = tokens[start:end]
    return Phrase(words, words[-1], words[:-1]) if words else None


def _opens(tokens: Sequence[Token], at: int, verbs: Sequence[int]) -> bool:
    """Whether a clause begins behind ``tokens[at]``."""
    word = tokens[at].lower
    if at in verbs or word in PARTS | RELATIVE:
        return True
    return word in JOINS and any(verb < at for verb in verbs)


def _apposed(
    tokens: tuple[Token, ...], finite: tuple[bool, ...], end: int, least: int
) -> Phrase | None:
    """ "The contractor, Peter Rennie of Keith, went": what is between commas and before them."""
    if end - 1 <= least or tokens[end - 1].text != ",":
        return None
    start = end - 1
    commas = 0
    while start > least and not (finite[start - 1] or tokens[start - 1].text in ";:("):
        start -= 1
        commas += tokens[start].text == ","
        if commas > 1:
            break
    words = tuple(t for t in tokens[start:end] if is_noun_like((t,), 0))
    capital = [t for t in words if t.is_capital and t.start > 0]
    if not capital and commas == 1 and words:
        return Phrase(words, words[-1], words[:-1])
    if not words or not capital:
        return None
    return Phrase(words, capital[-1], ())


def _phrase(words: tuple[Token, ...]) -> Phrase | None:
    if len(words) == 1 and words[0].lower in SPEAKERS:
        return Phrase(words, words[0], ())
    if any(token.lower in PRONOUNS for token in words):
        return None
    at = 0
    if words[0].lower in PREPOSITIONS:
        at = next((i for i, t in enumerate(words) if i and t.lower in DETERMINERS), len(words))
    while at < len(words) and words[at].lower in DETERMINERS | JOINS:
        at += 1
    end = at
    while end < len(words) and is_noun_like(words, end):
        end += 1
    if end == at or (at and words[at - 1].lower in OWNERS):
        return None
    own = words[at:end]
    every = tuple(token for token in words[at:] if token.lower not in FUNCTION_WORDS)
    return Phrase(every, own[-1], own[:-1])


def _is_adverb(token: Token) -> bool:
    return token.lower in AUXILIARIES | BE | HAVE | _ADVERBS or token.lower.endswith("ly")
