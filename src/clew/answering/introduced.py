"""What a question brings in before it asks about it: "Toad Hall stands in *a university* located in
what city?" names Toad Hall, tells of a university, and asks about that.

The thing is the topic of a passage that hangs together with one about what is named: either names
the other, and what the topic is called says the noun, or is of its kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from clew.answering.evidence import Passage, Sentence
from clew.answering.frames import is_verb
from clew.answering.kinds import kind_of_passage
from clew.answering.lexicon.relating import RELATIVE
from clew.answering.study import Study
from clew.answering.things import Thing
from clew.retrieval.question.lexicon import NOUN_TYPES
from clew.retrieval.question.tokens import Token, tokenise
from clew.retrieval.question.wh import noun_types, singular

_LONGEST = 7  # words between the article and what follows the noun
_FOLLOW = frozenset("that which who whose where in from of by at on based with for".split())
_SAME_KIND = 0.6
_UNLINKED = 0.4
_FIRST_WORDS = 40


@dataclass(frozen=True, slots=True)
class Introduced:
    """The thing, the sentence that brings it in, and how surely (0–1); the question goes on at
    character ``end``.
    """

    thing: Thing
    sentence: Sentence
    strength: float
    end: int


def introduced_in(study: Study) -> list[Introduced]:
    """What the last noun phrase before the question word may stand for, the surest first."""
    place = _noun_phrase(study)
    if place is None:
        return []
    noun, end = place
    found = [
        one
        for passage in study.evidence.passages
        if passage.names and (one := _as(study, passage, noun, end)) is not None
    ]
    return sorted(found, key=lambda one: (-round(one.strength, 6), one.sentence.number))


def _noun_phrase(study: Study) -> tuple[str, int] | None:
    """The noun of "a (low budget) comedy" and where it ends: the last one before the word that
    asks, with a clause behind it.
    """
    question = study.question
    tokens = tokenise(question.text)
    asks = next((i for i, t in enumerate(tokens) if t.start == question.wh_start), -1)
    for at in range(asks - 2, 0, -1):
        if tokens[at].lower in {"a", "an", "the"}:
            noun = _noun_behind(tokens, at, asks)
            if tokens[at].lower == "the" and tokens[noun + 1].lower in RELATIVE:
                return None
            return (tokens[noun].lower, tokens[noun].end) if noun > 0 else None
    return None


def _noun_behind(tokens: Sequence[Token], article: int, asks: int) -> int:
    """The noun of a known kind that a clause follows; -1 when there is none."""
    for at in range(article + 1, min(article + _LONGEST, asks - 1)):
        if not tokens[at].is_word and tokens[at].text != "-":
            return -1
        follows = tokens[at + 1]
        is_noun = singular(tokens[at].lower) in NOUN_TYPES
        if is_noun and (
            follows.lower in _FOLLOW or is_verb(follows) or follows.lower.endswith("ly")
        ):
            return at
    return -1


def _as(study: Study, passage: Passage, noun: str, end: int) -> Introduced | None:
    name = passage.item.title.partition(" (")[0] or passage.names[0]
    thing = study.directory.thing(name)
    if passage.number not in thing.about or thing.key in _asked_keys(study):
        return None
    fit = _fit(passage, noun)
    sentence = _link(study, passage, thing) if fit else None
    if sentence is None:
        return None
    before = np.array([term.end <= end for term in study.matching.terms], dtype=float)
    weights = study.matching.weights * before
    total = float(weights.sum())
    held = float(weights @ study.matching.held(sentence)) / total if total else 0.0
    return Introduced(thing, sentence, fit * (_UNLINKED + (1 - _UNLINKED) * min(1.0, held)), end)


def _asked_keys(study: Study) -> set[str]:
    return {anchor.thing.key for anchor in study.anchors}


def _fit(passage: Passage, noun: str) -> float:
    """Whether the passage's opening calls its topic so, or says another noun of that kind."""
    if not passage.sentences:
        return 0.0
    opening = passage.sentences[0].tokens[:_FIRST_WORDS]
    if any(singular(token.lower) == singular(noun) for token in opening):
        return 1.0
    kind = kind_of_passage(passage)
    return _SAME_KIND if kind is not None and kind in noun_types(noun)[:1] else 0.0


def _link(study: Study, passage: Passage, thing: Thing) -> Sentence | None:
    """The sentence that names both the thing and what the question names."""
    for sentence in _linking(study, passage, thing):
        return sentence
    return None


def _linking(study: Study, passage: Passage, thing: Thing) -> Iterator[Sentence]:
    known = [anchor.thing for anchor in study.anchors if anchor.is_known]
    for anchor in known:
        for number in anchor.about:
            for sentence in study.evidence.passages[number].sentences:
                if number != passage.number and study.directory.mentions(sentence, thing):
                    yield sentence
    for anchor in known:
        for sentence in passage.sentences:
            if study.directory.mentions(sentence, anchor):
                yield sentence
