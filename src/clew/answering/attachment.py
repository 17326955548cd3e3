"""Whether a span belongs to what the question asks about, or to something else in its sentence.

*A dam was planned in 1962 but never built* says when nothing was built; *Physics is taught by A;
chemistry by B* says of A that he teaches physics. Dates are looked at by
:mod:`clew.answering.verb_dates`, doers by :mod:`clew.answering.subjects`, and what stands behind a
preposition by :mod:`clew.answering.prepositions`; :data:`APART` is all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from clew.answering.candidates import VALUE_FORMS, Candidate, Form
from clew.answering.contrasts import is_told_of_another
from clew.answering.evidence import cached_tokens
from clew.answering.frames import is_verb, is_verb_at
from clew.answering.lexicon.places import demonyms
from clew.answering.prepositions import (
    is_around,
    is_doer,
    is_giver,
    is_nowhere,
    is_origin,
    is_without_preposition,
    word_before,
)
from clew.answering.study import Study
from clew.answering.subjects import acts_on_another, is_before_another, is_said_of_another
from clew.answering.verb_dates import (
    is_of_another_event,
    is_of_another_verb,
    is_time_of_deed,
    is_wrong_end,
)
from clew.retrieval.question.lexicon import AUXILIARIES, BE, DETERMINERS, HAVE, PREPOSITIONS
from clew.retrieval.question.records import AnswerType, Slot
from clew.retrieval.question.tokens import Token, stem_of

_NEGATIONS = frozenset({"never", "not", "cannot"})
_CHANGES = frozenset(
    "rose rise rises risen fell fall falls fallen grew grow grows grown increased increase "
    "increases decreased decrease decreases dropped drop drops declined decline declines shrank "
    "climbed sank raised lowered reduced cut".split()
)
_CHANGE_STEMS = frozenset(stem_of(word) for word in _CHANGES)
_EXCEPT = frozenset({"except", "excepting", "besides", "excluding"})
_SHUT = frozenset("closed close closes shut shuts free off".split())
_BEFORE_VERB = 3
_PLAIN_SLOTS = frozenset({Slot.WHO, Slot.WHOM, Slot.WHEN, Slot.WHERE, Slot.WHAT, Slot.WHICH})


def is_denied(study: Study, candidate: Candidate) -> bool:
    """Whether the sentence says each verb of the question, and denies it; the question does not."""
    verbs = study.asked_verbs(candidate.sentence)
    if not verbs or study.question.slot not in _PLAIN_SLOTS:
        return False
    tokens = candidate.sentence.tokens
    denied = all(_is_denied(tokens, at) for at in verbs)
    return denied and not any(_negates(token) for token in cached_tokens(study.question.text))


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


def is_change(study: Study, candidate: Candidate) -> bool:
    """ "By 8 percent" of "rose by 8 percent to 46 million", where the question asks how much there
    is and not how much more.
    """
    sentence = candidate.sentence
    if candidate.form not in VALUE_FORMS or word_before(sentence.tokens, candidate.first) != "by":
        return False
    asked = {token.lower for token in cached_tokens(study.question.text)}
    stems = {token.stem for token in cached_tokens(study.question.text)}
    changes = any(
        token.lower in _CHANGES
        for token in sentence.tokens[max(0, candidate.first - 5) : candidate.first]
    )
    return changes and "by" not in asked and not stems & _CHANGE_STEMS


def is_excepted(study: Study, candidate: Candidate) -> bool:
    """ "Open daily except ON SUNDAYS": an answer to when it is not so, and to nothing else."""
    tokens = candidate.sentence.tokens
    before = [token.lower for token in tokens[max(0, candidate.first - 3) : candidate.first]]
    first = tokens[candidate.first].lower
    at = max((i for i, word in enumerate(before) if word in _EXCEPT), default=-1)
    quiet = all(word in DETERMINERS | PREPOSITIONS for word in before[at + 1 :])
    if (at < 0 or not quiet) and first not in _EXCEPT:
        return False
    words = {token.lower for token in cached_tokens(study.question.text)}
    return not words & (_EXCEPT | _NEGATIONS | _SHUT)


def is_adjective(study: Study, candidate: Candidate) -> bool:
    """ "French" of "French troops", where the question asks who."""
    tokens = candidate.sentence.tokens
    if AnswerType.PERSON not in study.question.types or candidate.last >= len(tokens):
        return False
    behind = tokens[candidate.last]
    is_plain = bool(behind.stem) and not (behind.is_capital or behind.is_number or is_verb(behind))
    return candidate.key in demonyms() and is_plain


def is_no_noun(study: Study, candidate: Candidate) -> bool:  # noqa: ARG001 - one of APART
    """A verb and no more: nothing that one has, sells or sees."""
    tokens = candidate.sentence.tokens[candidate.first : candidate.last]
    return candidate.form == Form.CHUNK and all(is_verb(token) for token in tokens)


def _is_denied(tokens: Sequence[Token], verb: int) -> bool:
    """ "Never built", "was not built", "didn't build"; another verb between ends the search."""
    for token in reversed(tokens[max(0, verb - _BEFORE_VERB) : verb]):
        if _negates(token):
            return True
        if is_verb(token) and token.lower not in AUXILIARIES | BE | HAVE:
            return False
    return False


def _negates(token: Token) -> bool:
    return token.lower in _NEGATIONS or token.lower.endswith(("n't", "n’t"))


APART = (
    is_denied,
    is_excepted,
    is_change,
    is_of_another_verb,
    is_origin,
    is_doer,
    is_around,
    is_giver,
    is_nowhere,
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
    is_told_of_another,
)
"""Each of them takes a span out of the choice, as far as another is to be had."""
