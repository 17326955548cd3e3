"""Yes or no: whether a sentence that speaks of what is asked says so, or says otherwise.

The words of the question are looked for in one sentence about its subject. All found: yes, turned
by a "not" on either side and by words that mean the opposite. A date, number or name that differs
while the rest is found: no. Anything else found nowhere: no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clew.answering.evidence import Sentence
from clew.answering.frames import Role, role_of
from clew.answering.intervals import agreement, find_intervals
from clew.answering.matching import Vector
from clew.answering.study import Study
from clew.answering.support import Finding, distinct
from clew.answering.things import Subject
from clew.retrieval.question.lexicon import (
    AUXILIARIES,
    NEGATIONS,
    NOUN_TYPES,
    NUMBER_WORDS,
    PERSONAL_PRONOUNS,
    PLURAL_PRONOUNS,
    THING_PRONOUNS,
)
from clew.retrieval.question.records import ContentTerm
from clew.retrieval.question.relations import relations_of_word
from clew.retrieval.question.tokens import fold, stem_of, tokenise

LEAST_SHARE = 0.72
LEAST_FRAME = 0.5
_LACKING = frozenset("missing lacks lack lacked lacking absent unavailable".split())
_LACKING_REACH = 3

_PRONOUN_GROUPS = (PERSONAL_PRONOUNS, THING_PRONOUNS, PLURAL_PRONOUNS)
_OPPOSITES = (
    "open closed",
    "opened closed",
    "alive dead",
    "living dead",
    "free paid",
    "public private",
    "legal illegal",
    "allowed forbidden",
    "allowed prohibited",
    "permitted forbidden",
    "active inactive",
    "active closed",
    "true false",
    "safe dangerous",
    "won lost",
    "accepted rejected",
    "approved rejected",
    "begun ended",
    "old new",
    "hot cold",
    "large small",
    "married unmarried",
    "married single",
    "guilty innocent",
    "enabled disabled",
    "included excluded",
    "same different",
    "empty full",
    "complete incomplete",
    "finished unfinished",
    "possible impossible",
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What one sentence says: ``agrees`` yes or no, ``share`` how much of it it covers."""

    sentence: Sentence
    share: float
    agrees: bool


def decide(study: Study) -> Finding | None:
    """Answer yes or no, with what says otherwise; None when no sentence speaks of it."""
    readings = sorted(_readings(study), key=lambda r: (-round(r.share, 4), r.sentence.number))
    if not readings:
        return None
    top = readings[0]
    against = [
        r
        for r in readings
        if r.agrees != top.agrees and r.share >= top.share - 0.05 and r.sentence is not top.sentence
    ]
    rivals = distinct([r.sentence for r in against[:1]])
    return Finding(
        text="yes" if top.agrees else "no",
        method="polarity",
        sentences=(top.sentence,),
        certainty=0.5 if rivals else min(1.0, top.share),
        rivals=rivals,
        rival_texts=("no" if top.agrees else "yes",) if rivals else (),
        is_span=False,
    )


def _readings(study: Study) -> list[Reading]:
    weights = _predicate_weights(study)
    found = []
    for sentence in study.evidence.sentences:
        if study.anchors and not _is_about(study, sentence):
            continue
        reading = _read(study, sentence, weights)
        if reading is not None:
            found.append(reading)
    return found


def _is_about(study: Study, sentence: Sentence) -> bool:
    known = [a for a in study.anchors if a.is_known]
    return any(Subject(study.directory, anchor.thing).strength(sentence) > 0 for anchor in known)


def _names_held(study: Study, sentence: Sentence, held: Vector) -> bool:
    """At least half of the words of each name of the question; one pronoun stands for one name."""
    terms = study.matching.terms
    said = study.matching.said(sentence)
    about = fold(f"{sentence.topic} {sentence.context}")
    by_pronoun = 0
    for name in study.question.names:
        inside = [i for i, term in enumerate(terms) if name.start <= term.start < name.end]
        if inside and 2 * sum(held[i] > 0 for i in inside) < len(inside):
            return False
        by_pronoun += not any(said[i] for i in inside) and fold(name.text) not in about
    words = {token.lower for token in sentence.tokens}
    return by_pronoun <= len([group for group in _PRONOUN_GROUPS if group & words])


def _predicate_weights(study: Study) -> Vector:
    """All terms weigh by rarity; times are judged apart."""
    times = [(time.start, time.end) for time in study.question.times]
    raw = np.array(
        [
            0.0 if any(a <= term.start < b for a, b in times) else rarity
            for term, rarity in zip(study.matching.terms, study.matching.rarity, strict=True)
        ]
    )
    total = raw.sum() if len(raw) else 0.0
    return raw / total if total else raw


def _read(study: Study, sentence: Sentence, weights: Vector) -> Reading | None:
    held = study.matching.held(sentence).copy()
    turned = _turned(study.matching.terms, sentence, held)
    share = float(weights @ np.minimum(1.0, held / 0.8)) if len(weights) else 0.0
    times = _times_agree(study, sentence)
    agrees = _is_negated(study, sentence) == study.question.negated
    if turned:
        agrees = not agrees
    if times is not None:
        agrees = agrees and times
    if (
        share >= LEAST_SHARE
        and _predicate_held(study, held)
        and (_names_held(study, sentence, held))
    ):
        if _is_reversed(study, sentence):
            agrees = not agrees
        return Reading(sentence, share, agrees)
    is_negated = _is_negated(study, sentence)
    if not is_negated and _states_other_value(study, sentence, held, share):
        return Reading(sentence, share + 0.1, study.question.negated)
    return None


def _predicate_held(study: Study, held: Vector) -> bool:
    """Every word outside names that is no mere type of thing must be found."""
    for term, strength in zip(study.matching.terms, held, strict=True):
        needed = not term.in_name and term.text.casefold() not in NOUN_TYPES
        is_time = any(t.start <= term.start < t.end for t in study.question.times)
        if needed and not is_time and strength == 0:
            return False
    return True


def _turned(terms: Sequence[ContentTerm], sentence: Sentence, held: Vector) -> bool:
    """Whether the sentence says the opposite of a word of the question; counts it as found."""
    stems = {token.stem for token in sentence.tokens if token.stem}
    turned = False
    for at, term in enumerate(terms):
        if held[at] == 1.0:
            continue
        for pair in _OPPOSITES:
            one, other = (stem_of(word) for word in pair.split())
            opposite = other if term.stem == one else one if term.stem == other else ""
            if opposite and opposite in stems:
                held[at] = 1.0
                turned = not turned
                break
    return turned


def _is_negated(study: Study, sentence: Sentence) -> bool:
    """A "not" within reach of a word of the predicate, in the same clause."""
    tokens = sentence.tokens
    terms = study.matching.terms
    cues = [at for at, term, _ in study.matching.places(sentence) if not terms[term].in_name]
    count = 0
    for at, token in enumerate(tokens):
        if token.lower in NEGATIONS or (token.lower == "longer" and tokens[at - 1].lower == "no"):
            near = any(0 < cue - at <= 6 or 0 < at - cue <= 2 for cue in cues) or not cues
            if near and not any(t.text == ";" for t in tokens[at : at + 3]):
                count += token.lower != "longer"
        elif token.lower in _LACKING:
            all_places = [place for place, _, _ in study.matching.places(sentence)]
            count += any(
                0 < abs(place - at) <= _LACKING_REACH
                and not any(t.text == ";" for t in tokens[min(place, at) : max(place, at)])
                for place in all_places
            )
    return count % 2 == 1


def _times_agree(study: Study, sentence: Sentence) -> bool | None:
    """Whether a time of the sentence holds at the time asked for; None when none is said."""
    question = study.question
    intervals = find_intervals(sentence.text)
    if question.times and question.times[0].first != (0, 0, 0):
        fits = [agreement(interval, question.times[0]) for interval in intervals]
        return max(fits) > 0 if fits else None
    if question.present and intervals and all(not i.is_point for i in intervals):
        return any(interval.is_open for interval in intervals)
    return None


def _is_reversed(study: Study, sentence: Sentence) -> bool:
    """ "Did A buy B?" against "B bought A"."""
    anchors = [anchor for anchor in study.anchors if anchor.is_known]
    if len(anchors) != 2:
        return False
    tokens = tokenise(study.question.text)
    between = [
        t
        for t in tokens
        if anchors[0].end <= t.start < anchors[1].start and t.lower not in AUXILIARIES
    ]
    verbs = [t for t in between if relations_of_word(t.lower)]
    if len(verbs) != 1 or any(t.lower == "by" for t in between):
        return False
    first = study.directory.mentions(sentence, anchors[0].thing)
    if not first:
        return False
    stems = next(t.alternatives for t in study.question.terms if t.start == verbs[0].start)
    for at, token in enumerate(sentence.tokens):
        if token.stem in stems and role_of(sentence.tokens, at, *first[0]) == Role.PATIENT:
            return True
    return False


def _states_other_value(study: Study, sentence: Sentence, held: Vector, share: float) -> bool:
    """Whether only a value is missing, and the sentence gives another of its kind."""
    terms = study.matching.terms
    missing = [at for at, strength in enumerate(held) if strength == 0]
    times = [t for t in study.question.times if t.first != (0, 0, 0)]
    missing = [m for m in missing if not any(t.start <= terms[m].start < t.end for t in times)]
    if not missing:
        return False
    rest = [at for at in range(len(terms)) if at not in missing and not terms[at].in_name]
    has_cue = any(held[at] > 0 and relations_of_word(terms[at].text) for at in rest)
    if not has_cue or share < LEAST_FRAME:
        return False
    if all(_is_number(terms[at]) for at in missing):
        return any(
            token.is_number or token.lower in NUMBER_WORDS
            for token in sentence.tokens
            if token.stem not in {term.stem for term in terms}
        )
    if all(terms[at].in_name for at in missing):
        return _names_another(study, sentence, [terms[at] for at in missing])
    return False


def _is_number(term: ContentTerm) -> bool:
    return term.text[0].isdigit() or term.text.casefold() in NUMBER_WORDS


_CYCLES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december christmas easter".split()
)


def _names_another(study: Study, sentence: Sentence, missing: Sequence[ContentTerm]) -> bool:
    """Another name of the same kind stands where the missing one would."""
    if any(term.text.casefold().rstrip("s") in _CYCLES for term in missing):
        return False
    spans = [(name.start, name.end) for name in study.question.names]
    whole = {span for span in spans for term in missing if span[0] <= term.start < span[1]}
    if len(whole) != 1:
        return False
    asked = {term.stem for term in study.matching.terms}
    for first, end in sentence.names:
        stems = {token.stem for token in sentence.tokens[first:end] if token.stem}
        if stems and not stems & asked:
            return True
    return False
