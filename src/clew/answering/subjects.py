"""Whether a sentence says the verb of the one that is asked about, or of somebody else in it.

*Kees Blom was elected in 2022 and succeeded Ria de Wit* does not tell when Ria de Wit was elected;
*Mrs Farrow received oxygen, and her daughter was informed* not that Mrs Farrow was. No parser: who
stands before a verb and which verb stands before "by" decide.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.answering.candidates import Candidate
from clew.answering.evidence import Sentence
from clew.answering.frames import Role, is_verb_at, is_verb_form, role_of
from clew.answering.loudness import is_quiet
from clew.answering.study import Study
from clew.answering.things import Subject
from clew.retrieval.question.lexicon import (
    AUXILIARIES,
    BE,
    DETERMINERS,
    DO,
    FUNCTION_WORDS,
    HAVE,
    PRONOUNS,
)
from clew.retrieval.question.records import AnswerType, Question, Slot
from clew.retrieval.question.relations import relations_of_word
from clew.retrieval.question.tokens import Token, tokenise

_JOINTS = frozenset({"and", ",", ";", "but", "while", "whereas", "then"})
_AMOUNTS = frozenset({Slot.HOW_MUCH, Slot.HOW_MANY, Slot.MEASURE})
_MODALS = frozenset("must may shall should can will".split())
_LEAST_TOKENS = 4
_DEFINITE = frozenset("the this that these those it its them his her their".split())
_ADVERBIAL = frozenset({Slot.WHEN, Slot.WHERE})


def is_before_another(study: Study, candidate: Candidate) -> bool:
    """A name before the verb of another clause, where the asked verb has a subject of its own; or
    one behind the "by" of another verb.
    """
    if study.asked_role == Role.NONE:
        return False
    tokens = candidate.sentence.tokens
    verbs = study.asked_verbs(candidate.sentence)
    if not verbs:
        return False
    return _is_by_another(tokens, candidate, verbs) or all(
        candidate.last <= at and _has_own_subject(tokens, candidate.last, at) for at in verbs
    )


def _is_by_another(tokens: Sequence[Token], candidate: Candidate, asked: Sequence[int]) -> bool:
    at = candidate.first - 1
    while at > 0 and tokens[at].lower in DETERMINERS:
        at -= 1
    if at < 1 or tokens[at].lower != "by":
        return False
    before = next((i for i in range(at - 1, -1, -1) if is_verb_at(tokens, i)), -1)
    return before >= 0 and before not in asked and tokens[before].lower not in _LIGHT


def _has_own_subject(tokens: Sequence[Token], first: int, verb: int) -> bool:
    """Whether between a span and the verb another verb ends its clause, and somebody else begins
    the next one.
    """
    joint = next((at for at in range(verb - 1, first - 1, -1) if tokens[at].lower in _JOINTS), -1)
    if joint < 0:
        return False
    has_verb = any(is_verb_at(tokens, i) or tokens[i].lower in BE for i in range(first, joint))
    opening = tokens[joint + 1 : verb]
    starts = bool(opening) and (opening[0].is_capital or opening[0].lower in DETERMINERS | PRONOUNS)
    return has_verb and starts


def acts_on_another(study: Study, candidate: Candidate) -> bool:
    """ "Engineers found cracks", where the question asks who started a petition: the verb may fit,
    and what it was done to is something else. "The project" may be the same thing as "the move".
    """
    question = study.question
    if study.asked_role != Role.AGENT or question.names or candidate.sentence.leans:
        return False
    tokens = candidate.sentence.tokens
    said = study.matching.said(candidate.sentence)
    objects = _things_asked(study)
    if not objects or any(said[at] > 0 for at in objects):
        return False
    return any(
        role_of(tokens, at, candidate.first, candidate.last) == Role.AGENT
        and at + 1 < len(tokens)
        and tokens[at + 1].lower not in _DEFINITE
        for at in study.asked_verbs(candidate.sentence)
    )


def is_said_of_another(study: Study, candidate: Candidate) -> bool:
    """ "Toner costs 49 euros" where the printer's price is asked for; "the landlord must give six
    months' notice" where the tenant's is.
    """
    question, sentence = study.question, candidate.sentence
    if question.slot not in _AMOUNTS or len(sentence.tokens) < _LEAST_TOKENS:
        return False
    if study.bridged(sentence) > 0:
        return False
    first, second, third = sentence.tokens[:3]
    if first.lower in DETERMINERS:
        wanted = _subject_noun(question)
        is_other = wanted not in {"", second.stem} and third.lower in _MODALS
        return is_other and all(token.stem != wanted for token in sentence.tokens)
    if first.lower in PRONOUNS | FUNCTION_WORDS or not second.lower.endswith("s"):
        return False
    terms = study.matching.terms
    named = [at for at, term in enumerate(terms) if term.in_name]
    things = _things_asked(study) + named
    said = study.matching.said(sentence)
    is_asked = any(term.stem == first.stem for term in terms)
    return bool(things) and not is_asked and all(said[at] == 0 for at in things)


def _subject_noun(question: Question) -> str:
    """The stem of the noun behind "must the", "does the"; empty where there is none."""
    tokens = tokenise(question.text)
    for at in range(len(tokens) - 2):
        opens = tokens[at].lower in AUXILIARIES and tokens[at + 1].lower in DETERMINERS
        if opens and not tokens[at + 2].is_capital:
            return tokens[at + 2].stem
    return ""


def _things_asked(study: Study) -> list[int]:
    """The terms that are neither names, nor verbs, nor what only says the kind of the answer."""
    return [
        at
        for at, term in enumerate(study.matching.terms)
        if not (term.in_name or term.is_focus or is_quiet(study.question, term))
        and not is_verb_form(term.text.casefold())
        and not relations_of_word(term.text.casefold())
    ]


def is_of_another_subject(study: Study, sentence: Sentence) -> bool:
    """Whether the verb that is asked about has somebody else in the place of the one that is named,
    in a question for a time or place, or for who did it.
    """
    question = study.question
    wanted = _role_of_named(study)
    verbs = study.asked_verbs(sentence)
    if wanted == Role.NONE or not verbs:
        return False
    named = [
        span
        for anchor in study.anchors[:1]
        for span in study.directory.mentions(sentence, anchor.thing)
    ]
    if not named and (question.slot in _ADVERBIAL or sentence.leans):
        return False
    others = [span for span in sentence.names if not _overlaps(span, named)]
    tokens = sentence.tokens
    return all(
        all(role_of(tokens, at, *span) != wanted for span in named)
        and any(
            role_of(tokens, at, *span) == wanted and _is_somebody(study, sentence, span)
            for span in others
        )
        for at in verbs
    )


def is_done_by_other(study: Study, sentence: Sentence, others: Sequence[tuple[int, int]]) -> bool:
    """ "Moira cooked mackerel" where it is asked what Callum cooked, of whom the passage speaks
    too.
    """
    named = [name for name in study.question.names if name.text[:1].isupper()]
    if len(named) != 1 or sentence.leans:
        return False
    words = {token.stem for token in tokenise(named[0].text)} - {""}
    known = any(
        words <= {token.stem for token in other.tokens}
        for other in study.evidence.passage_of(sentence).sentences
    )
    return known and any(
        role_of(sentence.tokens, at, *span) == Role.AGENT
        and not words & {token.stem for token in sentence.tokens[span[0] : span[1]]}
        for at in study.asked_verbs(sentence)
        for span in others
    )


def speaks_of_another(study: Study, sentence: Sentence) -> bool:
    """Whether a name is the subject of the question ("When did Ola win it?"), a passage is about
    that, and the sentence is of another passage and does not speak of it.
    """
    if study.question.slot not in _ADVERBIAL or _role_of_named(study) == Role.NONE:
        return False
    thing = study.anchors[0].thing
    return bool(thing.about) and Subject(study.directory, thing).strength(sentence) == 0


def _role_of_named(study: Study) -> Role:
    """The role that the first name of the question plays: "when was X elected", "when did X elect
    it".
    """
    question = study.question
    if not study.anchors:
        return Role.NONE
    if question.slot in {Slot.WHO, Slot.WHOM}:
        asked = study.asked_role
        return Role.PATIENT if asked == Role.AGENT else Role.NONE
    if question.slot not in _ADVERBIAL:
        return Role.NONE
    behind = question.text[: study.anchors[0].start]
    words = [token.lower for token in tokenise(behind)]
    last = next((word for word in reversed(words) if word not in DETERMINERS), "")
    if last in BE | HAVE:
        return Role.PATIENT
    return Role.AGENT if last in DO else Role.NONE


def _is_somebody(study: Study, sentence: Sentence, span: tuple[int, int]) -> bool:
    """Whether a name is a person's before it is anything else."""
    kinds = next(
        (c.kinds for c in study.hopper.candidates(sentence) if (c.first, c.last) == span), {}
    )
    return bool(kinds) and max(kinds, key=lambda kind: kinds[kind]) == AnswerType.PERSON


def _overlaps(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(first < span[1] and span[0] < end for first, end in others)


_LIGHT = AUXILIARIES | BE | HAVE
