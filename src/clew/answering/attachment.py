"""Whether a span belongs to the verb that is asked about, or to another verb of its sentence.

*It was published in 1983, and translated by Mary Holt* says when it was published and not when it
was translated; *A dam was planned in 1962 but never built* says when nothing was built. No parser:
the verbs between a span and the verb, and the marks between them, decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from clew.answering.candidates import VALUE_FORMS, Candidate, Form
from clew.answering.evidence import Sentence
from clew.answering.frames import Role, asked_role, is_verb, is_verb_at, role_of, says_where
from clew.answering.lexicon.places import demonyms
from clew.answering.noun_phrases import is_noun_like
from clew.answering.study import Study
from clew.answering.subjects import acts_on_another, is_before_another, is_said_of_another
from clew.retrieval.question.lexicon import AUXILIARIES, BE, DETERMINERS, HAVE, PREPOSITIONS
from clew.retrieval.question.records import AnswerType, Slot
from clew.retrieval.question.tokens import Token, stem_of, tokenise

_OPENS_CLAUSE = frozenset({";", "but", "while", "whereas", "who", "which", "that"})
_JOINS = frozenset({"and", ",", "then"})
_NEGATIONS = frozenset({"never", "not", "cannot"})
_RECEIVING = frozenset({"to", "for", "with", "from"})
_AROUND = frozenset("to from for with in at on near into onto against".split())
_OWNERS = frozenset("his her its their our my your".split())
_BACK = frozenset("from before original originally first initially former formerly old".split())
_BEGINS = frozenset({"from", "since", "between"})
_FINISHES = frozenset({"to", "until", "till", "and", "–", "-"})
_ENDS = _BEGINS | _FINISHES
_OTHER_END = {"until": _BEGINS, "till": _BEGINS, "since": _FINISHES, "from": _FINISHES}
_DATING = frozenset({"in", "on", "for", "by", "until", "since"})
_STRANDED = frozenset({"from", "of", "with", "to", "for", "in", "on", "under"})
_BEFORE_VERB = 3
_GOAL_REACH = 6
_DATED = frozenset({Form.DATE, Form.YEAR})
_PLAIN_SLOTS = frozenset({Slot.WHO, Slot.WHOM, Slot.WHEN, Slot.WHERE, Slot.WHAT, Slot.WHICH})


def is_of_another_verb(study: Study, candidate: Candidate) -> bool:
    """Whether each verb of the question that the sentence says is denied there, or is another than
    the one that the span stands with.
    """
    verbs = study.asked_verbs(candidate.sentence)
    if not verbs or study.question.slot not in _PLAIN_SLOTS:
        return False
    tokens = candidate.sentence.tokens
    if all(_is_denied(tokens, at) for at in verbs) and not _denies(study.question.text):
        return True
    if AnswerType.DATE not in study.question.types or candidate.form not in _DATED:
        return False
    if _says_asked(study, candidate):
        return False
    return all(_is_apart(tokens, at, candidate, verbs) for at in verbs)


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


def is_giver(study: Study, candidate: Candidate) -> bool:
    """Who did it, where the question asks TO whom it was done."""
    if _governing(study) not in _RECEIVING:
        return False
    sentence = candidate.sentence
    return any(
        role_of(sentence.tokens, verb, candidate.first, candidate.last) == Role.AGENT
        for verb in study.asked_verbs(sentence)
    )


def _governing(study: Study) -> str:
    """The word before the question word: "TO whom", "by WHOM"."""
    tokens = tokenise(study.question.text)
    at = next((i for i, t in enumerate(tokens) if t.start == study.question.wh_start), 0)
    return tokens[at - 1].lower if at else ""


def is_doer(study: Study, candidate: Candidate) -> bool:
    """ "By the committee" where the question asks at what place."""
    return study.question.slot == Slot.WHERE and any(
        role_of(candidate.sentence.tokens, at, candidate.first, candidate.last) == Role.AGENT
        and _before(candidate.sentence.tokens, candidate.first) == "by"
        for at in study.asked_verbs(candidate.sentence)
    )


def is_around(study: Study, candidate: Candidate) -> bool:
    """ "In the small office" before "broke", where the question asks what broke; "from his uncle"
    behind "bought", where it asks who did.
    """
    asked = asked_role(study.question)
    if asked == Role.NONE or _governing(study) in PREPOSITIONS - {"by"}:
        return False
    tokens = candidate.sentence.tokens
    focus = study.question.focus
    if focus and stem_of(focus) in {t.stem for t in tokens[candidate.first : candidate.last]}:
        return False
    verbs = study.asked_verbs(candidate.sentence)
    if not verbs:
        return False
    if all(candidate.last <= at for at in verbs):
        return says_where(tokens, candidate.first)
    is_behind = asked == Role.AGENT and all(at < candidate.first for at in verbs)
    return is_behind and _before(tokens, candidate.first) in _AROUND


def is_origin(study: Study, candidate: Candidate) -> bool:
    """ "From Bruges" where the question asks whither, "from 64 MB" where it asks what is now: the
    sentence says that too.
    """
    question = study.question
    is_place = question.slot == Slot.WHERE or AnswerType.PLACE in question.types
    is_value = AnswerType.NUMBER in question.types and candidate.form in VALUE_FORMS
    tokens = candidate.sentence.tokens
    if not (is_place or is_value) or _before(tokens, candidate.first) != "from":
        return False
    if any(token.lower in _BACK for token in tokenise(question.text)):
        return False
    behind = tokens[candidate.last : candidate.last + _GOAL_REACH]
    return any(
        token.lower == "to" and (following.is_number if is_value else following.is_capital)
        for token, following in pairwise(behind)
    )


def is_no_noun(study: Study, candidate: Candidate) -> bool:  # noqa: ARG001 - one of APART
    """A verb and no more: nothing that one has, sells or sees."""
    tokens = candidate.sentence.tokens[candidate.first : candidate.last]
    return candidate.form == Form.CHUNK and all(is_verb(token) for token in tokens)


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
    return candidate.first == 0 or tokens[candidate.first - 1].lower in _DATING


def is_wrong_end(study: Study, candidate: Candidate) -> bool:
    """Where a period begins, for "until when"; where it ends, for "since when"."""
    wrong = _OTHER_END.get(_governing(study))
    if wrong is None or candidate.form not in _DATED:
        return False
    tokens = candidate.sentence.tokens
    before = _before(tokens, candidate.first)
    others = {token.lower for token in tokens} - {before}
    return before in wrong and bool(others & _ENDS)


def is_in_another_clause(study: Study, candidate: Candidate) -> bool:
    """ "Physics is taught by A; chemistry by B": A, where chemistry is asked about."""
    tokens = candidate.sentence.tokens
    stops = [-1, *(at for at, token in enumerate(tokens) if token.text == ";"), len(tokens)]
    terms = study.matching.terms
    places = study.matching.places(candidate.sentence)
    for first, last in pairwise(stops):
        has_verb = any(
            is_verb_at(tokens, at) or tokens[at].lower in BE for at in range(first + 1, last)
        )
        if has_verb or first < candidate.first < last:
            continue
        elsewhere = {term for place, term, _ in places if not first < place < last}
        own = {term for place, term, _ in places if first < place < last} - elsewhere
        if any(not terms[term].is_focus for term in own):
            return True
    return False


def is_without_preposition(study: Study, candidate: Candidate) -> bool:
    """For "what was it built FROM" and "FOR whom": what does not stand behind that word, where
    something in its sentence, or in one with the verb, does.
    """
    words = [token.lower for token in tokenise(study.question.text) if token.is_word]
    asked = words[-1] if words and words[-1] in _STRANDED else _governing(study)
    if asked not in _STRANDED or study.question.slot not in _PLAIN_SLOTS:
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
    while at > 0 and (is_noun_like(tokens, at) or tokens[at].lower in DETERMINERS | _OWNERS):
        at -= 1
    return tokens[at].lower if at >= 0 else ""


def is_adjective(study: Study, candidate: Candidate) -> bool:
    """ "French" of "French troops", where the question asks who."""
    tokens = candidate.sentence.tokens
    if AnswerType.PERSON not in study.question.types or candidate.last >= len(tokens):
        return False
    behind = tokens[candidate.last]
    is_plain = bool(behind.stem) and not (behind.is_capital or behind.is_number or is_verb(behind))
    return candidate.key in demonyms() and is_plain


def is_time_of_deed(study: Study, candidate: Candidate) -> bool:
    """A date where the question asks what somebody did something to: "what did X remove"."""
    return (
        study.question.types == (AnswerType.OTHER,)
        and candidate.form in _DATED
        and asked_role(study.question) == Role.PATIENT
    )


def _before(tokens: Sequence[Token], first: int) -> str:
    """The word before a span and its determiner or owner."""
    at = first - 1
    while at > 0 and tokens[at].lower in DETERMINERS | _OWNERS:
        at -= 1
    return tokens[at].lower if at >= 0 else ""


def _is_denied(tokens: Sequence[Token], verb: int) -> bool:
    """ "Never built", "was not built", "didn't build"; another verb between ends the search."""
    for token in reversed(tokens[max(0, verb - _BEFORE_VERB) : verb]):
        if _negates(token):
            return True
        if is_verb(token) and token.lower not in AUXILIARIES | BE | HAVE:
            return False
    return False


def _denies(text: str) -> bool:
    return any(_negates(token) for token in tokenise(text))


def _negates(token: Token) -> bool:
    return token.lower in _NEGATIONS or token.lower.endswith(("n't", "n’t"))


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
    return at not in asked and (is_verb_at(tokens, at) or tokens[at].lower in BE)


APART = (
    is_of_another_verb,
    is_origin,
    is_doer,
    is_around,
    is_giver,
    is_no_noun,
    is_without_preposition,
    is_adjective,
    is_time_of_deed,
    is_of_another_event,
    is_wrong_end,
    is_in_another_clause,
    is_before_another,
    acts_on_another,
    is_said_of_another,
)
"""Each of them takes a span out of the choice, as far as another is to be had."""
