"""What the time asked for says of the candidates: which hold then, and which have been replaced.

A fact is retired only by a later one of the same slot of the same subject: the sentences must say
the question's predicate and be about its names. Facts that are typed know their time; otherwise the
sentence does, else the day on which it was said.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from clew.answering import weights
from clew.answering.candidates import Candidate
from clew.answering.evidence import Sentence
from clew.answering.intervals import (
    Interval,
    agreement,
    as_event,
    interval_of,
    is_former,
    says_change,
)
from clew.answering.study import Study
from clew.answering.time_statements import (
    asked_time,
    day_of_item,
    interval_of_facts,
    interval_of_statement,
)
from clew.records import Fact
from clew.retrieval.question.records import Day, TimeExpression, TimeKind

_REPLACING = frozenset({TimeKind.NOW, TimeKind.AT, TimeKind.BETWEEN, TimeKind.BEFORE})
Start = tuple[Day, int]


class Times:
    """The times of the candidates of a study."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.question = study.question
        self._intervals: dict[tuple[int, int, int], Interval | None] = {}

    def scores(self, candidates: list[Candidate]) -> NDArray[np.float64]:
        """What to add to the score of each candidate for the time that the question asks about."""
        scores = np.zeros(len(candidates))
        time = asked_time(self.question)
        if time is None:
            return scores
        change = says_change(self._without_times())
        holding: list[tuple[int, Interval]] = []
        for at, candidate in enumerate(candidates):
            interval = self.interval(candidate)
            if interval is not None and self.says_predicate(candidate.sentence):
                said = as_event(interval) if change else interval
                fit = agreement(said, time)
                scores[at] += _time_score(fit, said)
                if fit > 0 and self.is_wanted(candidate) and self.is_about(candidate.sentence):
                    holding.append((at, interval))
            if time.kind == TimeKind.NOW and is_former(
                candidate.sentence.text, candidate.start, candidate.end
            ):
                scores[at] -= weights.FORMER
        if time.kind in _REPLACING and not change:
            _prefer_latest(scores, holding)
            _prefer_fullest(scores, holding, time)
        return scores

    def _without_times(self) -> str:
        """The question without its times: in "last year" nothing comes to an end."""
        text = self.question.text
        for time in sorted(self.question.times, key=lambda t: -t.start):
            text = text[: time.start] + text[time.end :]
        return text

    def interval(self, candidate: Candidate) -> Interval | None:
        """When what the sentence says of the candidate holds."""
        key = (candidate.sentence.number, candidate.first, candidate.last)
        if key not in self._intervals:
            self._intervals[key] = self._interval(candidate)
        return self._intervals[key]

    def says_predicate(self, sentence: Sentence) -> bool:
        """Whether the sentence says anything of the question beside its names."""
        matching = self.study.matching
        held = matching.held(sentence)
        plain = [at for at, term in enumerate(matching.terms) if not term.in_name]
        return not plain or any(held[at] > 0 for at in plain)

    def is_about(self, sentence: Sentence) -> bool:
        """Whether the sentence, or what it leans on, holds the names of the question."""
        matching = self.study.matching
        held = matching.held(sentence)
        return all(held[at] > 0 for at, term in enumerate(matching.terms) if term.in_name)

    def is_wanted(self, candidate: Candidate) -> bool:
        return any(candidate.kinds.get(kind, 0.0) > 0.3 for kind in self.question.types)

    def _interval(self, candidate: Candidate) -> Interval | None:
        sentence = candidate.sentence
        facts = self._facts.get(sentence.unit_id, [])
        found = interval_of_facts(facts, candidate.text.casefold()) or self._written(candidate)
        if found is not None:
            return found
        item = self.study.evidence.passage_of(sentence).item
        said = next((fact.stated_at for fact in facts if fact.stated_at), "")
        precise = day_of_item(item)
        return interval_of_statement(sentence, said if "T" in said or not precise else precise)

    def _written(self, candidate: Candidate) -> Interval | None:
        """Names that the question gives do not part a candidate from its time; others do."""
        sentence = candidate.sentence
        spans = [
            (sentence.tokens[first].start, sentence.tokens[end - 1].end)
            for first, end in sentence.names
            if end <= candidate.first or candidate.last <= first
        ]
        asked = self.question.text.casefold()
        rivals = [(a, b) for a, b in spans if sentence.folded[a:b] not in asked]
        return interval_of(sentence.text, candidate.start, candidate.end, rivals)

    @cached_property
    def _facts(self) -> dict[str, list[Fact]]:
        """The facts of the units that are read."""
        ids = sorted({s.unit_id for s in self.study.evidence.sentences if s.unit_id})
        numbers = self.study.reader.numbers_of("unit", ids)
        known = [at for at, number in enumerate(numbers) if number >= 0]
        found = self.study.reader.facts_of_units(numbers[known])
        return {ids[at]: facts for at, facts in zip(known, found, strict=True) if facts}


def _prefer_latest(scores: NDArray[np.float64], holding: list[tuple[int, Interval]]) -> None:
    """Of several that hold then, without an end, the one that began last replaced the rest."""
    latest = max((_start(interval) for _, interval in holding), default=None)
    for at, interval in holding:
        if interval.is_open:
            scores[at] += weights.LATEST if _start(interval) == latest else -weights.LATEST


def _prefer_fullest(
    scores: NDArray[np.float64], holding: list[tuple[int, Interval]], time: TimeExpression
) -> None:
    """Of several that held for a part of the years asked for, the one that held longest."""
    if time.last[0] == time.first[0]:
        return
    fits = [agreement(interval, time) for _, interval in holding]
    for (at, _), fit in zip(holding, fits, strict=True):
        scores[at] += weights.LATEST if fit == max(fits) else -weights.LATEST


def _start(interval: Interval) -> Start:
    return interval.first, interval.second


def _time_score(fit: float, interval: Interval) -> float:
    """A date alone that fits says little: it may date anything."""
    if fit <= 0:
        return fit * weights.TIME_EXCLUDES
    return fit * (weights.TIME_COINCIDES if interval.is_point else weights.TIME_HOLDS)
