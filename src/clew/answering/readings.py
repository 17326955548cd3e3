"""A question with a description in it, read anew with what the description leads to in its place.

"Who was the first president of Damerjog's country?" is also read as "Who was the first president of
Djibouti?", where the evidence says where Damerjog lies. Descriptions are read from the innermost
outwards, each answer put into the next question; several answers are kept, and what they lead to is
weighed together with the question as it was asked (:mod:`clew.answering.ranking`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from clew.answering.candidates import VALUE_FORMS, Candidate
from clew.answering.chain import Trail, follow
from clew.answering.clause_ends import is_bare_verb
from clew.answering.evidence import Sentence
from clew.answering.frames import is_verb
from clew.answering.hops import resolved
from clew.answering.introduced import introduced_in
from clew.answering.lexicon.places import country_named, demonyms
from clew.answering.nested import leads_on, nested_in
from clew.answering.plans import Plan
from clew.answering.study import Study, mean_strength
from clew.answering.things import Anchor, Subject, Thing
from clew.retrieval.question import Question, Slot, analyse_question
from clew.retrieval.question.lexicon import (
    AUXILIARIES,
    BE,
    COUNTRY_NOUNS,
    FUNCTION_WORDS,
    PREPOSITIONS,
)
from clew.retrieval.question.tokens import Token, tokenise

MOST_STEPS = 3
BEAM = 3
LEAST_STRENGTH = 0.15
_UNEXPLAINED = 0.7
_RELATIVES = frozenset("that which who whom whose where when".split())
_ARTICLES = frozenset("the a an".split())
_NOUN_WORDS = 3
_CLAUSES = 1
"""Of how many readings of one length the clauses are asked about: each costs a ranking."""


@dataclass(frozen=True, eq=False)
class Reading:
    """``study`` asks the question that is left; ``thing`` has taken the place of the description,
    by the way of ``sentences``, in ``steps`` replacements; ``strength`` (0–1) is how surely.
    """

    study: Study
    thing: Thing
    strength: float
    steps: int
    sentences: tuple[Sentence, ...] = ()

    @cached_property
    def subject(self) -> Subject:
        return Subject(self.study.directory, self.thing)

    def candidates(self) -> list[Candidate]:
        """The spans in sentences about the thing."""
        return [
            candidate
            for sentence, _ in self.subject.sentences
            for candidate in self.study.hopper.candidates(sentence)
        ]


Answers = Callable[[Study], Sequence[tuple[Candidate, float]]]
"""The best answers to a question, each with its probability."""


def readings_of(study: Study, answers: Answers) -> list[Reading]:
    """Other readings of the question, those of fewer replacements first, at most ``BEAM`` of each
    number of replacements; ``answers`` finds what a clause describes that no known relation reads.
    """
    if study.question.slot in {Slot.YES_NO, Slot.COMPARISON}:
        return []
    found: list[Reading] = []
    seen = {study.question.text}
    beam = [Reading(study, Thing("", ""), 1.0, 0)]
    for _ in range(MOST_STEPS):
        grown = [new for old in beam for new in _further(old)]
        grown += [new for old in beam[:_CLAUSES] for new in _clause_replaced(old, answers)]
        if beam and beam[0].steps == 0:
            grown += _introduced(beam[0])
        beam = []
        for text, reading in sorted(grown, key=lambda pair: (-round(pair[1].strength, 6), pair[0])):
            if text not in seen and len(beam) < BEAM:
                seen.add(text)
                beam.append(_asking(reading, text))
        found += beam
    return found


def _asking(reading: Reading, text: str) -> Reading:
    study = reading.study.asking(analyse_question(text))
    return Reading(study, reading.thing, reading.strength, reading.steps, reading.sentences)


def _further(reading: Reading) -> Iterator[tuple[str, Reading]]:
    """The reading with one description more replaced, as the text of the question that is left."""
    study = reading.study
    for plan in study.plans:
        place = _place(study, plan)
        if place is None or plan.first is None:
            continue
        start, end = place
        inner = Plan(plan.anchor, plan.first.steps, 0)
        for trail in follow(study.hopper, inner)[:BEAM]:
            if not _is_name(trail.last.candidate):
                continue
            thing = _thing(study, trail.last.candidate, plan.first.steps[-1].noun)
            strength = _strength(trail, plan.first.unexplained) * reading.strength
            if strength < LEAST_STRENGTH:
                continue
            text = f"{study.question.text[:start]}{thing.name}{study.question.text[end:]}"
            way = tuple(dict.fromkeys((*reading.sentences, *(hop.sentence for hop in trail.hops))))
            yield text, Reading(study, thing, strength, reading.steps + 1, way)


def _clause_replaced(reading: Reading, answers: Answers) -> Iterator[tuple[str, Reading]]:
    """ "the man who took H4 to Jamaica": what answers the question that the clause asks."""
    study = reading.study
    if any(plan.unexplained == 0 and trails for plan, trails in study.trails):
        return
    nested = nested_in(study.question, [(a.start, a.end) for a in study.anchors])
    if nested is None:
        return
    inner = study.asking(analyse_question(nested.inner))
    for sentences, candidate, sure in _inner_answers(inner, answers):
        thing = _thing(study, candidate, nested.noun.rpartition(" ")[2])
        strength = sure * reading.strength
        if not _is_name(candidate):
            continue
        if strength >= LEAST_STRENGTH and leads_on(study, candidate, nested.noun):
            way = tuple(dict.fromkeys((*reading.sentences, *sentences)))
            steps = reading.steps + len(sentences)
            yield nested.outer(thing.name), Reading(study, thing, strength, steps, way)


def _inner_answers(
    inner: Study, answers: Answers
) -> Iterator[tuple[tuple[Sentence, ...], Candidate, float]]:
    """The ends of a chain that explains all of the question that a clause asks; where there is
    none, what is found otherwise.
    """
    chains = [trail for plan, trails in inner.trails if plan.unexplained == 0 for trail in trails]
    for trail in chains:
        yield tuple(h.sentence for h in trail.hops), trail.last.candidate, mean_strength(trail)
    if not chains:
        for candidate, share in answers(inner):
            yield (candidate.sentence,), candidate, share**0.5


def _is_name(candidate: Candidate) -> bool:
    """Whether a question can go on with it: it is no value, and something in it has a capital."""
    return candidate.form not in VALUE_FORMS and not candidate.text.islower()


def _thing(study: Study, candidate: Candidate, noun: str) -> Thing:
    """What the candidate names; for a country also what is of it: "the German" names Germany."""
    country = country_named(candidate.key) if noun in COUNTRY_NOUNS else ""
    if country and candidate.key in demonyms():
        return study.directory.thing(country.title())
    return resolved(study.directory, candidate)


def _introduced(reading: Reading) -> Iterator[tuple[str, Reading]]:
    """ "Toad Hall stands in a university located in what city?": the university, by its name."""
    study = reading.study
    for found in introduced_in(study)[:BEAM]:
        text = f"{found.thing.name}{study.question.text[found.end :]}"
        yield text, Reading(study, found.thing, found.strength, 1, (found.sentence,))


def _strength(trail: Trail, unexplained: int) -> float:
    return float(mean_strength(trail) * _UNEXPLAINED**unexplained)


def _place(study: Study, plan: Plan) -> tuple[int, int] | None:
    """Where the description stands that the plan's first step reads; None where it is none: it
    holds what is asked for, it is the whole of the question, or it is no noun phrase.
    """
    if plan.first is None:
        return None
    question = study.question
    tokens = tokenise(question.text)
    first, end = plan.first.first, plan.first.end
    anchor = next(at for at, token in enumerate(tokens) if token.end > plan.anchor.start)
    first = _behind_verb(tokens, _behind_clause(tokens, first, anchor, end), anchor)
    if first == anchor:
        first = _head_before(tokens, anchor, end)
    if first < 0 or not _opens_phrase(tokens, first, anchor):
        return None
    if first and tokens[first - 1].lower in _ARTICLES:
        first -= 1
    if _is_stranded(tokens, end):
        end += 1
    start, stop = tokens[first].start, tokens[end - 1].end
    if start <= question.wh_start < stop or _has_comma(tokens[first:end], plan.anchor):
        return None
    if _holds_focus(question, start, stop) and tokens[first - 1].lower not in BE:
        return None
    left = [term for term in question.terms if not start <= term.start < stop]
    return (start, stop) if left else None


def _opens_phrase(tokens: Sequence[Token], first: int, anchor: int) -> bool:
    """Whether a noun phrase that means one thing can begin there."""
    if is_verb(tokens[first]) or tokens[first].lower in PREPOSITIONS:
        return False
    before = tokens[first - 1].lower if first else ""
    return first == anchor or before in _ARTICLES - {"a", "an"} or before in PREPOSITIONS


def _is_stranded(tokens: Sequence[Token], at: int) -> bool:
    """ "the country Norr is located IN": a preposition that ends its clause."""
    if at >= len(tokens) or tokens[at].lower not in PREPOSITIONS:
        return False
    if at + 1 == len(tokens) or not tokens[at + 1].is_word or is_verb(tokens[at + 1]):
        return True
    return is_bare_verb(tokens, at + 1)


def _has_comma(tokens: Sequence[Token], anchor: Anchor) -> bool:
    """Whether the phrase goes on behind a comma that is none of the name's."""
    return any(
        token.text == "," and not anchor.start <= token.start < anchor.end for token in tokens
    )


def _holds_focus(question: Question, start: int, stop: int) -> bool:
    return any(start <= term.start < stop for term in question.terms if term.is_focus)


def _behind_clause(tokens: Sequence[Token], first: int, anchor: int, end: int) -> int:
    """Only what stands behind "where" in "the country where the composer of X": the clause goes on
    behind the description.
    """
    if any(is_verb(token) or token.lower in BE for token in tokens[anchor + 1 : end]):
        return first
    inside = [at for at in range(first, anchor) if tokens[at].lower in _RELATIVES]
    if not inside or any(is_verb(token) for token in tokens[inside[-1] : anchor]):
        return first
    at = inside[-1] + 1
    while at < anchor and tokens[at].lower in FUNCTION_WORDS:
        at += 1
    return at


def _behind_verb(tokens: Sequence[Token], first: int, anchor: int) -> int:
    """Only what stands behind "did" in "university did the author of X", if no clause holds it."""
    for at in range(anchor - 1, first, -1):
        if tokens[at].lower in _RELATIVES:
            break
        if tokens[at].lower in AUXILIARIES:
            return next(i for i in range(at + 1, anchor + 1) if tokens[i].lower not in _ARTICLES)
    return first


def _head_before(tokens: Sequence[Token], anchor: int, end: int) -> int:
    """The noun before "(that) X bought": the description begins there; the anchor itself begins
    "X's mother"; -1 where neither is so.
    """
    if any(token.lower == "'s" for token in tokens[anchor:end]):
        return anchor
    at = anchor - 1
    while at >= 0 and tokens[at].lower in _RELATIVES | PREPOSITIONS | _ARTICLES:
        at -= 1
    first = at
    while first > 0 and at - first < _NOUN_WORDS and tokens[first].lower not in FUNCTION_WORDS:
        first -= 1
    if at < 0 or first == at or tokens[first].lower not in _ARTICLES:
        return -1
    return first + 1
