"""The words of a question and what each is worth: rare words say more than frequent ones.

``share`` is the part of the question that a word makes up, ``idf / Σ idf``. What a passage or a
pair of passages covers of a question is the sum of the shares of the words that it holds.

Here idf is smoothed so that it never reaches zero. The plain one of full-text search does, for a
word in half of the passages, and in a store of five passages that is nearly every name.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clew.stores.base import GraphReader, Layer, Numbers, Scores
from clew.text.words import term_spans

MOST_TERMS = 48


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class QuestionWords:
    """``terms`` that the store knows, once each in order of the question, with the ``words`` as
    written; ``unknown`` are the words that occur nowhere, which no passage can answer.
    """

    terms: tuple[str, ...]
    words: tuple[str, ...]
    unknown: tuple[str, ...]
    share: Scores
    chunk_idf: Scores
    unit_idf: Scores

    def idf(self, layer: Layer) -> Scores:
        return self.chunk_idf if layer == "chunk" else self.unit_idf

    def covered(self, mask: int) -> tuple[str, ...]:
        """The words of the terms whose bits are set in ``mask``."""
        return tuple(word for bit, word in enumerate(self.words) if mask >> bit & 1)


def weigh_words(
    reader: GraphReader, question: str, *, chunk_count: int, unit_count: int
) -> QuestionWords:
    """Look up how frequent each word of ``question`` is. Of very long questions the rarest
    ``MOST_TERMS`` words count.
    """
    words = _words_by_term(question)
    terms = list(words)
    in_chunks = reader.document_frequencies("chunk", terms)
    in_units = reader.document_frequencies("unit", terms)
    known = np.flatnonzero((in_chunks > 0) | (in_units > 0))
    if len(known) > MOST_TERMS:
        rarest = np.argsort(in_chunks[known], kind="stable")[:MOST_TERMS]
        known = np.sort(known[rarest])
    idf = smooth_idf(chunk_count, in_chunks[known])
    kept = [terms[index] for index in known]
    return QuestionWords(
        terms=tuple(kept),
        words=tuple(words[term] for term in kept),
        unknown=tuple(
            words[term]
            for term, here, there in zip(terms, in_chunks, in_units, strict=True)
            if not (here or there)
        ),
        share=idf / max(float(idf.sum()), 1e-9),
        chunk_idf=bm25_idf(chunk_count, in_chunks[known]),
        unit_idf=bm25_idf(unit_count, in_units[known]),
    )


def smooth_idf(count: int, frequencies: Numbers) -> Scores:
    """``ln(1 + (N - n + .5) / (n + .5))``: how much a word tells, always above zero."""
    held = np.minimum(frequencies, count)
    return np.log1p((count - held + 0.5) / (held + 0.5)).astype(np.float32)


def bm25_idf(count: int, frequencies: Numbers) -> Scores:
    """The idf that :meth:`clew.stores.base.GraphReader.search_text` multiplies with."""
    held = np.minimum(frequencies, count)
    idf = np.log((count - held + 0.5) / (held + 0.5))
    return np.maximum(idf, 1e-6).astype(np.float32)


def _words_by_term(question: str) -> dict[str, str]:
    words: dict[str, str] = {}
    for start, end, term in term_spans(question):
        words.setdefault(term, question[start:end])
    return words
