"""What the preposition before a span makes of it: where it was, whence it came, whom it was for.

*The printer in the small office broke* does not say that the office broke, and *He bought it from
his uncle* not that the uncle bought it. A question may name the preposition itself: "FOR whom",
"built FROM".
"""

from __future__ import annotations

from itertools import pairwise

from clew.answering.candidates import VALUE_FORMS, Candidate
from clew.answering.clause_subjects import OWNERS, finite_in
from clew.answering.evidence import Sentence, cached_tokens
from clew.answering.frames import Role, is_verb_at, role_of, says_where
from clew.answering.noun_phrases import is_noun_like
from clew.answering.study import Study
from clew.retrieval.question.lexicon import BE, DETERMINERS, PREPOSITIONS
from clew.retrieval.question.records import AnswerType, Slot
from clew.retrieval.question.tokens import Token, stem_of

_RECEIVING = frozenset({"to", "for", "with", "from"})
_AROUND = frozenset("to from for with in at on near into onto against".split())
_OF_PLACE = PREPOSITIONS - {"by", "of", "for", "as", "like", "than", "during", "until", "since"}
_BACK = frozenset("from before original originally first initially former formerly old".split())
_STRANDED = frozenset({"from", "of", "with", "to", "for", "in", "on", "under"})
_STRANDABLE = frozenset({Slot.WHO, Slot.WHOM, Slot.WHEN, Slot.WHERE, Slot.WHAT, Slot.WHICH})
_GOAL_REACH = 6


def is_giver(study: Study, candidate: Candidate) -> bool:
    """Who did it, where the question asks TO whom it was done."""
    if study.governing_word not in _RECEIVING:
        return False
    sentence = candidate.sentence
    return any(
        role_of(sentence.tokens, verb, candidate.first, candidate.last) == Role.AGENT
        for verb in study.asked_verbs(sentence)
    )


def is_doer(study: Study, candidate: Candidate) -> bool:
    """ "By the committee" where the question asks at what place."""
    return study.question.slot == Slot.WHERE and any(
        role_of(candidate.sentence.tokens, at, candidate.first, candidate.last) == Role.AGENT
        and word_before(candidate.sentence.tokens, candidate.first) == "by"
        for at in study.asked_verbs(candidate.sentence)
    )


def is_nowhere(study: Study, candidate: Candidate) -> bool:
    """What is no place by its own kind and stands behind no word of place, where the question asks
    where: "Arne" of "Nils works at the bank, and Arne wants to paint". A row of a table needs none,
    nor does what a mark sets off: "(12 May 1910, Dale – 1980)".
    """
    if study.question.slot != Slot.WHERE or study.question.focus:
        return False
    if candidate.kinds.get(AnswerType.PLACE, 0.0) > 0:
        return False
    tokens = candidate.sentence.tokens
    if not any(is_verb_at(tokens, at) or token.lower in BE for at, token in enumerate(tokens)):
        return False
    if not any(character.isalpha() for character in candidate.text):
        return True
    if candidate.first and not tokens[candidate.first - 1].is_word:
        return any(finite_in(candidate.sentence.text)[candidate.last : candidate.last + 2])
    return word_before(tokens, candidate.first) not in _OF_PLACE


def is_around(study: Study, candidate: Candidate) -> bool:
    """ "In the small office" before "broke", where the question asks what broke; "from his uncle"
    behind "bought", where it asks who did.
    """
    asked = study.asked_role
    if asked == Role.NONE or study.governing_word in PREPOSITIONS - {"by"}:
        return False
    tokens = candidate.sentence.tokens
    focus = study.question.focus
    if focus and stem_of(focus) in candidate.stems:
        return False
    verbs = study.asked_verbs(candidate.sentence)
    if not verbs:
        return False
    if all(candidate.last <= at for at in verbs):
        return says_where(tokens, candidate.first)
    is_behind = asked == Role.AGENT and all(at < candidate.first for at in verbs)
    return is_behind and word_before(tokens, candidate.first) in _AROUND


def is_origin(study: Study, candidate: Candidate) -> bool:
    """ "From Bruges" where the question asks whither, "from 64 MB" where it asks what is now: the
    sentence says that too.
    """
    question = study.question
    is_place = question.slot == Slot.WHERE or AnswerType.PLACE in question.types
    is_value = AnswerType.NUMBER in question.types and candidate.form in VALUE_FORMS
    tokens = candidate.sentence.tokens
    if not (is_place or is_value) or word_before(tokens, candidate.first) != "from":
        return False
    if any(token.lower in _BACK for token in cached_tokens(question.text)):
        return False
    behind = tokens[candidate.last : candidate.last + _GOAL_REACH]
    return any(
        token.lower == "to" and (following.is_number if is_value else following.is_capital)
        for token, following in pairwise(behind)
    )


def is_without_preposition(study: Study, candidate: Candidate) -> bool:
    """For "what was it built FROM" and "FOR whom": what does not stand behind that word, where
    something in its sentence, or in one with the verb, does.
    """
    words = [token.lower for token in cached_tokens(study.question.text) if token.is_word]
    asked = words[-1] if words and words[-1] in _STRANDED else study.governing_word
    if asked not in _STRANDED or study.question.slot not in _STRANDABLE:
        return False
    sentence = candidate.sentence
    if study.asked_verbs(sentence):
        said = _follows_verb(study, sentence, asked)
    else:
        passage = study.evidence.passage_of(sentence)
        said = any(_follows_verb(study, other, asked) for other in passage.sentences)
    return said and _before_noun(sentence.tokens, candidate.first) != asked


def _follows_verb(study: Study, sentence: Sentence, word: str) -> bool:
    return any(
        token.lower == word
        for at in study.asked_verbs(sentence)
        for token in sentence.tokens[at + 1 :]
    )


def _before_noun(tokens: tuple[Token, ...], first: int) -> str:
    """The word before a span, its title and its determiner: "FOR the brewer Karel Smit"."""
    at = first - 1
    while at > 0 and (is_noun_like(tokens, at) or tokens[at].lower in DETERMINERS | OWNERS):
        at -= 1
    return tokens[at].lower if at >= 0 else ""


def word_before(tokens: tuple[Token, ...], first: int) -> str:
    """The word before a span and its determiner or owner."""
    at = first - 1
    while at > 0 and tokens[at].lower in DETERMINERS | OWNERS:
        at -= 1
    return tokens[at].lower if at >= 0 else ""
