"""Where a text changes its topic: likeness of what lies before and behind each border.

As in TextTiling (Hearst, *Segmenting Text into Multi-paragraph Subtopic Passages*, 1997)
a border is scored by the cosine between the stretch before and the stretch behind it, and topics
end where that dips most. The vectors are those of an embedder, or of the words, weighed by rarity
and folded into a few hundred numbers. With sums from the start, each stretch is one subtraction, so
that time is linear.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Protocol

import numpy as np

from clew.chunking.embedded import embed_once
from clew.chunking.outline import LINEWISE, Outline
from clew.chunking.row_sums import row_sums
from clew.chunking.topic_words import topic_words
from clew.chunking.trimming import content_start
from clew.records import BlockKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clew.models.base import Embedder, Vectors

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_BUCKETS = 256
_SLAB = 2048
_CACHED = 128
"""So many rows at a time stay in the processor's cache."""

_LONG_BLOCK = 400
_LEAST_PIECE = 120


class Pieces:
    """What topics are made of: blocks, long ones by sentences, short ones together.

    A heading begins a piece.
    """

    def __init__(self, outline: Outline) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for start, end, kind in zip(outline.starts, outline.ends, outline.kinds, strict=True):
            if end - start > _LONG_BLOCK and kind not in LINEWISE:
                self._add_sentences(outline, start, end)
            elif not self.starts or kind is BlockKind.HEADING or self._is_enough():
                self.starts.append(start)
                self.ends.append(end)
            else:
                self.ends[-1] = end

    def texts(self, text: str) -> list[str]:
        return [text[start:end] for start, end in zip(self.starts, self.ends, strict=True)]

    def _add_sentences(self, outline: Outline, start: int, end: int) -> None:
        self.starts.append(start)
        self.ends.append(start)
        for sentence_end in outline.sentence_ends(start, end):
            if self._is_enough():
                self.starts.append(content_start(outline.text, self.ends[-1]))
                self.ends.append(sentence_end)
            else:
                self.ends[-1] = sentence_end

    def _is_enough(self) -> bool:
        return self.ends[-1] - self.starts[-1] >= _LEAST_PIECE


def likeness(outline: Outline, reach: int, embedder: Embedder | None) -> Floats:
    """Return for each piece but the first how like what is before it is to it and what follows.

    ``reach`` is how many characters on either side count. 1 where a side says nothing.
    """
    pieces = pieces_of(outline)
    vectors = _vectors(outline, embedder)
    starts, ends = np.array(pieces.starts), np.array(pieces.ends)
    borders = np.arange(1, len(starts))
    first = np.minimum(np.searchsorted(starts, ends[:-1] - reach), borders - 1)
    last = np.maximum(np.searchsorted(ends, starts[1:] + reach, side="right"), borders + 1)
    found = np.ones(len(borders))
    for at in range(0, len(borders), _SLAB):
        part = slice(at, at + _SLAB)
        low = int(first[part][0])
        sums = row_sums(vectors.rows(low, int(last[part][-1])))
        for inner in range(at, min(at + _SLAB, len(borders)), _CACHED):
            few = slice(inner, min(inner + _CACHED, at + _SLAB))
            found[few] = _cosines(sums, first[few] - low, borders[few] - low, last[few] - low)
    return found


def _cosines(sums: Floats, first: Ints, border: Ints, last: Ints) -> Floats:
    """Return how like the rows from ``first`` to each border are to those from it to ``last``."""
    middle = sums[border]
    before, behind = middle - sums[first], sums[last] - middle
    norms = np.sqrt((before**2).sum(1) * (behind**2).sum(1))
    products = (before * behind).sum(1)
    alike: Floats = np.divide(products, norms, out=np.ones_like(products), where=norms > 1e-9)
    return alike


def pieces_of(outline: Outline) -> Pieces:
    return outline.derive("topic pieces", Pieces)


def topic_starts(
    outline: Outline, *, least: int, threshold: float | None, embedder: Embedder | None
) -> list[int]:
    """Return where topics begin, by offset, at least ``least`` characters apart.

    Deepest dips first; with a ``threshold`` wherever the likeness is below it, least like first. A
    topic begins neither behind a heading, nor inside a list or a table.
    """
    pieces = pieces_of(outline)
    if len(pieces.starts) < 2:
        return []
    alike = likeness(outline, max(least, 1), embedder)
    borders = np.arange(1, len(pieces.starts))
    if threshold is None:
        depths = _depths(alike.tolist())
        chosen = depths > max(float(depths.mean() + depths.std() / 2), 1e-6)
        order = np.lexsort((borders, -depths))
    else:
        chosen = alike < threshold
        order = np.lexsort((borders, alike))
    tied = outline.bound_ends | outline.loose_ends
    candidates = (int(borders[at]) for at in order if chosen[at])
    free = (at for at in candidates if pieces.ends[at - 1] not in tied)
    return _spread([pieces.starts[at] for at in free], least, outline)


def _spread(places: Sequence[int], least: int, outline: Outline) -> list[int]:
    kept = [outline.starts[0], outline.ends[-1]]
    for place in places:
        at = bisect_left(kept, place)
        if place - kept[at - 1] >= least and kept[at] - place >= least:
            insort(kept, place)
    return kept[1:-1]


def _depths(alike: Sequence[float]) -> Floats:
    """Return how far each value lies under the nearest peaks on both sides."""
    before, behind = _climbs(alike), _climbs(alike[::-1])[::-1]
    return np.add(before, behind, dtype=np.float64)


def _climbs(alike: Sequence[float]) -> list[float]:
    climbs = []
    peak = before = alike[0]
    for value in alike:
        peak = peak if before >= value else value
        climbs.append(peak - value)
        before = value
    return climbs


def _vectors(outline: Outline, embedder: Embedder | None) -> _Vectors:
    key = "words" if embedder is None else embedder.fingerprint

    def make(outline: Outline) -> _Vectors:
        texts = pieces_of(outline).texts(outline.text)
        if embedder is None:
            return _WordVectors(texts)
        return _ModelVectors(texts, embed_once(outline, embedder)(texts))

    return outline.derive(("topic vectors", key), make)


class _Vectors(Protocol):
    def rows(self, first: int, stop: int) -> Floats:
        """Return the vectors of the pieces from ``first`` on, before ``stop``."""
        ...


class _ModelVectors:
    def __init__(self, texts: Sequence[str], vectors: Vectors) -> None:
        self._vectors = vectors
        self._weights = np.sqrt(np.array([len(text) for text in texts], np.float64))

    def rows(self, first: int, stop: int) -> Floats:
        part = slice(first, stop)
        return self._vectors[part].astype(np.float64) * self._weights[part, None]


class _WordVectors:
    def __init__(self, texts: Sequence[str]) -> None:
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__
        words = [topic_words(text) for text in texts]
        ids = np.array([numbers[word] for word in chain.from_iterable(words)], np.int64)
        counts = [len(found) for found in words]
        self._behind = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
        self._owner = np.repeat(np.arange(len(texts)), counts)
        self._buckets = ids % _BUCKETS
        self._weights = np.log(1 + len(ids) / np.maximum(np.bincount(ids, minlength=1), 1))[ids]

    def rows(self, first: int, stop: int) -> Floats:
        part = slice(int(self._behind[first]), int(self._behind[stop]))
        places = (self._owner[part] - first) * _BUCKETS + self._buckets[part]
        size = (stop - first) * _BUCKETS
        counted = np.bincount(places, weights=self._weights[part], minlength=size)
        return counted.astype(np.float64).reshape(stop - first, _BUCKETS)
