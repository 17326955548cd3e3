"""A question with a description in it, as two questions.

"Where was the man born who took H4 to Jamaica?" asks who took H4 to Jamaica, and where that one was
born. The inner question is answered first; its answer takes the place of the description. Both
readings rest on the same evidence, and the answer cites what either rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from clew.answering.candidates import Candidate
from clew.answering.clause_ends import clause_end
from clew.answering.converse import converse_of
from clew.answering.evidence import Sentence
from clew.answering.frames import is_verb
from clew.answering.study import Study
from clew.answering.support import Finding, distinct
from clew.answering.things import Subject, plain
from clew.retrieval.question import Question, Slot, analyse_question
from clew.retrieval.question.lexicon import (
    AUXILIARIES,
    FUNCTION_WORDS,
    NOUN_TYPES,
    PERSONAL_PRONOUNS,
    PREPOSITIONS,
)
from clew.retrieval.question.records import AnswerType
from clew.retrieval.question.relations import relations_of_word
from clew.retrieval.question.tokens import Token, tokenise
from clew.retrieval.question.wh import noun_types, singular

Find = Callable[[Study], Finding | None]

_RELATIVES = frozenset("who that which whose whom where".split())
_ANYONE = frozenset("individual man woman person one boy girl somebody someone people".split())
_LONGEST = 6  # words between the article and the relative pronoun
_INVERTED = AUXILIARIES - frozenset("be been being do does did".split())
_LEAST_CLAUSE = 2
_LEAST_KIND = 0.25
_LONGEST_NAME = 60  # characters
_SURE_KIND = 0.7


@dataclass(frozen=True, slots=True)
class Nested:
    """``inner`` asks what the description describes; the answer stands between ``before`` and
    ``behind`` in the question that is left.
    """

    inner: str
    noun: str
    before: str
    behind: str

    def outer(self, name: str) -> str:
        return f"{self.before}{name}{self.behind}?"


def nested_in(question: Question, named: Sequence[tuple[int, int]] = ()) -> Nested | None:
    """Take apart "… the NOUN (verb) who … (verb …)"; ``named`` are spans of names, which are not
    taken apart.
    """
    if question.slot in {Slot.YES_NO, Slot.COMPARISON} or not question.wh:
        return None
    tokens = tokenise(question.text)
    asks = next(i for i, token in enumerate(tokens) if token.start >= question.wh_start)
    for at in _relatives(tokens, asks):
        if any(start <= tokens[at].start < end for start, end in named):
            continue
        if (found := _taken_apart(question.text, tokens, at, asks)) is not None:
            return found
    return None


def _taken_apart(text: str, tokens: Sequence[Token], at: int, asks: int) -> Nested | None:
    """The question as two at the relative pronoun ``at``."""
    led = at - 1 if tokens[at - 1].lower in PREPOSITIONS else at
    article = _article(tokens, led)
    noun_end = _noun_end(tokens, article + 1, led)
    if article < 0 or noun_end <= article + 1 or tokens[noun_end - 1].is_capital:
        return None
    end = len(tokens)
    if noun_end == led:
        end = clause_end(tokens, article, at, asks)
    if at < asks and end == len(tokens):
        return None
    words = {token.lower for token in tokens[at + 1 : end]}
    if words & PERSONAL_PRONOUNS and at > min(_relatives(tokens, asks)):
        return None
    stop = tokens[end].start if end < len(tokens) else len(text)
    clause = text[tokens[at].end : stop].strip().rstrip("?., ")
    if len(clause.split()) < _LEAST_CLAUSE:
        return None
    noun = text[tokens[article + 1].start : tokens[noun_end - 1].end]
    verb = text[tokens[noun_end - 1].end : tokens[led].start].rstrip(" ,")
    rest = text[stop:].rstrip("?. ")
    preposition = tokens[led].lower if led < at else ""
    inner = _inner(tokens, at, noun, clause, preposition)
    gap = " " if rest and rest[0].isalnum() else ""
    return Nested(inner, noun, text[: tokens[article].start], f"{verb}{gap}{rest}")


def _relatives(tokens: Sequence[Token], asks: int) -> list[int]:
    """The relative pronouns, the innermost first."""
    return [
        at
        for at in range(len(tokens) - 2, 0, -1)
        if at != asks
        and tokens[at].lower in _RELATIVES
        and (tokens[at].lower != "that" or _opens_clause(tokens, at))
    ]


def _opens_clause(tokens: Sequence[Token], at: int) -> bool:
    """ "the ship that sank", not "that ship": a noun or a verb stands before."""
    return bool(tokens[at - 1].stem) and tokens[at - 1].lower not in FUNCTION_WORDS


def _article(tokens: Sequence[Token], end: int) -> int:
    """The article of the noun that the clause describes."""
    for at in range(end - 1, max(end - _LONGEST, 0) - 1, -1):
        if tokens[at].lower in {"the", "a", "an"}:
            return at
        if not tokens[at].is_word:
            return -1
    return -1


def _noun_end(tokens: Sequence[Token], first: int, end: int) -> int:
    """Behind the noun; a verb may stand between it and the clause: "the man BORN who"."""
    for at in range(first + 1, end):
        word = tokens[at].lower
        is_noun = singular(word) in NOUN_TYPES
        if word in FUNCTION_WORDS or is_verb(tokens[at]):
            return at
        if relations_of_word(word) and not is_noun and at == end - 1:
            return at
    return end


def _inner(tokens: Sequence[Token], at: int, noun: str, clause: str, preposition: str) -> str:
    word = tokens[at].lower
    if word == "whose":
        return f"Whose {clause}?"
    if preposition or word == "where":
        return f"{(preposition or 'in').capitalize()} which {noun} {_inverted(clause)}?"
    following = tokens[at + 1]
    does = following.lower in AUXILIARIES or is_verb(following) or _is_adverb(tokens, at + 1)
    if not does:
        return f"Which {noun} did {clause}?"
    if noun in _ANYONE:
        return f"Who {clause}?"
    return f"Which {noun} {clause}?"


def _inverted(clause: str) -> str:
    """ "Norr is located" as it stands in a question: "is Norr located"."""
    words = clause.split()
    at = next((i for i, word in enumerate(words) if word.casefold() in _INVERTED), -1)
    if at < 1:
        return f"did {clause}"
    return " ".join((words[at], *words[:at], *words[at + 1 :]))


def _is_adverb(tokens: Sequence[Token], at: int) -> bool:
    return tokens[at].lower in {"later", "first", "once", "also"} or (
        tokens[at].lower.endswith("ly") and not tokens[at].is_capital
    )


def answer_nested(
    study: Study, find: Find, is_sure: Callable[[Study, Finding], bool]
) -> Finding | None:
    """Answer the inner question, then the outer one; None where either is not sure."""
    if any(plan.unexplained == 0 and trails for plan, trails in study.trails):
        return None
    named = [(anchor.start, anchor.end) for anchor in study.anchors]
    nested = nested_in(study.question, named)
    if nested is None:
        return None
    inner = _surely(study, nested.inner, find, is_sure)
    if inner is None or not _leads_on(study, inner, nested.noun):
        return None
    outer = _surely(study, nested.outer(inner.text), find, is_sure)
    if outer is None or not outer.typed or plain(outer.text) in plain(inner.text):
        return None
    if not _is_said_of(study, outer, inner.text):
        return None
    return replace(
        outer,
        method="nested",
        sentences=distinct([*inner.sentences, *outer.sentences]),
        certainty=min(inner.certainty, outer.certainty),
        candidate=None,
        trace={**outer.trace, "inner": nested.inner, "through": inner.text},
    )


def _surely(
    study: Study, text: str, find: Find, is_sure: Callable[[Study, Finding], bool]
) -> Finding | None:
    for said in (text, *converse_of(text)):
        asked = study.asking(analyse_question(said))
        found = find(asked)
        if found is not None and is_sure(asked, found):
            return found
    return None


def _is_said_of(study: Study, outer: Finding, name: str) -> bool:
    """Whether the sentence of the answer speaks of the thing of that name."""
    if outer.candidate is None:
        return True
    return (
        Subject(study.directory, study.directory.thing(name)).strength(outer.candidate.sentence) > 0
    )


def _leads_on(study: Study, inner: Finding, noun: str) -> bool:
    """Whether another question can be asked about the inner answer."""
    if inner.candidate is not None:
        return leads_on(study, inner.candidate, noun)
    return _is_name(inner.text, study.question) and _is_spoken_of(
        study, inner.text, inner.sentences
    )


def leads_on(study: Study, inner: Candidate, noun: str) -> bool:
    """Whether another question can be asked about the answer to what the clause about ``noun``
    asks: it is a name of that kind, not in the question, and the evidence says more of it.
    """
    return (
        _is_name(inner.text, study.question)
        and _may_be(inner, noun)
        and _is_spoken_of(study, inner.text, (inner.sentence,))
    )


def _is_name(inner: str, question: Question) -> bool:
    """A thing that another question can be asked about, and not one that this one names."""
    words = plain(inner)
    return bool(words) and len(words) < _LONGEST_NAME and words not in plain(question.text)


def _may_be(inner: Candidate, noun: str) -> bool:
    """Whether the inner answer can be what the description calls it: no person is a table."""
    kinds = inner.kinds
    wanted = set(noun_types(noun.rsplit(maxsplit=1)[-1].casefold()))
    if wanted - {AnswerType.OTHER}:
        return not kinds or any(kinds.get(kind, 0.0) > _LEAST_KIND for kind in wanted)
    return kinds.get(AnswerType.PERSON, 0.0) < _SURE_KIND


def _is_spoken_of(study: Study, inner: str, used: Sequence[Sentence]) -> bool:
    """Whether the evidence says more of it than the sentence that it was found in."""
    thing = study.directory.thing(inner)
    numbers = {sentence.number for sentence in used[-1:]}
    return bool(thing.about) or any(
        study.directory.mentions(sentence, thing)
        for sentence in study.evidence.sentences
        if sentence.number not in numbers
    )
