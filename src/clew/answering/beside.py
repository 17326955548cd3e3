"""What stands beside a question and cannot answer it, however much of it is said around.

A text that tells of a thing is often asked what it does not tell. The best span there is then
belongs to something else: to another sort of thing, to somebody else's deed, to a sentence that
says no word of what is asked. Such a finding keeps so little of its strength that it is refused.
"""

from __future__ import annotations

from clew.answering.candidates import VALUE_FORMS, Candidate, Form
from clew.answering.evidence import Sentence
from clew.answering.frames import Role, asked_role, role_of
from clew.answering.lexicon.instances import is_closed, is_instance
from clew.answering.loudness import is_quiet
from clew.answering.spans import LEAST_KIND, kind_agreement
from clew.answering.study import Study
from clew.answering.support import Finding
from clew.retrieval.question.lexicon import DO
from clew.retrieval.question.records import AnswerType, Slot
from clew.retrieval.question.relations import alternatives
from clew.retrieval.question.tokens import stem_of, tokenise
from clew.retrieval.question.wh import is_plural

_SURE_KIND = 0.5
_RECEIVING = frozenset({"to", "for", "with", "from"})
_ANYONE = frozenset("people persons inhabitants residents times".split())


def stands_beside(study: Study, finding: Finding) -> bool:
    """Whether the finding cannot be what is asked for."""
    candidate = finding.candidate
    if finding.is_beside or candidate is None or finding.method != "span":
        return finding.is_beside
    unfit = (_repeats, _is_other_kind, _is_no_instance, _counts_others, _is_giver, _is_of_others)
    return any(is_so(study, candidate) for is_so in unfit) or _is_elsewhere(study, finding)


# --- another sort of thing ----------------------------------------------------------------------


def _repeats(study: Study, candidate: Candidate) -> bool:
    """A name of the question and no more, where that answers nothing: the question neither offers a
    choice nor asks how something is called.
    """
    question = study.question
    names = any(cue.relation == "naming" for cue in question.relations)
    if names or question.comparison is not None:
        return False
    tokens = candidate.sentence.tokens[candidate.first : candidate.last]
    stems = {token.stem for token in tokens} - {""}
    return bool(stems) and stems <= {term.stem for term in question.terms}


def _is_other_kind(study: Study, candidate: Candidate) -> bool:
    """A person where a place is asked for, or a value where either is, or a time where a thing is
    ("which ship").
    """
    types = study.question.types
    if types == (AnswerType.OTHER,):
        return bool(study.question.focus) and candidate.form in {Form.DATE, Form.YEAR}
    if set(types) != {AnswerType.OTHER} and kind_agreement(study, candidate) > LEAST_KIND:
        return False
    if candidate.form in VALUE_FORMS or not any(c.isalpha() for c in candidate.text):
        return types[0] in {AnswerType.PERSON, AnswerType.PLACE}
    is_person = candidate.kinds.get(AnswerType.PERSON, 0.0) >= _SURE_KIND
    return types[0] == AnswerType.PLACE and is_person


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
    for nowhere in the sentence.
    """
    focus = study.question.focus
    if study.question.slot != Slot.HOW_MANY or not focus or focus in _ANYONE:
        return False
    tokens = candidate.sentence.tokens
    last = tokens[candidate.last - 1]
    counted = tokens[candidate.last] if candidate.last < len(tokens) and last.is_number else last
    same = alternatives(stem_of(focus)) | {stem_of(focus)}
    if not is_plural(counted.lower) or counted.is_capital or any(t.stem in same for t in tokens):
        return False
    return counted.is_word and not counted.is_number


# --- another's deed -----------------------------------------------------------------------------


def _is_giver(study: Study, candidate: Candidate) -> bool:
    """Who did it, where the question asks TO whom it was done."""
    tokens = tokenise(study.question.text)
    at = next((i for i, t in enumerate(tokens) if t.start == study.question.wh_start), 0)
    if at < 1 or tokens[at - 1].lower not in _RECEIVING:
        return False
    sentence = candidate.sentence
    return any(
        role_of(sentence.tokens, verb, candidate.first, candidate.last) == Role.AGENT
        for verb in study.asked_verbs(sentence)
    )


def _is_of_others(study: Study, candidate: Candidate) -> bool:
    """ "What did Kari sell?" where Ola sold something to Kari: the one asked about is named, and
    someone else is who does it.
    """
    tokens = tokenise(study.question.text)
    asks = asked_role(study.question, tokens) == Role.PATIENT
    if not asks or not any(token.lower in DO for token in tokens):
        return False
    sentence = candidate.sentence
    asked = [
        span
        for anchor in study.anchors[:1]
        for span in study.directory.mentions(sentence, anchor.thing)
    ]
    others = [span for span in sentence.names if span not in asked]
    return any(
        asked
        and all(role_of(sentence.tokens, at, *span) != Role.AGENT for span in asked)
        and any(role_of(sentence.tokens, at, *span) == Role.AGENT for span in others)
        for at in study.asked_verbs(sentence)
    )


# --- another sentence ---------------------------------------------------------------------------


def _is_elsewhere(study: Study, finding: Finding) -> bool:
    """A sentence that says nothing of what is asked, where no chain or reading leads to it."""
    candidate = finding.candidate
    assert candidate is not None
    chained = any(study.chained(candidate, explained=known) > 0 for known in (True, False))
    is_led = finding.is_read_anew or chained or study.bridged(candidate.sentence) > 0
    return not is_led and _says_nothing_asked(study, candidate.sentence)


def _says_nothing_asked(study: Study, sentence: Sentence) -> bool:
    """No word of what is asked of the named thing: "opened in 1920" does not tell when something
    was founded.
    """
    terms = study.matching.terms
    asked = [at for at, term in enumerate(terms) if not term.in_name]
    loud = [at for at in asked if not (terms[at].is_focus or is_quiet(study.question, terms[at]))]
    held = study.matching.held(sentence)
    return bool(loud) and not any(held[at] > 0 for at in asked)
