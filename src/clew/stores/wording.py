"""The search terms of a document's chunks and units, with every stretch of text read once.

Units are sentences of chunks, and chunks may overlap, so the same words are asked for several
times. The terms of a chunk are put together from those of the units inside it and of what stands
between them. A seam is safe where one of its two sides is a blank: no term reaches over it.
Otherwise the chunk is read by itself. The outcome is that of
``terms(search_text_of_chunk(document, chunk))`` in any case.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache

from clew.records import Chunk, IndexedDocument, KnowledgeUnit
from clew.text.words import terms

Terms = list[str]


def terms_of_document(indexed: IndexedDocument) -> tuple[list[Terms], list[Terms]]:
    """Return (terms of each chunk, terms of each unit) as full-text search counts them."""
    document = indexed.document
    own = [terms(unit.text) for unit in indexed.units]
    title = _short(document.title)
    unit_terms = [
        [*title, *_short(unit.context), *words]
        for unit, words in zip(indexed.units, own, strict=True)
    ]
    inside = _Inside(document.text, indexed.units, own)
    chunk_terms = []
    for chunk in indexed.chunks:
        about = [word for heading in chunk.heading_path for word in _short(heading)]
        chunk_terms.append([*title, *about, *_short(chunk.context), *inside(chunk)])
    return chunk_terms, unit_terms


@lru_cache(maxsize=4096)
def _short(text: str) -> tuple[str, ...]:
    """Titles, headings and contexts come again and again."""
    return tuple(terms(text))


class _Inside:
    """Terms of a chunk's own text, taken from units where they are known."""

    def __init__(self, text: str, units: tuple[KnowledgeUnit, ...], own: list[Terms]) -> None:
        self._text = text
        known = [
            (unit.start, unit.end, words)
            for unit, words in zip(units, own, strict=True)
            if unit.verbatim and unit.end > unit.start
        ]
        known.sort(key=_start)
        self._known = known

    def __call__(self, chunk: Chunk) -> Terms:
        text, at = self._text, chunk.start
        if text[chunk.start : chunk.end] != chunk.text:
            return terms(chunk.text)
        found: Terms = []
        for start, end, words in self._known[bisect_left(self._known, chunk.start, key=_start) :]:
            if start >= chunk.end:
                break
            if start < at or end > chunk.end:
                continue
            if not (_is_seam(text, start) and _is_seam(text, end)):
                return terms(chunk.text)
            if start > at and not (gap := text[at:start]).isspace():
                found += terms(gap)
            found += words
            at = end
        if at < chunk.end and not (gap := text[at : chunk.end]).isspace():
            found += terms(gap)
        return found


def _start(known: tuple[int, int, Terms]) -> int:
    return known[0]


def _is_seam(text: str, at: int) -> bool:
    return at in {0, len(text)} or text[at - 1].isspace() or text[at].isspace()
