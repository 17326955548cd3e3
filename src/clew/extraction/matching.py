"""Where in the document a statement comes from that a model put in its own words."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from clew.records import Chunk, Document, KnowledgeUnit
from clew.text.words import terms

_WORD = re.compile(r"\S+")
MOST_SENTENCES = 3
LEAST_COVERAGE = 0.24
_COST_OF_A_SENTENCE = 0.15
_WORTH_OF_CONTEXT = 0.7
"""A word of the sentence before, which "she" leans on: cheaper than taking that sentence too, but
only where it gives no more than the name."""


class Origin(NamedTuple):
    """The span of a statement, and the numbers ``first:last`` of the sentences in it; none of them
    when only the chunk is known.
    """

    start: int
    end: int
    first: int
    last: int


class Sentences:
    """The sentences of a document (its units by rule), to look statements up in."""

    def __init__(self, document: Document, units: Sequence[KnowledgeUnit]) -> None:
        self.document = document
        self.units = units
        self._starts = [unit.start for unit in units]
        self._ends = [unit.end for unit in units]
        self._words: _Words | None = None

    def origin(self, statement: str, chunk: Chunk) -> Origin:
        """The place where ``chunk`` writes the statement word for word, in whatever lines, so that
        a table or list given back as one statement has its rows; else the one to three
        sentences in a row that share most words with it; else the whole chunk.
        """
        written = self._written(statement, chunk)
        if written is not None:
            return Origin(*written, *self.between(*written))
        first, last = self.between(chunk.start, chunk.end)
        best = self._best(frozenset(terms(statement)), first, last)
        if best is None:
            return Origin(chunk.start, chunk.end, first, first)
        return Origin(self._starts[best[0]], self._ends[best[1] - 1], *best)

    def between(self, start: int, end: int) -> tuple[int, int]:
        """The numbers of the sentences that share a character with ``start:end``."""
        first = bisect_right(self._ends, start)
        return first, max(first, bisect_left(self._starts, end))

    def narrowest(self, origin: Origin, names: str, words: str) -> tuple[int, int]:
        """Of the sentences in ``origin`` the one that has all of ``names``, that with most of
        ``words`` first; else the few that share most with both; else the whole of it.
        """
        start, end, first, last = origin
        if first == last:
            first, last = self.between(start, end)
        wanted, others = frozenset(terms(names)), frozenset(terms(words))
        own = {place: self._terms[place][0] for place in range(first, last)}
        holds = [place for place, said in own.items() if wanted <= said]
        if holds:
            best = max(holds, key=lambda place: (len(others & own[place]), -place))
            found = (best, best + 1)
        else:
            found = self._best(wanted | others, first, last) or (first, last)
        if found[0] == found[1]:
            return start, end
        return max(start, self._starts[found[0]]), min(end, self._ends[found[1] - 1])

    def _written(self, statement: str, chunk: Chunk) -> tuple[int, int] | None:
        """Where ``chunk`` has the words of ``statement``, whatever white space is between them."""
        text = self.document.text
        at = text.find(statement, chunk.start, chunk.end)
        if at >= 0:
            return at, at + len(statement)
        if self._words is None or self._words.chunk is not chunk:
            self._words = _Words(text, chunk)
        return self._words.find(statement)

    def _best(self, wanted: frozenset[str], first: int, last: int) -> tuple[int, int] | None:
        best, best_score = None, LEAST_COVERAGE
        for begin in range(first, last):
            found: set[str] = set()
            beside: set[str] = set()
            for end in range(begin + 1, min(begin + MOST_SENTENCES, last) + 1):
                own, context = self._terms[end - 1]
                found |= wanted & own
                beside |= wanted & context
                covered = len(found) + _WORTH_OF_CONTEXT * len(beside - found)
                score = covered / max(1, len(wanted)) - _COST_OF_A_SENTENCE * (end - begin - 1)
                if score > best_score:
                    best, best_score = (begin, end), score
        return best

    @cached_property
    def _terms(self) -> list[tuple[frozenset[str], frozenset[str]]]:
        return [
            (frozenset(terms(unit.text)), frozenset(terms(unit.context))) for unit in self.units
        ]


class _Words:
    """The words of a chunk with one blank between them, and where each stands."""

    def __init__(self, text: str, chunk: Chunk) -> None:
        self.chunk = chunk
        self._spans = [match.span() for match in _WORD.finditer(text, chunk.start, chunk.end)]
        words = [text[start:end] for start, end in self._spans]
        self._text = " ".join(words)
        self._places = [0, *accumulate(len(word) + 1 for word in words)]

    def find(self, statement: str) -> tuple[int, int] | None:
        wanted = " ".join(statement.split())
        at = self._text.find(wanted) if wanted else -1
        return None if at < 0 else (self._place(at), self._place(at + len(wanted) - 1) + 1)

    def _place(self, at: int) -> int:
        """Where the character of a word stands in the document."""
        word = bisect_right(self._places, at) - 1
        return self._spans[word][0] + at - self._places[word]


class Homes:
    """The chunks of a document, to find the one that a span belongs to."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks
        self._ends = [chunk.end for chunk in chunks]

    def of(self, start: int, end: int) -> Chunk:
        """The first chunk that holds ``start:end`` whole, else the one in which it begins."""
        holds = bisect_left(self._ends, end)
        if holds < len(self._chunks) and self._chunks[holds].start <= start:
            return self._chunks[holds]
        return self._chunks[min(bisect_right(self._ends, start), len(self._chunks) - 1)]
