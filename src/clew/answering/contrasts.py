"""Whether a sentence tells it of another thing than the one asked about, where the text knows both.

*The shed was repaired for 240 pounds* does not tell what the seeds cost, of which the next
sentence speaks; *Passenger trains ended in 1930, goods trains in 1936* has a year for each. No
parser: what stands before the verb that governs a span is its subject, and two subjects are two
things where they are one and many, where one sentence has them both, where both are names, or where
each has its own word before the same noun. Less than that is taken for another word for the same
thing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from clew.answering.asked_things import asked_object, asked_subject
from clew.answering.candidates import VALUE_FORMS, Candidate
from clew.answering.clause_subjects import (
    CLAUSES,
    JOINS,
    PARTS,
    SPEAKERS,
    Phrase,
    finite_in,
    subject_in,
)
from clew.answering.evidence import Sentence, cached_tokens
from clew.answering.frames import Role, is_verb_form
from clew.answering.prepositions import word_before
from clew.answering.study import Study
from clew.retrieval.question.lexicon import BE, DETERMINERS, FUNCTION_WORDS
from clew.retrieval.question.records import Question, Slot
from clew.retrieval.question.relations import alternatives
from clew.retrieval.question.tokens import Token
from clew.retrieval.question.wh import is_plural

_SLOTS = frozenset({Slot.WHEN, Slot.WHERE, Slot.HOW_MUCH, Slot.HOW_MANY, Slot.MEASURE, Slot.HOW})
_SAME = frozenset({"(", "as", "became", "become", "becomes", "called", "named", "or"})
_FURTHER = frozenset("second third fourth fifth another other further previous".split())


def is_told_of_another(study: Study, candidate: Candidate) -> bool:
    """Whether the subject of the clause that a span stands in is another thing than the subject of
    the question, and both are things of the passage.
    """
    sentence = candidate.sentence
    if study.bridged(sentence) > 0:
        return False
    told = subject_in(sentence.text, candidate.first, candidate.last)
    others = study.evidence.passage_of(sentence).sentences
    if _is_contrasted(study.question, candidate, told, others) or _is_further(study, told):
        return True
    if study.asked_role == Role.AGENT and _is_done_to_other(study, candidate, others):
        return True
    if study.question.slot not in _SLOTS and candidate.form not in VALUE_FORMS:
        return False
    asked = asked_subject(study.question)
    if asked is None or told is None or asked.stems <= told.stems:
        return False
    return not _is_same_noun(asked, told) and _are_two(asked, told, candidate, others)


def _is_same_noun(asked: Phrase, told: Phrase) -> bool:
    stem = asked.head.stem
    return stem == told.head.stem or told.head.stem in alternatives(stem) or stem in told.stems


def _is_done_to_other(study: Study, candidate: Candidate, others: Sequence[Sentence]) -> bool:
    """ "The catalogue was edited by Paula Reyes" where it is asked who edited the films."""
    tokens = candidate.sentence.tokens
    asked = asked_object(study.question)
    if asked is None or asked.is_name or word_before(tokens, candidate.first) != "by":
        return False
    told = subject_in(candidate.sentence.text, candidate.first, candidate.last)
    if told is None or asked.stems & told.stems or _is_same_noun(asked, told):
        return False
    return _are_two(asked, told, candidate, others)


def _is_further(study: Study, told: Phrase | None) -> bool:
    """ "A SECOND trial will be led by Anna Lindh" where it is asked who led the trial."""
    asked = cached_tokens(study.question.text)
    if told is None or all(token.stem != told.head.stem for token in asked):
        return False
    further = _FURTHER & {token.lower for token in told.modifiers}
    return bool(further) and not _FURTHER & {token.lower for token in asked}


def _is_contrasted(
    question: Question, candidate: Candidate, told: Phrase | None, others: Sequence[Sentence]
) -> bool:
    """ "Standard delivery takes three days" where express delivery is asked about, of which the
    text speaks too; "head of research" where it is the head of sales.
    """
    tokens = candidate.sentence.tokens
    near = list(pairwise(_segment(tokens, candidate)))
    if told is not None:
        near += pairwise(told.words)
    asked = cached_tokens(question.text)
    for modifier, noun in pairwise(asked):
        is_phrase = _is_common(modifier) and _is_common(noun) and not is_verb_form(noun.lower)
        if not is_phrase or noun.is_capital:
            continue
        mine = [(before, one) for before, one in near if one.stem == noun.stem or _stands_for(one)]
        if not mine or any(before.stem == modifier.stem for before, _ in mine):
            continue
        differs = all(_is_common(before) for before, _ in mine)
        if differs and any(_says_pair(one, modifier, noun) for one in others):
            return True
    return any(
        noun.stem == other.stem and _is_common(noun) and what.stem != of_what.stem
        for noun, what in _of_pairs(asked)
        for other, of_what in _of_pairs(tokens)
        if all(what.stem != token.stem for token in tokens)
    )


def _segment(tokens: Sequence[Token], candidate: Candidate) -> Sequence[Token]:
    """The words around a span, up to what parts the items of a list."""
    low, high = candidate.first, candidate.last
    while low > 0 and tokens[low - 1].lower not in PARTS | JOINS:
        low -= 1
    while high < len(tokens) and tokens[high].lower not in PARTS | JOINS:
        high += 1
    return tokens[low:high]


def _is_common(token: Token) -> bool:
    return bool(token.stem) and token.lower not in FUNCTION_WORDS and not token.is_number


def _stands_for(token: Token) -> bool:
    """ "The lower ONES"."""
    return token.text in {"one", "ones"}


def _says_pair(sentence: Sentence, modifier: Token, noun: Token) -> bool:
    return any(
        before.stem == modifier.stem and (one.stem == noun.stem or _stands_for(one))
        for before, one in pairwise(sentence.tokens)
    )


def _of_pairs(tokens: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    """Yield "head" and "sales" of "head of sales", where no name or article stands there."""
    for noun, of, what in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if of.lower == "of" and _is_common(what) and not (noun.is_capital or what.is_capital):
            yield noun, what


def _are_two(asked: Phrase, told: Phrase, candidate: Candidate, others: Sequence[Sentence]) -> bool:
    stem = asked.head.stem
    near = _clause(candidate)
    if not stem or any(token.stem in asked.stems for token in near):
        return False
    known = any(stem == token.stem for one in others for token in one.tokens)
    if known and told.head.lower in SPEAKERS:
        return not asked.is_name
    if not known or asked.is_name != told.is_name:
        return False
    if asked.is_name:
        return not (asked.stems & told.stems)
    if is_plural(asked.head.lower) != is_plural(told.head.lower):
        return True
    return any(_has_both(one, stem, told.head.stem) for one in others)


def _has_both(sentence: Sentence, one: str, other: str) -> bool:
    """Two things of one sentence, which does not say that they are the same."""
    tokens = sentence.tokens
    places = [at for at, token in enumerate(tokens) if token.stem in {one, other}]
    if len({tokens[at].stem for at in places}) < 2:
        return False
    between = tokens[min(places) + 1 : max(places)]
    words = [token.lower for token in between if token.lower not in DETERMINERS]
    is_said = words and words[0] in BE and not any(is_verb_form(word) for word in words)
    is_apposed = words == [","] and between[-1].lower in DETERMINERS
    return not (is_said or is_apposed or any(word in _SAME for word in words))


def _clause(candidate: Candidate) -> Sequence[Token]:
    """The words around a span, up to what parts clauses and to the verb after the one that governs
    it.
    """
    tokens, finite = candidate.sentence.tokens, finite_in(candidate.sentence.text)
    low, high = candidate.first, candidate.last
    while low > 0 and tokens[low - 1].lower not in CLAUSES:
        low -= 1
    verbs = int(any(finite[low : candidate.first]))
    while high < len(tokens) and tokens[high].lower not in CLAUSES:
        verbs += finite[high] and not finite[high - 1]
        is_next = verbs > 0 and tokens[high].text == "," and _follows(tokens, high) in DETERMINERS
        if verbs > 1 or is_next:
            break
        high += 1
    return tokens[low:high]


def _follows(tokens: Sequence[Token], at: int) -> str:
    """The word behind a comma and its "and"."""
    behind = [token.lower for token in tokens[at + 1 : at + 3]]
    return next((word for word in behind if word not in JOINS), "")
