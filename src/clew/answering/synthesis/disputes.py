"""Pieces of evidence that contradict each other, found by their facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clew.answering.synthesis.pieces import Piece
from clew.graph.contradictions import Contradiction, contradictions
from clew.graph.ontology.schema import Ontology
from clew.records import Fact


@dataclass(frozen=True, slots=True)
class Dispute:
    """A contradiction, and the numbers of the pieces that have its facts."""

    contradiction: Contradiction
    numbers: tuple[int, ...]

    @property
    def told(self) -> str:
        pieces = " and ".join(f"[{number}]" for number in self.numbers)
        return f"{pieces}: {self.contradiction.reason}"

    def concerns(self, facts: Iterable[Fact]) -> bool:
        """Whether one of ``facts`` is disputed."""
        disputed = {fact.id for fact in self.contradiction.facts}
        return any(fact.id in disputed for fact in facts)


def disputes_among(pieces: Sequence[Piece], ontology: Ontology) -> list[Dispute]:
    """What contradicts what among the facts of ``pieces``."""
    number_of = {fact.id: piece.number for piece in pieces for fact in piece.facts}
    facts = {fact.id: fact for piece in pieces for fact in piece.facts}
    return [
        Dispute(found, tuple(sorted({number_of[fact.id] for fact in found.facts})))
        for found in contradictions(facts.values(), ontology)
    ]
