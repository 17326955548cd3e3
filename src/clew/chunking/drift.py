"""Where a text changes its topic: likeness of what lies before and behind each border.

As in TextTiling (Hearst, *Segmenting Text into Multi-paragraph Subtopic Passages*, 1997)
a border is scored by the cosine between the stretch before and the stretch behind it, and topics
end where that dips most. The vectors are those of an embedder, or of the words, weighed by rarity
and folded into a few hundred numbers. With sums from the start, each stretch is one subtraction, so
that time is linear.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from clew.chunking.levels import sentence_ends
from clew.chunking.outline import LINEWISE, Outline
from clew.chunking.trimming import content_start

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clew.models.base import Embedder

_BUCKETS = 256
_WORD = re.compile(r"\w{3,}")
_LONG_BLOCK = 400
_FIRST_UNSPACED = "\u0e00"


class Pieces:
    """The blocks of an outline, long ones by sentences: what topics are made of."""

    def __init__(self, outline: Outline) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for start, end, kind in zip(outline.starts, outline.ends, outline.kinds, strict=True):
            inner = []
            if end - start > _LONG_BLOCK and kind not in LINEWISE:
                inner = [at for at in sentence_ends(outline.text, start, end) if at < end]
            self.starts += [start, *(content_start(outline.text, at) for at in inner)]
            self.ends += [*inner, end]

    def texts(self, text: str) -> list[str]:
        return [text[start:end] for start, end in zip(self.starts, self.ends, strict=True)]


def likeness(outline: Outline, reach: int, embedder: Embedder | None) -> NDArray[np.float64]:
    """Return for each piece but the first how like what is before it is to it and what follows.

    ``reach`` is how many characters on either side count. 1 where a side says nothing.
    """
    pieces = pieces_of(outline)
    key = "words" if embedder is None else embedder.fingerprint
    sums = outline.derive(("topic sums", key), lambda outline: _sums(outline, embedder))
    starts, ends = np.array(pieces.starts), np.array(pieces.ends)
    borders = np.arange(1, len(starts))
    first = np.minimum(np.searchsorted(starts, ends[:-1] - reach), borders - 1)
    last = np.maximum(np.searchsorted(ends, starts[1:] + reach, side="right"), borders + 1)
    found = np.ones(len(borders))
    for at in range(0, len(borders), 4096):
        part = slice(at, at + 4096)
        before = sums[borders[part]] - sums[first[part]]
        behind = sums[last[part]] - sums[borders[part]]
        norms = np.sqrt((before**2).sum(1) * (behind**2).sum(1))
        products = (before * behind).sum(1)
        found[part] = np.divide(products, norms, out=np.ones_like(products), where=norms > 1e-9)
    return found


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


def _depths(alike: Sequence[float]) -> NDArray[np.float64]:
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


def _sums(outline: Outline, embedder: Embedder | None) -> NDArray[np.float64]:
    texts = pieces_of(outline).texts(outline.text)
    vectors = _word_vectors(texts) if embedder is None else _embedded(texts, embedder)
    sums = np.zeros((len(texts) + 1, vectors.shape[1]))
    np.cumsum(vectors, axis=0, out=sums[1:])
    return sums


def _embedded(texts: Sequence[str], embedder: Embedder) -> NDArray[np.float64]:
    weights = np.sqrt(np.array([len(text) for text in texts], np.float64))
    return embedder.embed(texts).astype(np.float64) * weights[:, None]


def _word_vectors(texts: Sequence[str]) -> NDArray[np.float64]:
    words = [_words(text) for text in texts]
    numbers: dict[str, int] = {}
    ids = np.array(
        [numbers.setdefault(word, len(numbers)) for word in chain.from_iterable(words)], np.int64
    )
    owner = np.repeat(np.arange(len(texts)), [len(found) for found in words])
    pairs = np.unique(owner * max(1, len(numbers)) + ids)
    spread = np.bincount(pairs % max(1, len(numbers)), minlength=len(numbers))
    weights = np.log((1 + len(texts)) / np.maximum(spread, 1))
    places = owner * _BUCKETS + ids % _BUCKETS
    counted = np.bincount(places, weights=weights[ids], minlength=len(texts) * _BUCKETS)
    return counted.astype(np.float64).reshape(len(texts), _BUCKETS)


def _words(text: str) -> list[str]:
    words = _WORD.findall(text.lower())
    if text.isascii():
        return words
    return [part for word in words for part in _parts(word)]


def _parts(word: str) -> list[str]:
    """Scripts without spaces: pairs of characters stand for words."""
    if word[0] < _FIRST_UNSPACED:
        return [word]
    return [word[at : at + 2] for at in range(len(word) - 1)]
