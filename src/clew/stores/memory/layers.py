"""Arrays over all records of one layer (chunks or units) of one generation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from clew.errors import NotFoundError, StoreError
from clew.stores.base import Layer, Numbers, Ranking, Scores
from clew.stores.memory.entry import Entry, Words
from clew.stores.scoring import TermPostings, best, bm25_of_holders


def joined(parts: Sequence[Numbers]) -> Numbers:
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def rows_of(known: Numbers, numbers: Numbers, name: str) -> Numbers:
    """Where each of ``numbers`` stands in the ascending array ``known``."""
    numbers = np.asarray(numbers, np.int64)
    rows = np.searchsorted(known, numbers)
    outside = rows >= len(known)
    rows[outside] = 0
    missing = outside | (known[rows] != numbers) if len(known) else outside
    if missing.any():
        raise NotFoundError(f"no {name} with the number {numbers[missing][0]} in this generation")
    return rows


class LayerArrays:
    """Built from the entries in order of number, each array when it is first asked for."""

    def __init__(
        self, layer: Layer, entries: Sequence[Entry], vocabulary: Mapping[str, int]
    ) -> None:
        self.layer = layer
        self._entries = entries
        self._vocabulary = vocabulary

    @cached_property
    def numbers(self) -> Numbers:
        parts = [
            np.arange(len(words.lengths), dtype=np.int64) + start
            for words, start in zip(self._words, self._starts, strict=True)
        ]
        return joined(parts)

    @cached_property
    def documents(self) -> Numbers:
        """The document of each row."""
        counts = [len(words.lengths) for words in self._words]
        owners = np.array([entry.number for entry in self._entries], np.int64)
        return np.repeat(owners, np.array(counts, np.int64))

    def rows(self, numbers: Numbers) -> Numbers:
        return rows_of(self.numbers, numbers, self.layer)

    def within(self, documents: Numbers | None) -> NDArray[np.bool_] | None:
        """One flag per row: does its document belong to ``documents``?"""
        return None if documents is None else np.isin(self.documents, documents)

    # --- vectors --------------------------------------------------------------------------------

    @cached_property
    def vectors(self) -> Scores | None:
        """One row per record; None when nothing is embedded."""
        name = f"{self.layer}_vectors"
        parts: list[Scores | None] = [getattr(entry.indexed, name) for entry in self._entries]
        present = [part for part in parts if part is not None]
        return np.concatenate(present) if present else None

    def search_vectors(self, query: Scores, k: int, documents: Numbers | None) -> Ranking:
        if self.vectors is None:
            return best(np.empty(0, np.int64), np.empty(0, np.float32), k)
        scores = self.vectors @ self._checked(query)
        wanted = self.within(documents)
        if wanted is None:
            return best(self.numbers, scores, k)
        return best(self.numbers[wanted], scores[wanted], k)

    def score_vectors(self, query: Scores, numbers: Numbers) -> Scores:
        rows = self.rows(numbers)
        if self.vectors is None:
            return np.zeros(len(rows), np.float32)
        return self.vectors[rows] @ self._checked(query)

    def vectors_of(self, numbers: Numbers) -> Scores:
        rows = self.rows(numbers)
        return np.zeros((len(rows), 0), np.float32) if self.vectors is None else self.vectors[rows]

    def _checked(self, query: Scores) -> Scores:
        assert self.vectors is not None
        query = np.asarray(query, np.float32)
        if query.shape != (self.vectors.shape[1],):
            raise StoreError(
                f"a query of shape {query.shape} for vectors of {self.vectors.shape[1]} dimensions"
            )
        return query

    # --- words ----------------------------------------------------------------------------------

    def search_text(
        self,
        terms: Sequence[str],
        k: int,
        documents: Numbers | None,
        population: Numbers | None,
    ) -> Ranking:
        unique = list(dict.fromkeys(terms))
        wanted, counted = self.within(documents), self.within(population)
        lengths = self.lengths if counted is None else self.lengths[counted]
        found, scores = bm25_of_holders(
            [self.postings(term) for term in unique],
            self.lengths,
            len(lengths),
            int(lengths.sum()),
            allowed=None if wanted is None else wanted.__getitem__,
            holding=self.holding(unique, population).tolist(),
        )
        return best(self.numbers[found], scores, k)

    def holding(self, terms: Sequence[str], documents: Numbers | None) -> Numbers:
        """How many records of ``documents`` hold each term."""
        wanted = self.within(documents)
        held = [self.postings(term).rows for term in terms]
        counts = [len(rows) if wanted is None else int(wanted[rows].sum()) for rows in held]
        return np.array(counts, np.int64)

    @cached_property
    def lengths(self) -> Numbers:
        return joined([words.lengths for words in self._words])

    def postings(self, term: str) -> TermPostings:
        number = self._vocabulary.get(term, -1)
        sorted_terms, rows, counts = self._inverted
        start, end = np.searchsorted(sorted_terms, [number, number + 1])
        return TermPostings(rows[start:end], counts[start:end])

    @cached_property
    def _inverted(self) -> tuple[Numbers, Numbers, Numbers]:
        sizes = np.array([len(words.lengths) for words in self._words], np.int64)
        bases = np.cumsum(sizes) - sizes
        rows = joined([words.rows + base for words, base in zip(self._words, bases, strict=True)])
        terms = joined([words.terms for words in self._words])
        counts = joined([words.counts for words in self._words])
        order = np.lexsort((rows, terms))
        return terms[order], rows[order], counts[order]

    @property
    def _words(self) -> list[Words]:
        if self.layer == "chunk":
            return [entry.chunk_words for entry in self._entries]
        return [entry.unit_words for entry in self._entries]

    @property
    def _starts(self) -> list[int]:
        if self.layer == "chunk":
            return [entry.first_chunk for entry in self._entries]
        return [entry.first_unit for entry in self._entries]
