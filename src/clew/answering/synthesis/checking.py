"""Whether what a model says is borne out by what it cites.

A citation must exist. A sentence is borne out when its names, numbers and dates stand in the pieces
it cites, or over them (title, section, table header), and when those pieces hold enough of its
words. A citation of its own is false when another piece says clearly more of the sentence than it
does, or when it denies what the sentence says. A sentence that cites nothing gets the piece that
bears it out, if there is one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from clew.answering.synthesis.pieces import Piece
from clew.answering.synthesis.reading import SaidSentence
from clew.extraction.grounding import Grounds
from clew.results import Doubt
from clew.text.words import terms

LEAST_SHARE = 0.45
"""How much of the words of a sentence, rare ones before common ones, its pieces must hold."""

CLEARLY_LESS = 0.75
"""A citation that holds less than this part of what the best piece holds is false."""

OWN_SHARE = 0.2
"""Of several citations, one is right that alone holds so much of the words of the sentence."""

_NEGATIONS = re.compile(
    r"\b(?:not|never|no|neither|nor|without|cannot|nobody|nothing|none)\b|n['’]t\b", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedSentence:
    """``cites`` are the numbers of pieces that bear the sentence out; ``doubts`` say what was wrong
    with it.
    """

    text: str
    cites: tuple[int, ...] = ()
    doubts: tuple[Doubt, ...] = ()

    @property
    def is_supported(self) -> bool:
        return bool(self.cites)


class Checker:
    """Holds sentences against the pieces that a model was shown."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = {piece.number: piece for piece in pieces}
        self._stems = {
            number: frozenset(terms(f"{piece.sentence.text}\n{piece.context}"))
            for number, piece in self._pieces.items()
        }
        self._rarity = _rarity(self._stems)

    def check(self, said: SaidSentence) -> CheckedSentence:
        """Keep the citations that bear the sentence out, and say what is wrong with the others."""
        doubts = [
            Doubt(sentence=said.text, citation=number, reason="there is no such piece of evidence")
            for number in said.cites
            if number not in self._pieces
        ]
        known = [number for number in said.cites if number in self._pieces]
        shares = {number: self._share(said.text, number) for number in self._pieces}
        best = max(shares.values(), default=0.0)
        kept = []
        for number in known:
            reason = self._falsity(said.text, number, shares, best, others=known)
            if reason:
                doubts.append(Doubt(sentence=said.text, citation=number, reason=reason))
            else:
                kept.append(number)
        if not self._bears_out(said.text, kept):
            found = self._found(said.text, shares)
            if kept or not found:
                reason = self._lack(said.text, kept)
                doubts.append(Doubt(sentence=said.text, citation=None, reason=reason))
            kept = found
        return CheckedSentence(text=said.text, cites=tuple(kept), doubts=tuple(doubts))

    def holds(self, short: str, numbers: Sequence[int]) -> bool:
        """Whether the names and numbers of a short answer stand in the pieces of these numbers."""
        return not self._grounds(numbers).unsupported(f"… {short}")

    def _falsity(
        self,
        text: str,
        number: int,
        shares: Mapping[int, float],
        best: float,
        *,
        others: Sequence[int],
    ) -> str:
        """Why a citation is false, or ``""``."""
        piece = self._pieces[number]
        if _is_negated(text) != _is_negated(piece.sentence.text) and shares[number] >= LEAST_SHARE:
            return "the cited text denies what the sentence says, or the reverse"
        if shares[number] < CLEARLY_LESS * best and not self._adds(text, number, others):
            return "another piece says what the sentence says; the cited one does not"
        return ""

    def _adds(self, text: str, number: int, others: Sequence[int]) -> bool:
        """Whether the piece holds words of the sentence that no other cited piece holds."""
        if len(others) < 2:
            return False
        said = frozenset(terms(text))
        elsewhere = frozenset().union(*(self._stems[one] for one in others if one != number))
        own = (said & self._stems[number]) - elsewhere
        total = self._weight(said)
        return total > 0 and self._weight(own) / total >= OWN_SHARE

    def _bears_out(self, text: str, numbers: Sequence[int]) -> bool:
        if not numbers:
            return False
        if not self._grounds(numbers).support(text):
            return False
        held = frozenset().union(*(self._stems[number] for number in numbers))
        said = frozenset(terms(text))
        total = self._weight(said)
        return not total or self._weight(said & held) / total >= LEAST_SHARE

    def _lack(self, text: str, numbers: Sequence[int]) -> str:
        if not numbers:
            return "nothing that was cited, and no other piece, bears the sentence out"
        missing = self._grounds(numbers).unsupported(text)
        if missing:
            return f"the cited text does not have {', '.join(missing)}"
        return "the cited text says too little of what the sentence says"

    def _found(self, text: str, shares: Mapping[int, float]) -> list[int]:
        """The piece that bears the sentence out by itself, the best first; else nothing."""
        negated = _is_negated(text)
        for number in sorted(shares, key=lambda number: (-shares[number], number)):
            if shares[number] < LEAST_SHARE:
                return []
            same = _is_negated(self._pieces[number].sentence.text) == negated
            if same and self._bears_out(text, [number]):
                return [number]
        return []

    def _grounds(self, numbers: Sequence[int]) -> Grounds:
        pieces = [self._pieces[number] for number in numbers]
        return Grounds(*(piece.sentence.text for piece in pieces), *(one.context for one in pieces))

    def _share(self, text: str, number: int) -> float:
        said = frozenset(terms(text))
        total = self._weight(said)
        return self._weight(said & self._stems[number]) / total if total else 0.0

    def _weight(self, stems: frozenset[str]) -> float:
        unknown = log(1 + len(self._pieces))
        return sum(self._rarity.get(stem, unknown) for stem in stems)


def _rarity(stems: Mapping[int, frozenset[str]]) -> dict[str, float]:
    """Words that every piece has tell pieces apart least."""
    counts: dict[str, int] = {}
    for held in stems.values():
        for stem in held:
            counts[stem] = counts.get(stem, 0) + 1
    return {stem: log(1 + len(stems) / count) for stem, count in counts.items()}


def _is_negated(text: str) -> bool:
    return _NEGATIONS.search(text) is not None
