"""What the model is shown: numbered statements, the strongest within a budget of tokens.

A statement is strong when its passage ranks high and when it holds much of the question, rare words
before common ones. The weakest are left out first; those that stay come in the order of their
passages and of the text, so that a pronoun follows its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clew.answering.evidence import Sentence
from clew.answering.study import Study
from clew.records import Fact
from clew.results import RetrievalItem
from clew.stores.base import GraphReader

_PASSAGE_WEIGHT = 0.5
_NEIGHBOUR_SHARE = 0.25
"""What a statement is worth for standing beside a strong one: it may name what that leaves out."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A statement with its number, from 1, and the facts that are its typed reading."""

    number: int
    sentence: Sentence
    item: RetrievalItem
    facts: tuple[Fact, ...] = ()

    @property
    def context(self) -> str:
        """What stands over the statement and is not in it."""
        parts = (self.item.title, *self.item.heading_path, self.sentence.context)
        return "\n".join(dict.fromkeys(part for part in parts if part))


def choose_pieces(
    study: Study, reader: GraphReader, *, most_tokens: int, count: Callable[[str], int]
) -> list[Piece]:
    """The strongest statements that fit into ``most_tokens``; ``count`` counts tokens."""
    strengths = _strengths(study)
    taken: list[Sentence] = []
    left = most_tokens
    for sentence in sorted(
        study.evidence.sentences, key=lambda s: (-strengths[s.number], s.number)
    ):
        size = count(f"{sentence.context}\n{sentence.text}")
        if size <= left:
            left -= size
            taken.append(sentence)
    facts = _facts_of(taken, reader)
    return [
        Piece(number, sentence, study.evidence.passage_of(sentence).item, facts[sentence.unit_id])
        for number, sentence in enumerate(sorted(taken, key=lambda s: s.number), 1)
    ]


def _strengths(study: Study) -> Mapping[int, float]:
    """The strength of each sentence by its number."""
    matching, evidence = study.matching, study.evidence
    best = max((passage.item.score for passage in evidence.passages), default=0.0) or 1.0
    own = {
        sentence.number: matching.share(matching.held(sentence))
        + _PASSAGE_WEIGHT * evidence.passage_of(sentence).item.score / best
        for sentence in evidence.sentences
    }
    lifted = dict(own)
    for passage in evidence.passages:
        for first, second in zip(passage.sentences, passage.sentences[1:], strict=False):
            for one, other in ((first, second), (second, first)):
                beside = own[one.number] + _NEIGHBOUR_SHARE * own[other.number]
                lifted[one.number] = max(lifted[one.number], beside)
    return lifted


def _facts_of(sentences: Sequence[Sentence], reader: GraphReader) -> Mapping[str, tuple[Fact, ...]]:
    ids = sorted({sentence.unit_id for sentence in sentences} - {""})
    numbers = reader.numbers_of("unit", ids)
    known = np.flatnonzero(numbers >= 0)
    found = reader.facts_of_units(numbers[known])
    facts: dict[str, tuple[Fact, ...]] = {sentence.unit_id: () for sentence in sentences}
    for at, own in zip(known.tolist(), found, strict=True):
        facts[ids[at]] = tuple(own)
    return facts
