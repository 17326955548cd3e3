"""What stands beside a question and cannot answer it, however much of it is said around.

A text that tells of a thing is often asked what it does not tell. The best span there is then
belongs to something else: to another sort of thing, to somebody else's deed, to a sentence that
says no word of what is asked. Such a finding keeps so little of its strength that it is refused.
"""

from __future__ import annotations

from itertools import pairwise

from clew.answering.alignment import has_own_subject, is_in_other_part
from clew.answering.attachment import is_denied
from clew.answering.candidates import VALUE_FORMS, Candidate, Form
from clew.answering.contrasts import is_told_of_another
from clew.answering.dimensions import is_duration
from clew.answering.elsewhere import is_elsewhere
from clew.answering.frames import (
    Role,
    is_verb,
    is_verb_form,
    role_of,
)
from clew.answering.lexicon.instances import is_closed, is_instance
from clew.answering.loudness import is_quiet
from clew.answering.noun_phrases import is_noun_like
from clew.answering.opposites import opposites_of
from clew.answering.prepositions import is_giver
from clew.answering.spans import LEAST_KIND, kind_agreement
from clew.answering.study import Study
from clew.answering.subjects import (
    acts_on_another,
    is_before_another,
    is_done_by_other,
    is_of_another_subject,
    is_said_of_another,
)
from clew.answering.support import Finding
from clew.answering.verb_dates import is_of_another_verb
from clew.retrieval.question.lexicon import DO, FUNCTION_WORDS, HAVE, TIMES_WORDS
from clew.retrieval.question.records import AnswerType, Slot
from clew.retrieval.question.relations import alternatives
from clew.retrieval.question.tokens import Token, stem_of, tokenise
from clew.retrieval.question.wh import is_plural

_AGES = frozenset("old aged age ages year years born birthday founded built since".split())
_SURE_KIND = 0.5
_MEASURED = frozenset(
    "money time power energy weight space memory storage distance height length cost price pay "
    "rent tax salary notice longer more less".split()
)
_ANYONE = frozenset("people persons inhabitants residents times".split())


def stands_beside(study: Study, finding: Finding) -> bool:
    """Whether the finding cannot be what is asked for."""
    candidate = finding.candidate
    if finding.is_beside or candidate is None or finding.method != "span":
        return finding.is_beside
    return any(is_so(study, candidate) for is_so in _UNFIT) or is_elsewhere(study, finding)


# --- another sort of thing ----------------------------------------------------------------------


def _repeats(study: Study, candidate: Candidate) -> bool:
    """A name of the question and no more, where that answers nothing: the question neither offers a
    choice nor asks how something is called.
    """
    question = study.question
    names = any(cue.relation == "naming" for cue in question.relations)
    if names or question.comparison is not None:
        return False
    stems = candidate.stems - {""}
    return bool(stems) and stems <= {term.stem for term in question.terms}


def _is_other_kind(study: Study, candidate: Candidate) -> bool:
    """A person where a place is asked for, or a value where either is, or a time where a thing is
    ("which ship").
    """
    types = study.question.types
    if types == (AnswerType.OTHER,):
        chooses = study.question.slot == Slot.WHICH and study.question.focus != "period"
        is_time = candidate.form in {Form.DATE, Form.YEAR} or (chooses and is_duration(candidate))
        return bool(study.question.focus) and is_time and not _says_which(study, candidate)
    if set(types) != {AnswerType.OTHER} and kind_agreement(study, candidate) > LEAST_KIND:
        return False
    if candidate.form in VALUE_FORMS or not any(c.isalpha() for c in candidate.text):
        return types[0] in {AnswerType.PERSON, AnswerType.PLACE}
    is_person = candidate.kinds.get(AnswerType.PERSON, 0.0) >= _SURE_KIND
    return types[0] == AnswerType.PLACE and is_person


def _says_which(study: Study, candidate: Candidate) -> bool:
    """ "The 2011 vintage", for "which vintage"."""
    behind = candidate.sentence.tokens[candidate.last : candidate.last + 1]
    return bool(behind) and behind[0].stem == stem_of(study.question.focus)


def _is_no_instance(study: Study, candidate: Candidate) -> bool:
    """A noun of which all instances are known is asked for, and this is none: no colour."""
    focus = study.question.focus
    if not focus or not is_closed(focus):
        return False
    stem = stem_of(focus)
    words = [token.lower for token in candidate.sentence.tokens[candidate.first : candidate.last]]
    said = any(token.stem == stem for token in candidate.sentence.tokens)
    return not said and not is_instance(focus, words)


def _counts_others(study: Study, candidate: Candidate) -> bool:
    """ "60 men" where women are counted: another noun stands behind the number, and the one asked
    for nowhere in the sentence; "400 g" of cod where no word is said of salt.
    """
    focus = study.question.focus
    if study.question.slot == Slot.HOW_MUCH and focus and focus not in _MEASURED:
        wanted = alternatives(stem_of(focus)) | {stem_of(focus)}
        passage = study.evidence.passage_of(candidate.sentence)
        return not any(t.stem in wanted for s in passage.sentences for t in s.tokens)
    if study.question.slot != Slot.HOW_MANY or not focus or focus in _ANYONE:
        return False
    tokens = candidate.sentence.tokens
    last = tokens[candidate.last - 1]
    if last.lower in TIMES_WORDS:
        return stem_of(focus) != stem_of("times")
    if _is_label(tokens, candidate, focus):
        return True
    counted = tokens[candidate.last] if candidate.last < len(tokens) and last.is_number else last
    same = alternatives(stem_of(focus)) | {stem_of(focus)}
    if not is_plural(counted.lower) or counted.is_capital or any(t.stem in same for t in tokens):
        return False
    return counted.is_word and not counted.is_number


def _is_label(tokens: tuple[Token, ...], candidate: Candidate, focus: str) -> bool:
    """ "Year 9", "room 12": a number that says which one."""
    at = candidate.first
    if candidate.form != Form.NUMBER or not at or not tokens[at].is_number:
        return False
    behind = tokens[candidate.last].stem if candidate.last < len(tokens) else ""
    is_noun = is_noun_like(tokens, at - 1) and not is_verb(tokens[at - 1])
    return is_noun and stem_of(focus) not in {behind, tokens[at - 1].stem}


# --- another's deed -----------------------------------------------------------------------------


def _is_of_others(study: Study, candidate: Candidate) -> bool:
    """ "What did Kari sell?" where Ola sold something to Kari: the one asked about is named, and
    someone else is who does it.
    """
    if study.asked_role != Role.PATIENT:
        return False
    if not any(token.lower in DO for token in tokenise(study.question.text)):
        return False
    sentence = candidate.sentence
    asked = [
        span
        for anchor in study.anchors[:1]
        for span in study.directory.mentions(sentence, anchor.thing)
    ]
    others = [span for span in sentence.names if span not in asked]
    if not asked and is_done_by_other(study, sentence, others):
        return True
    return any(
        asked
        and all(role_of(sentence.tokens, at, *span) != Role.AGENT for span in asked)
        and any(role_of(sentence.tokens, at, *span) == Role.AGENT for span in others)
        for at in study.asked_verbs(sentence)
    )


# --- another event, another thing -----------------------------------------------------------------


def _is_of_another_subject(study: Study, candidate: Candidate) -> bool:
    is_own = has_own_subject(study, candidate)
    return not is_own and is_of_another_subject(study, candidate.sentence)


def _differs_in_number(study: Study, candidate: Candidate) -> bool:
    """ "Version 2.4" where the question says "version 2.3"."""
    return any(
        token.stem == noun.stem and following.is_number and following.text not in numbers
        for (noun, numbers) in _numbered(study.question.text)
        if not any(token.text in numbers for token in candidate.sentence.tokens)
        and noun.stem not in candidate.stems
        for token, following in pairwise(candidate.sentence.tokens)
    )


def _numbered(text: str) -> list[tuple[Token, frozenset[str]]]:
    """The nouns of a text that a number follows, with all numbers of the text."""
    tokens = tokenise(text)
    numbers = frozenset(token.text for token in tokens if token.is_number)
    return [
        (token, numbers)
        for token, following in pairwise(tokens)
        if token.stem and following.is_number and token.lower not in FUNCTION_WORDS
    ]


def _is_no_age(study: Study, candidate: Candidate) -> bool:
    """ "Six weeks" in a sentence that says nothing of age or birth."""
    words = [token.lower for token in tokenise(study.question.text)]
    asks_age = study.question.slot == Slot.MEASURE and "old" in words
    said = {token.lower for token in candidate.sentence.tokens}
    return asks_age and not said & _AGES


def _has_nothing_asked(study: Study, candidate: Candidate) -> bool:
    """ "What did Ola have?": the name is all that there is to find, and "had" stands nowhere."""
    question = study.question
    words = {token.lower for token in tokenise(question.text)}
    is_open = all(term.in_name for term in question.terms) and question.slot == Slot.WHAT
    said = {token.lower for token in candidate.sentence.tokens[: candidate.first]}
    return is_open and bool(words & DO) and bool(words & HAVE) and not said & HAVE


def _tells_opposite(study: Study, candidate: Candidate) -> bool:
    """When it leaves, where it is asked when it arrives, and not a word of arriving."""
    said = {token.stem for token in candidate.sentence.tokens}
    return any(
        bool(opposites_of(term.stem) & said) and not (term.alternatives | {term.stem}) & said
        for term in study.question.terms
        if not term.in_name
    )


def _is_price_of_another(study: Study, candidate: Candidate) -> bool:
    """ "It cost 240 euros": what the sentence before speaks of, and not the printer of which some
    other sentence tells.
    """
    if study.question.slot not in {Slot.HOW_MUCH, Slot.MEASURE} or study.question.names:
        return False
    sentence = candidate.sentence
    terms = study.matching.terms
    things = [
        at
        for at, term in enumerate(terms)
        if not (term.is_focus or is_quiet(study.question, term) or is_verb_form(term.text))
        and not study.matching.said(sentence)[at]
    ]
    opens_with_it = bool(sentence.tokens) and sentence.tokens[0].lower in {"it", "this", "that"}
    before = [s for s in study.evidence.sentences if s.number == sentence.number - 1]
    if not things or not opens_with_it or not before:
        return False
    held = study.matching.held(before[0])
    return all(held[at] == 0 for at in things)


_UNFIT = (
    _repeats,
    _is_other_kind,
    _is_no_instance,
    _counts_others,
    is_giver,
    _is_of_others,
    is_denied,
    is_of_another_verb,
    is_before_another,
    acts_on_another,
    is_said_of_another,
    is_told_of_another,
    is_in_other_part,
    _is_of_another_subject,
    _differs_in_number,
    _has_nothing_asked,
    _is_no_age,
    _tells_opposite,
    _is_price_of_another,
)
