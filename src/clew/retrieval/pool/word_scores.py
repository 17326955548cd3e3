"""What each word of the question contributes to each passage: BM25, taken apart.

BM25 is a sum over words, so one full-text search per word gives everything at once: the words that
a passage holds (for coverage) and its score (their sum). A word that is too frequent for that is
searched only among the documents in question.

A unit also holds a word of which it has a kindred one (:mod:`clew.retrieval.pool.kindred`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from clew.retrieval.pool.whole_names import WholeName
from clew.retrieval.query.words import QuestionWords
from clew.retrieval.ragged import positions
from clew.stores.base import GraphReader, Layer, Numbers, Ranking, Scores

MOST_POSTINGS = 4096
_NO_LIMIT = 2**31 - 1
_BM25_MOST_PER_IDF = 2.2  # k1 + 1: what a word scores when a passage says nothing else


class WordScores:
    """The per-word scores of one question, looked up once per layer.

    ``kindred`` are per word of the question the other terms that say the same, ``names`` those
    whose words count together or not at all (:mod:`clew.retrieval.pool.whole_names`).
    """

    def __init__(
        self,
        reader: GraphReader,
        words: QuestionWords,
        *,
        kindred: Sequence[Sequence[str]] = (),
        names: Sequence[WholeName] = (),
    ) -> None:
        self.names = tuple(names)
        self._reader = reader
        self._words = words
        self._kindred = [(row, terms) for row, terms in enumerate(kindred) if terms]
        self._postings: dict[Layer, list[Ranking | None]] = {}
        self._kindred_units: list[Ranking | None] | None = None
        self._last: tuple[Numbers, Numbers] | None = None

    def matrix(self, layer: Layer, numbers: Numbers) -> Scores:
        """Return ``[words, numbers]``: what each word contributes to BM25 in 0–1, so that the sum
        of a column is 1 for a passage of nothing but the question. ``numbers`` ascend.
        """
        parts = np.zeros((len(self._words.terms), len(numbers)), dtype=np.float32)
        for row, posting in enumerate(self._lists(layer)):
            whole = self._whole(layer, [self._words.terms[row]], posting, numbers)
            at = positions(numbers, whole.numbers)
            parts[row, at[at >= 0]] = whole.scores[at >= 0]
        most = _BM25_MOST_PER_IDF * self._words.idf(layer)
        return np.minimum(parts / most[:, None], 1.0) * self._words.share[:, None]

    def kindred_masks(self, units: Numbers) -> NDArray[np.int64]:
        """One integer per unit (ascending), a bit for each word that a kindred one stands for."""
        masks = np.zeros(len(units), dtype=np.int64)
        if self._kindred_units is None:
            self._kindred_units = self._lists_of("unit", [terms for _, terms in self._kindred])
        for (row, terms), posting in zip(self._kindred, self._kindred_units, strict=True):
            whole = self._whole("unit", terms, posting, units)
            at = positions(units, whole.numbers)
            masks[at[at >= 0]] |= np.int64(1) << np.int64(row)
        return masks

    def best(self, layer: Layer, k: int) -> Ranking:
        """The ``k`` best of a layer by plain BM25, scores in 0–1: BM25 / (2.2 Σ idf).

        Added up from the parts where :meth:`look_up` has them all, otherwise one search.
        """
        if not self._words.terms:
            return Ranking(np.empty(0, np.int64), np.empty(0, np.float32))
        known = self._postings.get(layer)
        whole = [posting for posting in known or () if posting is not None]
        if known and len(whole) == len(known):
            ranking = _sum(whole, k)
        else:
            ranking = self._reader.search_text(layer, self._words.terms, k)
        most = _BM25_MOST_PER_IDF * float(self._words.idf(layer).sum())
        return Ranking(ranking.numbers, np.minimum(ranking.scores / max(most, 1e-9), 1.0))

    def look_up(self, layer: Layer) -> None:
        """Search every word of the question by itself, unless that was done."""
        if layer not in self._postings:
            self._postings[layer] = self._lists_of(layer, [[term] for term in self._words.terms])

    def _lists(self, layer: Layer) -> Sequence[Ranking | None]:
        self.look_up(layer)
        return self._postings[layer]

    def _lists_of(self, layer: Layer, groups: Sequence[Sequence[str]]) -> list[Ranking | None]:
        """All that hold a term of each group; None where they may be too many to be fetched."""
        held = self._reader.document_frequencies(
            layer, [term for group in groups for term in group]
        )
        ends = np.cumsum([len(group) for group in groups])
        return [
            None
            if held[end - len(group) : end].sum() > MOST_POSTINGS
            else self._reader.search_text(layer, group, MOST_POSTINGS)
            for group, end in zip(groups, ends, strict=True)
        ]

    def _whole(
        self, layer: Layer, terms: Sequence[str], posting: Ranking | None, numbers: Numbers
    ) -> Ranking:
        """``posting``, or where there is none, that of the documents of ``numbers``."""
        if posting is not None:
            return posting
        documents = self._documents_of(layer, numbers)
        return self._reader.search_text(layer, terms, _NO_LIMIT, documents=documents)

    def _documents_of(self, layer: Layer, numbers: Numbers) -> Numbers:
        """Those of the last numbers are kept: several words ask for them."""
        if self._last is None or self._last[0] is not numbers:
            chunks = numbers if layer == "chunk" else self._reader.chunks_of_units(numbers)
            self._last = numbers, np.unique(self._reader.documents_of_chunks(chunks))
        return self._last[1]


def _sum(postings: Sequence[Ranking], k: int) -> Ranking:
    """The ``k`` greatest sums of scores, best first, equal ones by number."""
    numbers, place = np.unique(
        np.concatenate([posting.numbers for posting in postings]), return_inverse=True
    )
    parts = np.concatenate([posting.scores for posting in postings])
    sums = np.bincount(place, weights=parts, minlength=len(numbers)).astype(np.float32)
    order = np.lexsort((numbers, -sums))[:k]
    return Ranking(numbers[order], sums[order])


def word_masks(parts: Scores) -> NDArray[np.int64]:
    """One integer per column with a bit for each word that contributes."""
    bits = np.left_shift(np.int64(1), np.arange(parts.shape[0], dtype=np.int64))
    masks: NDArray[np.int64] = bits @ (parts > 0).astype(np.int64)
    return masks


class Coverage:
    """How much of the question a set of its words makes up, for many sets at once."""

    def __init__(self, share: Scores) -> None:
        self._tables = [_byte_table(share[at : at + 8]) for at in range(0, len(share), 8)]

    def of(self, masks: NDArray[np.int64]) -> Scores:
        total = np.zeros(len(masks), dtype=np.float32)
        for byte, table in enumerate(self._tables):
            total += table[(masks >> (8 * byte)) & 255]
        return total


def _byte_table(share: Scores) -> Scores:
    """The sum of shares for each of the 256 sets of up to eight words."""
    sets = np.arange(256)[:, None] >> np.arange(len(share))[None, :] & 1
    table: Scores = (sets @ share).astype(np.float32)
    return table
