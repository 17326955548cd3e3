"""Choosing a span: a log-linear ranker over :mod:`clew.answering.features`, then what no tuning set
teaches: the time that a question names, who does what to whom, what is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from clew.answering import weights
from clew.answering.candidates import Candidate, Form
from clew.answering.dimensions import dimension_fit
from clew.answering.features import FEATURES, FeatureReader
from clew.answering.frames import Role, asked_role, is_verb, role_of
from clew.answering.intervals import Interval
from clew.answering.study import Study
from clew.answering.time_scores import Times
from clew.retrieval.question.lexicon import PREPOSITIONS
from clew.retrieval.question.records import AnswerType
from clew.retrieval.question.tokens import tokenise

_ROLE = FEATURES.index("role")
_OTHER_ROLE = FEATURES.index("role_other")
_COUNTED = FEATURES.index("unit_is_focus")
_GAP = FEATURES.index("single_gap")
_CALLED = FEATURES.index("called")
_VALUES = frozenset({AnswerType.DATE, AnswerType.NUMBER})
_VALUE_FORMS = frozenset({Form.DATE, Form.YEAR, Form.NUMBER, Form.QUANTITY})


@dataclass(frozen=True, slots=True)
class Ranked:
    candidate: Candidate
    score: float
    share: float
    """The probability of the candidate's text under the ranker, all its places together."""


def feature_matrix(study: Study) -> NDArray[np.float64]:
    """A row of features for each of ``study.candidates``."""
    return FeatureReader(study).matrix(study.candidates)


class Ranker:
    """Orders the candidates of a study, best first."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.question = study.question
        self.times = Times(study)

    @cached_property
    def ranked(self) -> list[Ranked]:
        candidates = self.study.candidates
        if not candidates:
            return []
        matrix = feature_matrix(self.study)
        scores = matrix @ np.array([weights.RANKER.get(name, 0.0) for name in FEATURES])
        scores += weights.ROLE_AGREES * matrix[:, _ROLE]
        scores -= weights.ROLE_DISAGREES * matrix[:, _OTHER_ROLE]
        scores += weights.COUNTED_NOUN * matrix[:, _COUNTED]
        scores -= weights.SAID_ELSEWHERE * matrix[:, _GAP]
        scores += weights.CALLED_SO * matrix[:, _CALLED]
        scores -= weights.OTHER_SORT * np.array([self._is_other(c) for c in candidates])
        scores += self.times.scores(candidates)
        scores += np.array([self._trusted(c) + self._dimension_score(c) for c in candidates])
        scores -= np.array([self._repetition(c) for c in candidates])
        scores += np.array([weights.SAME_PREPOSITION * self._follows(c) for c in candidates])
        return _ordered(candidates, scores)

    def plays_other_part(self, candidate: Candidate) -> bool:
        """Whether the span is what was bought where the buyer is asked for, or the other way."""
        asked = asked_role(self.question)
        if asked == Role.NONE:
            return False
        matching = self.study.matching
        verbs = [
            at
            for at, term, _ in matching.places(candidate.sentence)
            if not matching.terms[term].in_name and is_verb(candidate.sentence.tokens[at])
        ]
        tokens = candidate.sentence.tokens
        roles = {role_of(tokens, at, candidate.first, candidate.last) for at in verbs}
        return -asked in roles and asked not in roles

    def _is_other(self, candidate: Candidate) -> bool:
        """A value where a name is asked for, or a name where a value is."""
        wanted = set(self.question.types)
        if AnswerType.OTHER in wanted or wanted & set(candidate.kinds):
            return False
        return (candidate.form in _VALUE_FORMS) != bool(wanted & _VALUES)

    def _trusted(self, candidate: Candidate) -> float:
        """A chain that takes up every word of the question outweighs what merely stands near."""
        return weights.CHAIN_TRUST * self.study.proven(candidate)

    def _follows(self, candidate: Candidate) -> bool:
        """Whether the span stands behind the preposition of "made OF what", "IN what language"."""
        tokens = candidate.sentence.tokens
        first = candidate.first
        if first and tokens[first - 1].lower in {"the", "a", "an"}:
            first -= 1
        return first > 0 and tokens[first - 1].lower in self._prepositions

    @cached_property
    def _prepositions(self) -> frozenset[str]:
        if AnswerType.DATE in self.question.types:
            return frozenset()
        words = [token.lower for token in tokenise(self.question.text) if token.is_word]
        edges = {words[-1]}
        if len(words) > 1 and words[1] == self.question.wh:
            edges.add(words[0])
        return frozenset(edges & PREPOSITIONS)

    def _repetition(self, candidate: Candidate) -> float:
        """What a span loses for the question's own words: all of them, or at its edges."""
        tokens = candidate.sentence.tokens[candidate.first : candidate.last]
        stems = [token.stem for token in tokens if token.stem]
        if not stems:
            return 0.0
        if self._asked_stems.issuperset(stems):
            return weights.ONLY_REPEATS
        edges = (stems[0] in self._plain_stems) + (stems[-1] in self._plain_stems)
        return weights.EDGE_REPEATS * edges

    @cached_property
    def _plain_stems(self) -> frozenset[str]:
        """Words of the question outside names, but for the noun that is asked for."""
        terms = self.question.terms
        return frozenset(term.stem for term in terms if not (term.in_name or term.is_focus))

    @cached_property
    def _asked_stems(self) -> frozenset[str]:
        return frozenset(term.stem for term in self.question.terms)

    def _dimension_score(self, candidate: Candidate) -> float:
        """ "How tall" wants metres and not passengers."""
        fit = dimension_fit(candidate, self.question)
        return weights.DIMENSION_FITS * fit if fit > 0 else weights.DIMENSION_DIFFERS * fit

    def interval(self, candidate: Candidate) -> Interval | None:
        """When what the sentence says of the candidate holds."""
        return self.times.interval(candidate)


def _ordered(candidates: list[Candidate], scores: NDArray[np.float64]) -> list[Ranked]:
    mass = np.exp(np.clip(scores - scores.max(), -60, 0))
    total = float(mass.sum())
    shares: dict[str, float] = {}
    for candidate, value in zip(candidates, mass, strict=True):
        shares[candidate.key] = shares.get(candidate.key, 0.0) + float(value) / total
    found = [
        Ranked(candidate, float(score), shares[candidate.key])
        for candidate, score in zip(candidates, scores, strict=True)
        if candidate.key
    ]
    return sorted(
        found,
        key=lambda r: (-round(r.score, 6), r.candidate.sentence.number, r.candidate.start),
    )
