"""What is derived from records, made anew from them and compared: segments and their postings."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from clew.stores.base import Layer, Numbers, Problem
from clew.stores.numbering import Counters, number_document
from clew.stores.sqlite.arrays import LoadedSegment
from clew.stores.sqlite.postings import Postings, count_terms
from clew.stores.sqlite.seals import DamagedPartError
from clew.stores.sqlite.segment_table import SegmentTable
from clew.stores.sqlite.segments import (
    Card,
    Segment,
    make_segment,
    merge_segments,
    rows_after_merge,
)
from clew.stores.sqlite.whole_documents import Spans, Whole
from clew.stores.wording import terms_of_document

_LINKS = (
    "unit_chunks",
    "mention_counts",
    "mention_entities",
    "entities",
    "entity_starts",
    "entity_units",
    "topic_chunks",
    "topic_entities",
    "topic_weights",
)
_COUNTS: dict[Layer, Card] = {"chunk": Card.CHUNKS, "unit": Card.UNITS}


class SegmentCheck:
    """Compares one segment with its documents, which come batch by batch in order of number.

    Postings lie by term and documents come by row, so of both the sum of a mixture of (term, row,
    count) is taken: no list of all the words is ever in memory.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        loaded: LoadedSegment,
        dead: Numbers,
        entities: Mapping[str, int],
    ) -> None:
        self._table = SegmentTable(connection)
        self._number = loaded.number
        self._segment = loaded.segment
        self._dead = dead
        self._entities = entities
        self._sums: dict[Layer, int] = {"chunk": 0, "unit": 0}
        self._rows: dict[Layer, int] = {"chunk": 0, "unit": 0}
        living = self._segment.living(dead)
        self.numbers: list[int] = self._segment.cards[living, Card.NUMBER].tolist()
        self._seen = 0

    def compare(self, whole: Sequence[Whole]) -> Iterator[Problem]:
        """Compare the arrays of these documents."""
        if not whole:
            return
        self._seen += len(whole)
        numbers = [line.number for line, _ in whole]
        cards = self._segment.cards[:, Card.NUMBER]
        there = merge_segments([self._segment], cards[~np.isin(cards, numbers)])
        made = self._made(whole)
        if not np.array_equal(made.chunk_lengths, there.chunk_lengths):
            yield self._problem("full text", whole, "the lengths of its chunks differ")
        if not np.array_equal(made.unit_lengths, there.unit_lengths):
            yield self._problem("full text", whole, "the lengths of its units differ")
        counted = slice(0, Card.CHUNK_VECTOR)
        if not np.array_equal(made.cards[:, counted], there.cards[:, counted]):
            yield self._problem("index", whole, "what is counted of its records differs")
        for name in _LINKS:
            if not np.array_equal(getattr(made, name), getattr(there, name)):
                yield self._problem("links", whole, f"its array {name} is not that of the records")
                return

    def finish(self) -> Iterator[Problem]:
        """Compare the postings, when all documents of the segment could be read."""
        if self._seen != len(self.numbers):
            return
        for layer, count in _COUNTS.items():
            (row_map,) = rows_after_merge([self._segment], self._dead, count)
            there = 0
            for block in self._table.postings(self._number, layer):
                there += _mixture(block, row_map[block.rows])
            if there & _ALL_BITS != self._sums[layer]:
                yield Problem(
                    kind="full text",
                    where=layer,
                    message=f"segment {self._number} does not hold the words of its {layer}s",
                )

    def _made(self, whole: Sequence[Whole]) -> Segment:
        terms = [terms_of_document(indexed) for _, indexed in whole]
        lengths = (
            self._count("chunk", [row for chunks, _ in terms for row in chunks]),
            self._count("unit", [row for _, units in terms for row in units]),
        )
        try:
            numbered = [
                number_document(indexed, _counters(line), self._entities) for line, indexed in whole
            ]
        except KeyError as error:
            raise DamagedPartError(f"the entity {error} is mentioned and not found") from error
        return make_segment(numbered, *lengths, None)

    def _count(self, layer: Layer, records: Sequence[Sequence[str]]) -> Numbers:
        postings, lengths = count_terms(records)
        base = self._rows[layer]
        self._sums[layer] = (self._sums[layer] + _mixture(postings, postings.rows + base)) & (
            _ALL_BITS
        )
        self._rows[layer] = base + len(records)
        return lengths

    def _problem(self, kind: str, whole: Sequence[Whole], message: str) -> Problem:
        where = whole[0][1].document.doc_id if len(whole) == 1 else f"segment {self._number}"
        return Problem(kind=kind, where=where, message=message)


def _counters(line: Spans) -> Counters:
    first = {kind: span[0] for kind, span in line.spans.items()}
    return Counters(
        document=line.number,
        chunk=first["chunks"],
        unit=first["units"],
        mention=first["mentions"],
        topic=first["topics"],
        fact=first["facts"],
    )


_ALL_BITS = (1 << 64) - 1
_FACTORS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))


def _mixture(postings: Postings, rows: NDArray[np.integer]) -> int:
    """The sum over all living (term, row, count) of a number that is mixed from them."""
    words = np.array([crc32(term.encode()) for term in postings.terms], np.uint64)
    keys = np.repeat(words, np.diff(postings.indptr)) << np.uint64(32)
    alive = rows >= 0
    mixed = (keys[alive] ^ rows[alive].astype(np.uint64)) * _FACTORS[0]
    mixed = (mixed ^ (mixed >> np.uint64(29))) + postings.counts[alive].astype(np.uint64)
    mixed = mixed * _FACTORS[1]
    return int(np.add.reduce(mixed ^ (mixed >> np.uint64(32)), dtype=np.uint64))
