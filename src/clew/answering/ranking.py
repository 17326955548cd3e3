"""Choosing a span: a log-linear ranker over :mod:`clew.answering.features`, then what no tuning set
teaches: the time that a question names, who does what to whom, what is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from clew.answering import weights
from clew.answering.alignment import is_in_other_part, leaves_out_verb
from clew.answering.attachment import APART
from clew.answering.candidates import VALUE_FORMS, Candidate, Form, answer_key
from clew.answering.dimensions import dimension_fit
from clew.answering.features import FEATURES, FeatureReader
from clew.answering.frames import Role, role_of
from clew.answering.intervals import Interval
from clew.answering.readings import Reading, readings_of
from clew.answering.study import Study
from clew.answering.time_scores import Times
from clew.retrieval.question.lexicon import PREPOSITIONS
from clew.retrieval.question.records import AnswerType, Slot
from clew.retrieval.question.tokens import tokenise

_INNER_ANSWERS = 3
_WEIGHED = 25
_COUNTS = frozenset({Slot.HOW_MANY, Slot.HOW_MUCH})
_VALUES = frozenset({AnswerType.DATE, AnswerType.NUMBER})


@dataclass(frozen=True, slots=True)
class Ranked:
    candidate: Candidate
    score: float
    share: float
    """The probability of the candidate's text under the ranker, all its places together."""
    reading: Reading | None = None
    """What the question is read as where this is the best; None for the question as asked."""


@dataclass(frozen=True, slots=True)
class Options:
    """Candidates with a row of features each, and what the constants that are not fitted add."""

    candidates: list[Candidate]
    rows: NDArray[np.float64]
    given: NDArray[np.float64]
    reading: Reading | None = None


class Ranker:
    """Orders the candidates of a study, best first: those of the question as it is asked together
    with those of its other readings.
    """

    def __init__(
        self, study: Study, reading: Reading | None = None, *, reads_anew: bool = True
    ) -> None:
        self.reads_anew = reads_anew
        self.study = study
        self.reading = reading
        self.question = study.question
        self.times = Times(study)

    @cached_property
    def ranked(self) -> list[Ranked]:
        known = {**weights.RANKER, **weights.BY_HAND}
        factors = np.array([known[name] for name in FEATURES])
        return _ordered([(o, o.rows @ factors + o.given) for o in self.options()])

    @cached_property
    def best(self) -> Ranked | None:
        """The most probable answer, all its places and readings together, cut as agrees most with
        all that may be the answer: of its cuts, and names that share a word with it, the one whose
        expected share of right words is greatest.
        """
        first: dict[str, Ranked] = {}
        for item in self.ranked:
            first.setdefault(item.candidate.key, item)
        likely = sorted(first.values(), key=lambda r: (-r.share, -r.score))[:_WEIGHED]
        if not likely:
            return None
        top = likely[0].candidate.key.split()
        cuts = [item for item in likely if agreement(top, item.candidate.key.split())]
        expected = [
            sum(o.share * agreement(c.candidate.key.split(), o.candidate.key.split()) for o in cuts)
            for c in cuts
        ]
        return cuts[int(np.argmax(np.round(expected, 9)))] if cuts else likely[0]

    def options(self) -> list[Options]:
        """What can be chosen from, the question as it is asked first."""
        readings = readings_of(self.study, _answers) if self.reads_anew else []
        others = [Ranker(r.study, r).options_of(r.candidates()) for r in readings]
        asked = self.options_of(self.study.candidates)
        asked.given[:] -= [weights.ONLY_DESCRIBED * self._is_described(c) for c in asked.candidates]
        return [o for o in (asked, *others) if o.candidates]

    def options_of(self, candidates: list[Candidate]) -> Options:
        """These candidates as the question of this ranker sees them."""
        matrix = FeatureReader(self.study, self.reading).matrix(candidates)
        given = self.times.scores(candidates)
        given -= weights.OTHER_SORT * np.array([self._is_other(c) for c in candidates])
        apart = [any(is_so(self.study, c) for is_so in APART) for c in candidates]
        given -= weights.OTHER_VERB * np.array(apart)
        aside = [is_in_other_part(self.study, c) for c in candidates]
        given -= weights.OTHER_PART * np.array(aside)
        given -= weights.PLACE_FOR_PERSON * np.array([self._is_place(c) for c in candidates])
        given += np.array([self._trusted(c) + self._dimension_score(c) for c in candidates])
        given -= np.array([self._repetition(c) for c in candidates])
        given += np.array([weights.SAME_PREPOSITION * self._follows(c) for c in candidates])
        return Options(candidates, matrix, given, self.reading)

    def _is_described(self, candidate: Candidate) -> bool:
        """Whether the span is the person that a description in the question means, where something
        else is asked for: "What did the son of Ola BECOME?"
        """
        if AnswerType.PERSON in self.question.types:
            return False
        return any(
            trail.last.candidate.key == candidate.key
            and plan.unexplained > 0
            and plan.steps[-1].kinds == (AnswerType.PERSON,)
            for plan, trails in self.study.trails
            for trail in trails
        )

    def plays_other_part(self, candidate: Candidate) -> bool:
        """Whether the span is what was bought where the buyer is asked for, or the other way."""
        asked = self.study.asked_role
        if asked == Role.NONE or leaves_out_verb(candidate):
            return False
        tokens = candidate.sentence.tokens
        roles = {
            role_of(tokens, at, candidate.first, candidate.last)
            for at in self.study.asked_verbs(candidate.sentence)
        }
        return -asked in roles and asked not in roles

    def _is_other(self, candidate: Candidate) -> bool:
        """A value where a name is asked for, or a name where a value is; a day for a year."""
        if self.question.focus == "year" and candidate.form == Form.DATE and candidate.day[1]:
            return True
        if self.question.slot in _COUNTS and candidate.form in {Form.DATE, Form.YEAR}:
            return True
        wanted = set(self.question.types)
        if AnswerType.OTHER in wanted or wanted & set(candidate.kinds):
            return False
        return (candidate.form in VALUE_FORMS) != bool(wanted & _VALUES)

    def _is_place(self, candidate: Candidate) -> bool:
        """A place and nothing else, where someone is asked for."""
        return AnswerType.PERSON in self.question.types and set(candidate.kinds) == {
            AnswerType.PLACE
        }

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
        if candidate.form == Form.NAME and any(
            _is_fuller(candidate.key.split(), name) for name in self._asked_names
        ):
            return weights.NAMES_IN_FULL
        edges = (stems[0] in self._plain_stems) + (stems[-1] in self._plain_stems)
        return weights.EDGE_REPEATS * edges

    @cached_property
    def _plain_stems(self) -> frozenset[str]:
        """Words of the question outside names, but for the noun that is asked for."""
        terms = self.question.terms
        return frozenset(term.stem for term in terms if not (term.in_name or term.is_focus))

    @cached_property
    def _asked_names(self) -> list[list[str]]:
        """Names of several words, where no name is what is asked for."""
        if any(cue.relation == "naming" for cue in self.question.relations):
            return []
        names = [answer_key(name.text).split() for name in self.question.names]
        return [name for name in names if len(name) > 1]

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


def _is_fuller(words: Sequence[str], name: Sequence[str]) -> bool:
    """ "Barry Jarvis Wesson" is Barry Wesson, and "Professor Ola Roe" Ola Roe."""
    if not len(name) < len(words) <= len(name) + 1 or words[-1] != name[-1]:
        return False
    return words[1:] == name or (words[0] == name[0] and set(name) <= set(words))


def agreement(one: Sequence[str], other: Sequence[str]) -> float:
    """F1 of the words of two answers."""
    common = sum((Counter(one) & Counter(other)).values())
    return 2 * common / (len(one) + len(other)) if common else 0.0


def _answers(study: Study) -> list[tuple[Candidate, float]]:
    """The best answers to a question that is read as it stands."""
    best: dict[str, tuple[Candidate, float]] = {}
    for item in Ranker(study, reads_anew=False).ranked:
        if len(best) == _INNER_ANSWERS:
            break
        best.setdefault(item.candidate.key, (item.candidate, item.share))
    return list(best.values())


def _ordered(scored: Sequence[tuple[Options, NDArray[np.float64]]]) -> list[Ranked]:
    best = max((float(scores.max()) for _, scores in scored), default=0.0)
    shares: dict[str, float] = {}
    tops: dict[tuple[int, int, int], tuple[float, Candidate, Reading | None]] = {}
    for options, scores in scored:
        mass = np.exp(np.clip(scores - best, -60, 0))
        for candidate, score, value in zip(options.candidates, scores, mass, strict=True):
            shares[candidate.key] = shares.get(candidate.key, 0.0) + float(value)
            place = (candidate.sentence.number, candidate.start, candidate.end)
            if place not in tops or score > tops[place][0]:
                tops[place] = (float(score), candidate, options.reading)
    total = sum(shares.values())
    found = [
        Ranked(candidate, score, shares[candidate.key] / total, reading)
        for score, candidate, reading in tops.values()
        if candidate.key
    ]
    return sorted(
        found,
        key=lambda r: (-round(r.score, 6), r.candidate.sentence.number, r.candidate.start),
    )
