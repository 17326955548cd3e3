"""Which part of a sentence a span is of, where the sentence says the same of several things.

*Ardvarna had 340 inhabitants in 1851 and 96 in 1951*; *laptops are replaced every four years,
phones every three*: each part has its own value, and the later ones leave out what they share with
the first. A span is out of the choice where another of its form stands in the part that says what
is asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from clew.answering.asked_things import asked_subject
from clew.answering.candidates import Candidate, Form
from clew.answering.clause_subjects import finite_in
from clew.answering.evidence import cached_tokens
from clew.answering.frames import is_verb_form
from clew.answering.study import Study
from clew.retrieval.question.lexicon import DO
from clew.retrieval.question.records import Slot

_LEVELS = (
    frozenset({";", ":", "but", "while", "whereas"}),
    frozenset({";", ":", "but", "while", "whereas", ","}),
    frozenset({";", ":", "but", "while", "whereas", ",", "and"}),
)
_KINDS = (
    frozenset({Form.NUMBER, Form.QUANTITY}),
    frozenset({Form.DATE, Form.YEAR}),
    frozenset({Form.NAME}),
)
_OFTEN = frozenset({Form.DATE, Form.QUANTITY})
_MOST_TERMS = 6
"""A longer question leads through other things first."""
_LONGEST = 10
Part = tuple[int, int]


def is_in_other_part(study: Study, candidate: Candidate) -> bool:
    """Whether a span of the same form stands in a part that says more of what is asked about."""
    forms = _forms_like(candidate)
    tokens = candidate.sentence.tokens
    if not forms or len(study.question.terms) > _MOST_TERMS:
        return False
    if not any(token.lower in _LEVELS[-1] for token in tokens):
        return False
    asked = {token.lower for token in cached_tokens(study.question.text)}
    rivals = [
        other
        for other in study.hopper.candidates(candidate.sentence)
        if other.form in forms
        and (other.last <= candidate.first or candidate.last <= other.first)
        and not {token.lower for token in tokens[other.first : other.last]} <= asked
    ]
    return any(_loses(study, candidate, rival) for rival in rivals)


def has_own_subject(study: Study, candidate: Candidate) -> bool:
    """Whether a span stands in a part that leaves out its verb and names what is asked about: "Rosa
    died in 1960, ANTON in 1968".
    """
    part = _part(candidate, -1)
    spans = ((candidate.first, candidate.last),)
    return _is_elliptic(candidate, part) and bool([*_things(study, candidate, part, spans)])


def _forms_like(candidate: Candidate) -> frozenset[Form]:
    if candidate.text.casefold().startswith("every "):
        return _OFTEN
    return next((forms for forms in _KINDS if candidate.form in forms), frozenset())


def leaves_out_verb(candidate: Candidate) -> bool:
    """Whether a name begins a part without a verb: "…, and UWE BRANDT the help desk"."""
    low, high = _part(candidate, -1)
    return low == candidate.first and high > candidate.last and _is_elliptic(candidate, (low, high))


def _loses(study: Study, candidate: Candidate, rival: Candidate) -> bool:
    parts = _parting(candidate, rival)
    if parts is None:
        return False
    own, other, is_weak = parts
    spans = ((candidate.first, candidate.last), (rival.first, rival.last))
    mine = set(_things(study, candidate, own, spans))
    theirs = set(_things(study, candidate, other, spans))
    is_name = candidate.form == Form.NAME
    if not theirs - mine or (is_name and not _open_alike(candidate, rival, own, other)):
        return False
    if _is_elliptic(candidate, other) and own[0] < other[0]:
        return True
    if _is_elliptic(candidate, own):
        return not mine - theirs
    return not (is_weak or is_name) and _says_less(study, candidate, (own, mine), (other, theirs))


def _open_alike(candidate: Candidate, rival: Candidate, own: Part, other: Part) -> bool:
    """Whether each of two names opens its part, and more follows: "A runs the canteen, and B the
    help desk".
    """
    opens = (candidate.first, rival.first) == (own[0], other[0])
    return opens and candidate.last < own[1] and rival.last < other[1]


def _says_less(
    study: Study,
    candidate: Candidate,
    own: tuple[Part, set[int]],
    other: tuple[Part, set[int]],
) -> bool:
    """Of two whole clauses: the thing that is the subject of the question tells more than others,
    and a clause with its verb is not for one without.
    """
    (part, mine), (their_part, theirs) = own, other
    subject = asked_subject(study.question)
    stems = subject.stems if subject else frozenset()
    about = {at for at in mine | theirs if study.matching.terms[at].stem in stems}
    if about:
        mine, theirs = mine & about, theirs & about
    verbs = study.asked_verbs(candidate.sentence)
    says = any(part[0] <= at < part[1] for at in verbs)
    they_say = any(their_part[0] <= at < their_part[1] for at in verbs)
    return bool(theirs - mine) and not mine - theirs and they_say >= says


def _parting(one: Candidate, other: Candidate) -> tuple[Part, Part, bool] | None:
    """The parts that two spans are in, by the strongest mark that parts them, and whether that is a
    weak one: a comma or "and".
    """
    for level in range(len(_LEVELS)):
        first, second = _part(one, level), _part(other, level)
        if first != second:
            return first, second, level > 0
    return None


def _part(candidate: Candidate, level: int) -> Part:
    ends = _ends(candidate.sentence.text, level)
    low, high = ends[candidate.first][0], ends[candidate.last - 1][1]
    return (low + 1 if candidate.sentence.tokens[low].lower == "and" else low), high


@lru_cache(maxsize=16384)
def _ends(text: str, level: int) -> tuple[Part, ...]:
    """For each token of a sentence where its part begins and ends; a mark is one of its own."""
    tokens = cached_tokens(text)
    stops = [-1, *(at for at, t in enumerate(tokens) if t.lower in _LEVELS[level]), len(tokens)]
    ends: list[Part] = []
    for low, high in pairwise(stops):
        ends += [(low + 1, high)] * (high - low - 1)
        ends += [(high, high + 1)] * (high < len(tokens))
    return tuple(ends)


def _things(study: Study, candidate: Candidate, part: Part, spans: Sequence[Part]) -> Iterator[int]:
    """The terms of the question in a part, but for its verbs, for the noun of a value that it asks
    for ("what is the POPULATION"), and for what stands in the spans.
    """
    terms = study.matching.terms
    counts = study.question.slot in {Slot.HOW_MANY, Slot.HOW_MUCH}
    for at, term, _ in study.matching.places(candidate.sentence):
        inside = any(first <= at < last for first, last in spans)
        is_value = terms[term].is_focus and not counts
        is_thing = not (is_value or is_verb_form(terms[term].text.casefold()))
        if part[0] <= at < part[1] and not inside and is_thing:
            yield term


def _is_elliptic(candidate: Candidate, part: Part) -> bool:
    """A short later part without a verb of its own but "did", behind one that has a verb."""
    tokens, finite = candidate.sentence.tokens, finite_in(candidate.sentence.text)
    is_short = part[0] > 0 and part[1] - part[0] <= _LONGEST
    has_verb = any(finite[at] and tokens[at].lower not in DO for at in range(*part))
    return is_short and not has_verb and any(finite[: part[0]])
