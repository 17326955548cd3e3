"""How well the place of a span beside the words of a relation lets it be the answer."""

from __future__ import annotations

from collections.abc import Sequence

from clew.answering.candidates import Candidate
from clew.answering.frames import Role, is_verb, role_of
from clew.answering.plans import Step
from clew.retrieval.question.lexicon import PREPOSITIONS
from clew.retrieval.question.records import AnswerType
from clew.retrieval.question.tokens import Token, stem_of

_REACH = 14
_VALUES = frozenset({AnswerType.DATE, AnswerType.NUMBER})
_COMPLEMENTS = _VALUES | {AnswerType.PLACE}


def nearness_of(
    tokens: Sequence[Token],
    cue: int,
    candidate: Candidate,
    step: Step,
    named: Sequence[tuple[int, int]],
) -> float:
    """How well the place of a span beside a cue lets it be the answer."""
    gap = candidate.first - cue - 1 if candidate.first > cue else cue - candidate.last
    if gap > _REACH:
        return 0.0
    role = role_of(tokens, cue, candidate.first, candidate.last)
    verb = is_verb(tokens[cue])
    exact = 1.0 if _same_root(tokens[cue].stem, stem_of(step.word)) else 0.85
    if step.role != Role.NONE and verb:
        if role == -step.role:
            return 0.0
        agreed = 1.0 if role == step.role else 0.5
    elif set(step.kinds) & _VALUES or AnswerType.PLACE in step.kinds:
        agreed = _complement(tokens, cue, candidate)
    elif not verb:
        agreed = 1.0 if role == Role.AGENT else 0.45
    else:
        agreed = {Role.AGENT: 0.95, Role.NONE: 0.5, Role.PATIENT: 0.55}[role]
    between = tokens[min(cue, candidate.first) + 1 : max(cue, candidate.last - 1)]
    if clause_ends(between):
        agreed *= 0.4
    if set(step.kinds) & _COMPLEMENTS and named and all(first > cue for first, _ in named):
        agreed *= 0.4
    crossed = _names_between(tokens, cue, candidate, named)
    return exact * agreed / (1 + 0.06 * gap) * 0.75**crossed


def _same_root(stem: str, other: str) -> bool:
    """ "direct" and "director", but not "chief" and "president"."""
    return stem == other or (stem[:5] == other[:5] and min(len(stem), len(other)) > 4)


def _complement(tokens: Sequence[Token], cue: int, candidate: Candidate) -> float:
    """Dates, places and numbers follow their verb, mostly behind a preposition."""
    if candidate.first < cue:
        return 0.5
    before = tokens[candidate.first - 1].lower
    return 1.0 if before in PREPOSITIONS or candidate.first - cue <= 2 else 0.7


def _names_between(
    tokens: Sequence[Token],
    cue: int,
    candidate: Candidate,
    named: Sequence[tuple[int, int]],
) -> int:
    """How many other names stand between the cue and the span."""
    low, high = (cue + 1, candidate.first) if cue < candidate.first else (candidate.last, cue)
    count = 0
    for at in range(low, high):
        own = any(first <= at < end for first, end in named)
        if tokens[at].is_capital and not own and (at == low or not tokens[at - 1].is_capital):
            count += 1
    return count


def clause_ends(between: Sequence[Token]) -> bool:
    return any(t.text == ";" or t.lower in {"but", "while", "although", "whereas"} for t in between)
