"""Which event of a text a date is of, where the question asks when one of them was.

*It was published in 1983, and translated by Mary Holt* says when it was published and not when it
was translated. No parser: the verbs between a date and the verb that is asked about, and the marks
between them, decide.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.answering.candidates import Candidate, Form
from clew.answering.evidence import cached_tokens
from clew.answering.frames import Role, is_verb_at
from clew.answering.prepositions import word_before
from clew.answering.study import Study
from clew.retrieval.question.lexicon import BE, DO, HAVE, PREPOSITIONS
from clew.retrieval.question.records import AnswerType, Slot
from clew.retrieval.question.tokens import Token

_OPENS_CLAUSE = frozenset({";", "but", "while", "whereas", "who", "which", "that"})
_JOINS = frozenset({"and", ",", "then"})
_BEGINS = frozenset({"from", "since", "between"})
_FINISHES = frozenset({"to", "until", "till", "and", "–", "-"})
_ENDS = _BEGINS | _FINISHES
_OTHER_END = {"until": _BEGINS, "till": _BEGINS, "since": _FINISHES, "from": _FINISHES}
_OPENING = frozenset("open start begin".split())
_CLOSING = frozenset("close end finish stop".split())
_DATING = frozenset({"in", "on", "for", "by", "until", "since"})
_DATED = frozenset({Form.DATE, Form.YEAR})


def is_of_another_verb(study: Study, candidate: Candidate) -> bool:
    """Whether each verb of the question that the sentence says is another than the one that the
    date stands with.
    """
    if AnswerType.DATE not in study.question.types or candidate.form not in _DATED:
        return False
    verbs = study.asked_verbs(candidate.sentence)
    if not verbs or _says_asked(study, candidate):
        return False
    tokens = candidate.sentence.tokens
    return all(_is_apart(tokens, at, candidate, verbs) for at in verbs)


def is_of_another_event(study: Study, candidate: Candidate) -> bool:
    """A date in a sentence without the verb that is asked about, where another sentence of the
    passage dates that.
    """
    if AnswerType.DATE not in study.question.types or candidate.form not in _DATED:
        return False
    if study.asked_verbs(candidate.sentence) or study.chained(candidate, explained=True):
        return False
    if not dates_event(candidate):
        return False
    passage = study.evidence.passage_of(candidate.sentence)
    return any(
        other.form in _DATED
        for sentence in passage.sentences
        if study.asked_verbs(sentence)
        for other in study.hopper.candidates(sentence)
    )


def dates_event(candidate: Candidate) -> bool:
    """ "In 2011" and "Next spring"; "a 2011 film" is of no event."""
    tokens = candidate.sentence.tokens
    opens = candidate.first == 0 or tokens[candidate.first].lower in PREPOSITIONS
    return opens or tokens[candidate.first - 1].lower in _DATING


def is_wrong_end(study: Study, candidate: Candidate) -> bool:
    """Where a period begins, for "until when" and "when does it close"; where it ends, for "since
    when" and "when does it open".
    """
    wrong = _OTHER_END.get(study.governing_word) or _end_not_asked(study)
    if not wrong or candidate.form not in _DATED:
        return False
    tokens = candidate.sentence.tokens
    before = word_before(tokens, candidate.first)
    others = {token.lower for token in tokens} - {before}
    return before in wrong and bool(others & _ENDS)


def _end_not_asked(study: Study) -> frozenset[str]:
    words = {token.lower for token in cached_tokens(study.question.text)}
    if study.question.slot != Slot.WHEN or not words & DO:
        return frozenset()
    if words & _OPENING:
        return _FINISHES
    return _BEGINS if words & _CLOSING else frozenset()


def is_time_of_deed(study: Study, candidate: Candidate) -> bool:
    """A date where the question asks what somebody did something to: "what did X remove"."""
    return (
        study.question.types == (AnswerType.OTHER,)
        and candidate.form in _DATED
        and study.asked_role == Role.PATIENT
    )


def _says_asked(study: Study, candidate: Candidate) -> bool:
    """Whether the words around the date, up to the next joint, are some that are asked about: the
    verb among them may say in other words what the question says.
    """
    tokens = candidate.sentence.tokens
    joints = [at for at, token in enumerate(tokens) if token.lower in _OPENS_CLAUSE | _JOINS]
    low = max((at for at in joints if at < candidate.first), default=-1)
    high = min((at for at in joints if at >= candidate.last), default=len(tokens))
    terms = study.matching.terms
    places = study.matching.places(candidate.sentence)
    return any(low < at < high and not terms[term].in_name for at, term, _ in places)


def _is_apart(
    tokens: Sequence[Token], verb: int, candidate: Candidate, asked: Sequence[int]
) -> bool:
    """Whether another verb, of another clause, is nearer to the date than ``verb`` is."""
    if candidate.last <= verb:
        between = tokens[candidate.last : verb]
        parted = any(token.lower in _OPENS_CLAUSE | _JOINS for token in between)
        others = [at for at in range(candidate.first) if _is_other_verb(tokens, at, asked)]
        return parted and bool(others)
    for at in range(verb + 2, candidate.first):
        word = tokens[at].lower
        if word in _OPENS_CLAUSE:
            return True
        rest = range(at + 1, candidate.first)
        if word in _JOINS and any(_is_other_verb(tokens, other, asked) for other in rest):
            return True
    return False


def _is_other_verb(tokens: Sequence[Token], at: int, asked: Sequence[int]) -> bool:
    return at not in asked and (is_verb_at(tokens, at) or tokens[at].lower in BE | HAVE)
