"""What a question asks about: its subject, what something was done to, and the deed.

"How much did THE SEEDS COST", "who designed THE FERRY", "what does Mama TEACH". Read from the place
of the auxiliary; questions of another form have none of them.
"""

from __future__ import annotations

from functools import lru_cache

from clew.answering.clause_subjects import MODALS, OWNERS, RELATIVE, Phrase
from clew.answering.evidence import cached_tokens
from clew.answering.frames import is_verb_at
from clew.answering.noun_phrases import is_noun_like
from clew.retrieval.question.lexicon import (
    AUXILIARIES,
    BE,
    DETERMINERS,
    DO,
    FUNCTION_WORDS,
    HAVE,
    PRONOUNS,
)
from clew.retrieval.question.records import Question
from clew.retrieval.question.tokens import Token


@lru_cache(maxsize=1024)
def asked_subject(question: Question) -> Phrase | None:
    """What stands behind the auxiliary: "did THE SEEDS cost", "was THE FURNACE built"."""
    tokens = cached_tokens(question.text)
    at = _asking(question)
    verb = next(
        (i for i in range(at + 1, len(tokens)) if tokens[i].lower in AUXILIARIES | BE | HAVE), -1
    )
    if at < 0 or verb < 0:
        return None
    first = verb + 1
    while first < len(tokens) and tokens[first].lower in DETERMINERS:
        first += 1
    if first < len(tokens) and tokens[first].lower in OWNERS | PRONOUNS:
        return None
    name = next(
        (
            n
            for n in question.names
            if first < len(tokens) and n.start <= tokens[first].start < n.end
        ),
        None,
    )
    if name is not None:
        words = tuple(t for t in tokens if name.start <= t.start < name.end and t.is_word)
        return Phrase(words, words[-1], words[:-1])
    end = first
    while is_noun_like(tokens, end) and not is_verb_at(tokens, end):
        end += 1
    if tokens[verb].lower in DO | MODALS and end - first > 1 and not _goes_on(tokens, end):
        end -= 1
    words = tokens[first:end]
    is_described = end < len(tokens) and tokens[end].lower in RELATIVE
    return Phrase(words, words[-1], words[:-1]) if words and not is_described else None


@lru_cache(maxsize=1024)
def asked_object(question: Question) -> Phrase | None:
    """What somebody did something to: "who designed THE FERRY"."""
    tokens = cached_tokens(question.text)
    at = _asking(question)
    first = at + 2
    if at < 0 or first >= len(tokens) or tokens[first].lower not in DETERMINERS:
        return None
    end = first = first + 1
    while is_noun_like(tokens, end) and not is_verb_at(tokens, end):
        end += 1
    words = tokens[first:end]
    is_described = end < len(tokens) and tokens[end].lower in RELATIVE | {"of"}
    return Phrase(words, words[-1], words[:-1]) if words and not is_described else None


@lru_cache(maxsize=1024)
def asked_deed(question: Question) -> Token | None:
    """The verb behind a form of "do" and its subject: "what does Mama TEACH", "how much does it
    cost to RETURN goods"; None for questions of another form.
    """
    tokens = cached_tokens(question.text)
    at = _asking(question)
    does = next((i for i in range(at + 1, len(tokens)) if tokens[i].lower in DO), -1)
    if at < 0 or does < 0:
        return None
    behind = tokens[does + 1 :]
    if behind and behind[0].lower == "it":
        to = next((i for i, token in enumerate(behind) if token.lower == "to"), -1)
        return behind[to + 1] if 0 < to < len(behind) - 1 else None
    subject = asked_subject(question)
    if subject is None:
        return None
    rest = [token for token in behind if token.start >= subject.words[-1].end]
    return rest[0] if rest and rest[0].is_word and rest[0].lower not in FUNCTION_WORDS else None


def _asking(question: Question) -> int:
    """The token that asks; -1 where none does."""
    tokens = cached_tokens(question.text)
    return next((at for at, token in enumerate(tokens) if token.start == question.wh_start), -1)


def _goes_on(tokens: tuple[Token, ...], end: int) -> bool:
    """Whether the verb of the question is still to come."""
    return any(is_noun_like(tokens, at) for at in range(end, len(tokens))) and (
        end < len(tokens) and tokens[end].lower == "of"
    )
