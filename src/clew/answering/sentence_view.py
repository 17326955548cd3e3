"""One sentence held against the question: what it covers, and how near to a span."""

from __future__ import annotations

import numpy as np

from clew.answering.candidates import VALUE_FORMS, Candidate
from clew.answering.evidence import Sentence
from clew.answering.matching import Matching, Vector
from clew.retrieval.question.lexicon import BE, DETERMINERS, PREPOSITIONS
from clew.retrieval.question.records import AnswerType

_BREAKS = frozenset({";", "but", "while", "whereas"})
_MARKS = frozenset({"*", "_", '"', "”", "'"})
_APPOSITION = 8
_SHORT_NUMBER = 2
"""A longer number says by itself which one is meant: "status 429"."""
_BREAK_WORDS = 6  # how far apart a new clause sets two words


class SentenceView:
    """One sentence held against the question."""

    def __init__(
        self, sentence: Sentence, matching: Matching, bridged: float, shares: Vector
    ) -> None:
        self.sentence = sentence
        self.loud = float(shares @ np.minimum(1.0, matching.held(sentence) / 0.8))
        self.bridged = bridged
        self.matching = matching
        self.said = matching.share(matching.said(sentence))
        self.held = matching.share(matching.held(sentence))
        self.places = matching.places(sentence)
        self.breaks = [at for at, token in enumerate(sentence.tokens) if token.lower in _BREAKS]

    def near(self, candidate: Candidate) -> tuple[float, float, float]:
        """Weights of the question's words by their distance to the span; each word once."""
        matching = self.matching
        best: dict[int, float] = {}
        for at, term, strength in self.places:
            if candidate.first <= at < candidate.last:
                continue
            gap = candidate.first - at if at < candidate.first else at - candidate.last + 1
            low, high = (at, candidate.first) if at < candidate.first else (candidate.last, at)
            gap += _BREAK_WORDS * sum(low <= stop < high for stop in self.breaks)
            best[term] = max(best.get(term, 0.0), strength / (1 + (gap - 1) / 4))
        plain = sum(matching.weights[term] * value for term, value in best.items())
        wh = sum(matching.wh_weights[term] * value for term, value in best.items())
        rare = sum(
            matching.wh_weights[term] * value / matching.spread[term]
            for term, value in best.items()
        )
        return float(plain), float(wh), float(rare)

    def cues(self, stems: frozenset[str]) -> list[int]:
        """Places of the words that say a relation of the question."""
        terms = self.matching.terms
        return sorted({at for at, term, _ in self.places if terms[term].stem in stems})

    def unit_is(self, candidate: Candidate, focus: str) -> bool:
        """ "35 stores" for "how many stores": the noun counted is the noun asked for."""
        if not focus or AnswerType.NUMBER not in candidate.kinds:
            return False
        following = self.sentence.tokens[candidate.last : candidate.last + 3]
        return any(token.stem == focus for token in following)

    def called(self, candidate: Candidate, focus: str) -> float:
        """Whether the noun asked for stands beside the span as what it is: 1 for "Gulo, a small
        Danish steamer", "Ola Roe (chair)" and "ward 3", half for "the steamer Gulo" and "the island
        of Gulo".
        """
        if not focus:
            return 0.0
        tokens = self.sentence.tokens
        last = tokens[candidate.last - 1]
        if candidate.last - candidate.first == 2 and last.is_number:
            is_short = len(last.text) <= _SHORT_NUMBER or "." in last.text
            return float(is_short and tokens[candidate.first].stem == focus)
        for token in reversed(tokens[max(candidate.first - 3, 0) : candidate.first]):
            if token.stem == focus and not token.is_capital:
                return 0.5
            stops = token.is_word and token.lower not in {"of", "the", "named", "called"}
            if stops or token.text == ")":
                break
        return float(self._stands_beside(candidate, focus))

    def _stands_beside(self, candidate: Candidate, focus: str) -> bool:
        """Whether ", a … FOCUS" or "(FOCUS" follows the span."""
        tokens = self.sentence.tokens
        at = candidate.last
        while at < len(tokens) and tokens[at].text in _MARKS:
            at += 1
        if at + 1 >= len(tokens) or tokens[at].text not in {",", "(", "–"}:
            return False
        is_determined = tokens[at + 1].lower in DETERMINERS
        if not (is_determined or tokens[at].text == "("):
            return False
        first = at + 1 + is_determined
        for token in tokens[first : first + _APPOSITION]:
            if token.stem == focus:
                return True
            if token.text in ",;.)" or token.lower in PREPOSITIONS:
                break
        return False

    def defined(self, candidate: Candidate, focus: str) -> bool:
        """Whether the noun asked for stands behind the span's "is": "Norr Falls is a waterfall"."""
        if not focus or candidate.form in VALUE_FORMS:
            return False
        tokens = self.sentence.tokens
        at = candidate.last
        if at < len(tokens) and tokens[at].text == "(":
            close = (i for i in range(at, min(at + 25, len(tokens))) if tokens[i].text == ")")
            at = next(close, at) + 1
        if at >= len(tokens) or tokens[at].lower not in BE:
            return False
        return any(token.stem == focus for token in tokens[at + 1 : at + 9])
