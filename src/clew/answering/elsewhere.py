"""An answer in a sentence that does not tell what is asked, while the text speaks of it elsewhere.

What a question asks about is a thing and its deed. A sentence that says neither, or one of them
where the passage says the other in a sentence of its own, is about something else; unless a chain
of relations or another reading of the question leads to it.
"""

from __future__ import annotations

from clew.answering.asked_things import asked_deed, asked_subject
from clew.answering.candidates import VALUE_FORMS, Candidate
from clew.answering.evidence import Sentence
from clew.answering.frames import Role, is_verb_at, is_verb_form
from clew.answering.loudness import is_quiet
from clew.answering.study import Study
from clew.answering.subjects import speaks_of_another
from clew.answering.support import Finding
from clew.answering.verb_dates import dates_event
from clew.retrieval.question.records import AnswerType, Slot
from clew.retrieval.question.relations import alternatives


def is_elsewhere(study: Study, finding: Finding) -> bool:
    """Whether the sentence of a span tells of something else, and no chain or reading leads to
    it.
    """
    candidate = finding.candidate
    assert candidate is not None
    chained = any(study.chained(candidate, explained=known) > 0 for known in (True, False))
    if finding.is_read_anew or chained or study.bridged(candidate.sentence) > 0:
        return False
    others = (_says_nothing_asked, speaks_of_another, _leaves_out_deed, _is_there)
    if any(is_so(study, candidate.sentence) for is_so in others):
        return True
    apart = (_is_told_without, _leaves_out_thing, _dates_other_deed)
    return any(is_so(study, candidate) for is_so in apart)


def _is_told_without(study: Study, candidate: Candidate) -> bool:
    """A date of another event, where the passage tells of the one asked for without a date ("a 2011
    film" is of no event); a doer of something else, where it tells that this was done and not by
    whom.
    """
    sentence = candidate.sentence
    question = study.question
    asks_date = AnswerType.DATE in question.types and dates_event(candidate)
    asks_doer = question.slot == Slot.WHO and study.asked_role == Role.AGENT
    if not (asks_date or asks_doer) or study.asked_verbs(sentence):
        return False
    passage = study.evidence.passage_of(sentence)
    if asks_date:
        return any(study.asked_verbs(other) for other in passage.sentences)
    asked = {term.stem for term in question.terms}
    return any(
        other.tokens[at].stem in asked
        for other in passage.sentences
        for at in study.asked_verbs(other)
    )


def _says_nothing_asked(study: Study, sentence: Sentence) -> bool:
    """No word of what is asked of the named thing: "opened in 1920" does not tell when something
    was founded.
    """
    terms = study.matching.terms
    asked = [at for at, term in enumerate(terms) if not term.in_name]
    loud = [at for at in asked if not (terms[at].is_focus or is_quiet(study.question, terms[at]))]
    held = study.matching.held(sentence)
    return bool(loud) and not any(held[at] > 0 for at in asked)


def _leaves_out_deed(study: Study, sentence: Sentence) -> bool:
    """ "Standard delivery costs 5 euros" where it is asked what it costs to RETURN goods, of which
    another sentence speaks.
    """
    deed = asked_deed(study.question)
    if deed is None or not deed.stem:
        return False
    stems = alternatives(deed.stem) | {deed.stem}
    return not _says(sentence, stems) and any(
        _says(other, {deed.stem}) for other in study.evidence.passage_of(sentence).sentences
    )


def _dates_other_deed(study: Study, candidate: Candidate) -> bool:
    """ "The weir was removed in 2017" where it is asked when it was built, of which no word is
    said.
    """
    sentence = candidate.sentence
    if study.question.slot != Slot.WHEN or not dates_event(candidate):
        return False
    terms = study.matching.terms
    held = study.matching.held(sentence)
    deeds = [at for at, t in enumerate(terms) if is_verb_form(t.text.casefold()) and not t.in_name]
    if len(deeds) != 1 or held[deeds[0]] > 0:
        return False
    return any(is_verb_at(sentence.tokens, at) for at in range(len(sentence.tokens)))


def _leaves_out_thing(study: Study, candidate: Candidate) -> bool:
    """An amount or a time in a sentence that says no word of the thing, of which another does."""
    asked = asked_subject(study.question)
    sentence = candidate.sentence
    if asked is None or asked.is_name or candidate.form not in VALUE_FORMS or sentence.leans:
        return False
    every = {other for stem in asked.stems for other in alternatives(stem) | {stem}}
    if _says(sentence, every) or any(_is_held(study, sentence, stem) for stem in asked.stems):
        return False
    passage = study.evidence.passage_of(sentence)
    return any(_says(other, {asked.head.stem}) for other in passage.sentences)


def _is_there(study: Study, sentence: Sentence) -> bool:
    """ "84 people work there": in the place that the sentence before names, and no other."""
    places = [name for name in study.question.names if _follows_in(study, name.start)]
    words = {token.lower for token in sentence.tokens}
    if not places or not words & {"there", "here"}:
        return False
    near = {sentence.number - 1, sentence.number}
    said = " ".join(s.text.casefold() for s in study.evidence.sentences if s.number in near)
    return all(place.text.casefold() not in said for place in places)


def _follows_in(study: Study, start: int) -> bool:
    words = study.question.text[:start].casefold().split()
    return bool(words) and words[-1] in {"in", "at", "on", "near"}


def _is_held(study: Study, sentence: Sentence, stem: str) -> bool:
    terms = study.matching.terms
    held = study.matching.held(sentence)
    return any(term.stem == stem and held[at] > 0 for at, term in enumerate(terms))


def _says(sentence: Sentence, stems: set[str] | frozenset[str]) -> bool:
    return any(token.stem in stems for token in sentence.tokens)
