"""Answers from typed facts: the relation is asked for, and a fact states it.

Where an extraction by a model, or somebody by hand, has brought facts, the chain of relations of a
question (:mod:`clew.answering.steps`) is followed through them: the thing is the fact's subject and
the answer its object, or the other way round, as the form of the predicate tells ("founded",
"founded by", "founder", "founder of"). The statement that the fact was read from is cited.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from clew.answering.evidence import Sentence
from clew.answering.frames import Role, is_verb_form
from clew.answering.plans import Plan, Step
from clew.answering.study import Study
from clew.answering.support import Finding, distinct
from clew.answering.things import plain
from clew.records import Fact
from clew.retrieval.question.records import AnswerType
from clew.retrieval.question.tokens import tokenise
from clew.stores.base import GraphReader

_CERTAINTY = 0.95
_VALUES = frozenset({AnswerType.DATE, AnswerType.NUMBER})


@dataclass(frozen=True, slots=True)
class _Reached:
    """What a fact leads to, with all that was stated on the way."""

    name: str
    way: tuple[tuple[Fact, Sentence], ...]


def state(study: Study, reader: GraphReader) -> Finding | None:
    """Follow a chain that explains the whole question through facts; None where one is missing,
    where two say otherwise, and for questions of a time, which other ways of answering weigh.
    """
    question = study.question
    plans = [plan for plan in study.plans if plan.unexplained == 0]
    if not plans or question.times or question.events or question.history:
        return None
    stated = _facts_of(study, reader)
    if not stated:
        return None
    for plan in plans:
        reached = _follow(plan, stated)
        if reached:
            return _finding(reached)
    return None


def _facts_of(study: Study, reader: GraphReader) -> list[tuple[Fact, Sentence]]:
    """Plain assertions of the evidence, each with the sentence that it was read from."""
    sentences = [sentence for sentence in study.evidence.sentences if sentence.unit_id]
    numbers = reader.numbers_of("unit", [sentence.unit_id for sentence in sentences])
    known = np.flatnonzero(numbers >= 0)
    found = reader.facts_of_units(numbers[known])
    return [
        (fact, sentences[int(at)])
        for at, facts in zip(known, found, strict=True)
        for fact in facts
        if not (fact.negated or fact.speech_act or fact.modality or fact.condition)
        and not (fact.time_end and study.question.present)
    ]


def _follow(plan: Plan, stated: list[tuple[Fact, Sentence]]) -> _Reached | None:
    reached = _Reached(plan.anchor.thing.name, ())
    for step in plan.steps:
        following = {plain(one.name): one for one in _answers(reached, step, stated)}
        if len(following) != 1:
            return None
        reached = next(iter(following.values()))
    return reached


def _answers(
    reached: _Reached, step: Step, stated: list[tuple[Fact, Sentence]]
) -> Iterator[_Reached]:
    thing = plain(reached.name)
    order = sorted(stated, key=lambda pair: (-pair[0].confidence, pair[1].number, pair[0].id))
    for fact, sentence in order:
        if not _says(fact.predicate, step) or any(fact == done for done, _ in reached.way):
            continue
        for here, there, is_object in (
            (fact.subject, fact.object, True),
            (fact.object, fact.subject, False),
        ):
            fits = plain(here) == thing and bool(there) and _may_be(there, step)
            if fits and _leads(fact, step, is_object=is_object):
                yield _Reached(there, (*reached.way, (fact, sentence)))


def _says(predicate: str, step: Step) -> bool:
    return any(stem in step.stems for stem in _stems_of(predicate))


@lru_cache(maxsize=4096)
def _stems_of(predicate: str) -> tuple[str, ...]:
    return tuple(token.stem for token in tokenise(predicate.replace("_", " ")) if token.stem)


def _leads(fact: Fact, step: Step, *, is_object: bool) -> bool:
    """Whether the answer may stand at that end of the fact."""
    words = fact.predicate.replace("_", " ").casefold().split()
    if "by" in words:
        return is_object == (step.role != Role.PATIENT)
    if any(is_verb_form(word) for word in words):
        if set(step.kinds) & (_VALUES | {AnswerType.PLACE}):
            return is_object
        return step.role == Role.NONE or is_object == (step.role == Role.PATIENT)
    return is_object != (words[-1] == "of")


def _may_be(text: str, step: Step) -> bool:
    """A date or a number has a digit or is short; a place and a person have none."""
    has_digit = any(character.isdigit() for character in text)
    if set(step.kinds) & _VALUES:
        return has_digit or AnswerType.DATE not in step.kinds
    return not (has_digit and {AnswerType.PERSON, AnswerType.PLACE} & set(step.kinds))


def _finding(reached: _Reached) -> Finding:
    sentences = distinct([sentence for _, sentence in reached.way])
    last, said = reached.way[-1]
    certainty = _CERTAINTY * min(fact.confidence for fact, _ in reached.way)
    return Finding(
        text=reached.name,
        method="fact",
        sentences=sentences,
        certainty=certainty,
        is_span=reached.name in said.text,
        trace={"facts": [fact.id for fact, _ in reached.way], "predicate": last.predicate},
    )
