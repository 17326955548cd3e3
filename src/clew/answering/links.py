"""How the passages of an evidence hang together."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from clew.answering.candidates import Candidate, Form
from clew.answering.evidence import Evidence, Sentence
from clew.answering.things import plain


class Links:
    """How the passages hang together: which one names what another is about."""

    def __init__(self, evidence: Evidence, question: str) -> None:
        self.evidence = evidence
        self._topics = {
            name: passage.number for passage in evidence.passages for name in passage.names
        }
        self._keys = frozenset(plain(name) for name in self._topics)
        self._own = [[set(plain(n).split()) for n in p.names] for p in evidence.passages]
        self.asked = [
            max((len(n.split()) > 1 or n in question.split()) and n in question for n in p.names)
            if p.names
            else False
            for p in evidence.passages
        ]
        count = len(evidence.passages)
        self.linked = [0.0] * count
        self.linked_from_asked = [0.0] * count
        self._link(count)
        self._named_in = self._names()
        self._rarity = _word_counts(evidence)
        self._longer: dict[int, set[str]] = {}

    def _link(self, count: int) -> None:
        for target in range(count):
            names = [n for n in self.evidence.passages[target].names if len(n) > 3]
            for source in range(count):
                text = self.evidence.passages[source].folded
                if source != target and any(name in text for name in names):
                    self.linked[target] = 1.0
                    if self.asked[source]:
                        self.linked_from_asked[target] = 1.0

    def _names(self) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        for sentence in self.evidence.sentences:
            for name in _names_in(sentence):
                found.setdefault(name, set()).add(sentence.passage)
        return found

    def is_own(self, key: str, passage: int) -> bool:
        """Whether the span is what the passage is about, or a part of its name."""
        words = set(key.split())
        return bool(words) and any(words <= name for name in self._own[passage])

    def is_topic(self, key: str) -> bool:
        return key in self._keys

    def shared_name(self, sentence: Sentence) -> float:
        """Whether the sentence names something that another passage names too."""
        return float(any(len(self._named_in[name]) > 1 for name in _names_in(sentence)))

    def is_partial(self, candidate: Candidate) -> bool:
        """A surname alone, where the passage has the full name."""
        if candidate.form != Form.NAME or candidate.last - candidate.first != 1:
            return False
        longer = self._longer.setdefault(
            candidate.sentence.passage, self._last_words(candidate.sentence.passage)
        )
        return candidate.key in longer

    def _last_words(self, passage: int) -> set[str]:
        return {
            sentence.tokens[end - 1].lower
            for sentence in self.evidence.passages[passage].sentences
            for first, end in sentence.names
            if end - first > 1
        }

    def frequency(self, words: Sequence[str]) -> float:
        """Mean log count of the words in the evidence."""
        if not words:
            return 0.0
        return sum(log(1 + self._rarity.get(word, 0)) for word in words) / len(words)


def _names_in(sentence: Sentence) -> list[str]:
    tokens = sentence.tokens
    return [
        " ".join(token.lower for token in tokens[first:end])
        for first, end in sentence.names
        if end - first > 1 or len(tokens[first].text) > 3
    ]


def _word_counts(evidence: Evidence) -> dict[str, int]:
    counts: dict[str, int] = {}
    for sentence in evidence.sentences:
        for token in sentence.tokens:
            counts[token.lower] = counts.get(token.lower, 0) + 1
    return counts
