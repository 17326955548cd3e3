"""How well pieces of evidence speak of a question: which of its words they hold, and where.

A word of the question is worth its rarity in the index (inverse document frequency of units), and
is found by its stem, by a word of the same meaning (a little less), or, for countries, by what is
of them. Words that a passage is about count for all its sentences, a little less than words said.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import log

import numpy as np
from numpy.typing import NDArray

from clew.answering.evidence import Evidence, Sentence, cached_tokens
from clew.answering.lexicon.places import country_of
from clew.retrieval.question.records import ContentTerm, Question
from clew.retrieval.question.tokens import Token
from clew.stores.base import GraphReader

Vector = NDArray[np.float64]

SYNONYM_STRENGTH = 0.8
IMPLIED_STRENGTH = 0.85
WH_REACH = 3.0


class Matching:
    """A question held against its evidence."""

    def __init__(self, question: Question, evidence: Evidence, reader: GraphReader) -> None:
        """``evidence.units`` is how many units the index holds."""
        self.question = question
        self.evidence = evidence
        self.terms = _distinct(question.terms)
        self.rarity = _rarity(self.terms, reader, evidence.units)
        self._by_stem = _by_stem(self.terms)
        self._countries = _countries(self.terms)
        self._said: dict[int, Vector] = {}
        self._held: dict[int, Vector] = {}
        self._parts: dict[str, Vector] = {}
        self._places: dict[int, list[tuple[int, int, float]]] = {}

    @cached_property
    def weights(self) -> Vector:
        """The share of each term in the question; sums to 1."""
        total = self.rarity.sum()
        return self.rarity / total if total else self.rarity

    @cached_property
    def wh_weights(self) -> Vector:
        """Shares that fall with the distance to the wh-word: those near it describe the answer."""
        near = np.array([1 / (1 + term.distance / WH_REACH) for term in self.terms])
        raw = self.rarity * near if len(near) else self.rarity
        total = raw.sum()
        return raw / total if total else raw

    @cached_property
    def spread(self) -> Vector:
        """In how many passages each term is found, at least 1."""
        counts = np.ones(len(self.terms))
        for at in range(len(self.terms)):
            held = {s.passage for s in self.evidence.sentences if self.said(s)[at] > 0}
            counts[at] = max(1, len(held))
        return counts

    def places(self, sentence: Sentence) -> list[tuple[int, int, float]]:
        """(token, term, strength) for each word of the sentence that a term finds."""
        found = self._places.get(sentence.number)
        if found is None:
            found = self._find(sentence.tokens)
            self._places[sentence.number] = found
        return found

    def said(self, sentence: Sentence) -> Vector:
        """Per term how strongly the sentence itself holds it (0–1)."""
        vector = self._said.get(sentence.number)
        if vector is None:
            vector = self._vector(self.places(sentence))
            self._said[sentence.number] = vector
        return vector

    def held(self, sentence: Sentence) -> Vector:
        """Per term how strongly the sentence, its context and its passage's topic hold it."""
        if not sentence.implied:
            return self.said(sentence)
        found = self._held.get(sentence.number)
        if found is None:
            found = self.said(sentence)
            for part in sentence.implied:
                found = np.maximum(found, self._implied(part))
            self._held[sentence.number] = found
        return found

    def _implied(self, part: str) -> Vector:
        vector = self._parts.get(part)
        if vector is None:
            vector = self._vector(self._find(cached_tokens(part))) * IMPLIED_STRENGTH
            self._parts[part] = vector
        return vector

    def held_by_passage(self, passage: int) -> Vector:
        best = np.zeros(len(self.terms))
        for sentence in self.evidence.passages[passage].sentences:
            best = np.maximum(best, self.held(sentence))
        return best

    def share(self, vector: Vector) -> float:
        """The weighted share of the question that a vector of strengths covers."""
        return float(self.weights @ vector) if len(vector) else 0.0

    def _vector(self, places: Sequence[tuple[int, int, float]]) -> Vector:
        vector = np.zeros(len(self.terms))
        for _, term, strength in places:
            vector[term] = max(vector[term], strength)
        return vector

    def _find(self, tokens: Sequence[Token]) -> list[tuple[int, int, float]]:
        found = []
        for at, token in enumerate(tokens):
            if token.stem in self._by_stem:
                found += [(at, term, strength) for term, strength in self._by_stem[token.stem]]
            elif self._countries and token.is_capital:
                country = country_of().get(token.lower, "")
                if country in self._countries:
                    found.append((at, self._countries[country], SYNONYM_STRENGTH))
        return found


def _distinct(terms: Sequence[ContentTerm]) -> tuple[ContentTerm, ...]:
    """Each stem once: the occurrence nearest to the wh-word."""
    best: dict[str, ContentTerm] = {}
    for term in terms:
        if term.stem not in best or term.distance < best[term.stem].distance:
            best[term.stem] = term
    return tuple(sorted(best.values(), key=lambda term: term.start))


def _rarity(terms: Sequence[ContentTerm], reader: GraphReader, total: int) -> Vector:
    if not terms:
        return np.zeros(0)
    counts = reader.document_frequencies("unit", [term.term for term in terms])
    return np.array([log((total + 1.5) / (float(count) + 0.5)) + 0.1 for count in counts])


def _by_stem(terms: Sequence[ContentTerm]) -> dict[str, list[tuple[int, float]]]:
    found: dict[str, list[tuple[int, float]]] = {}
    for at, term in enumerate(terms):
        for stem in term.alternatives | {term.stem}:
            strength = 1.0 if stem == term.stem else SYNONYM_STRENGTH
            found.setdefault(stem, []).append((at, strength))
    return found


def _countries(terms: Sequence[ContentTerm]) -> dict[str, int]:
    names = country_of()
    found = {}
    for at, term in enumerate(terms):
        if term.in_name and (country := names.get(term.text.casefold(), "")):
            found[country] = at
    return found
