"""The arrays of one generation: what searches and hops run over.

Put together from the segments, which stay loaded from one generation to the next: after a commit
only what it added is read. Only living records are in them; a record's place is its *row*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from clew.errors import NotFoundError
from clew.stores.base import EmbeddingSpace, Layer, Links, Numbers, Ranking, Scores
from clew.stores.filters import Described
from clew.stores.links import Adjacency, offsets, ranges
from clew.stores.scoring import best
from clew.stores.sqlite.nearest import likely_rows, measured, measured_rows
from clew.stores.sqlite.seals import first_damaged
from clew.stores.sqlite.segments import Card, Segment
from clew.stores.sqlite.vectors import MappedVectors

Flags = NDArray[np.bool_]
Directory = tuple[list[str], list[int]]
_COMPARED_AT_ONCE = 2048


class LoadedSegment:
    """A segment in memory, and where the blocks of its terms are (filled when first needed).

    ``vectors_from`` is the first vector file of its time: when all vectors are replaced, the
    segment says anew where they are.
    """

    def __init__(self, number: int, segment: Segment, vectors_from: int) -> None:
        self.number = number
        self.segment = segment
        self.vectors_from = vectors_from
        self.directories: dict[Layer, Directory] = {}


class RowLayer:
    """The living chunks, or units, in order of number."""

    def __init__(
        self,
        layer: Layer,
        segments: Sequence[Segment],
        living: Sequence[Flags],
        cards: Numbers,
        vectors: MappedVectors | None,
    ) -> None:
        chunk = layer == "chunk"
        self.name = layer
        self.vectors = vectors
        self._is_sound = False
        self._segments = segments
        self._living = living
        self._cards = cards
        self._first = Card.FIRST_CHUNK if chunk else Card.FIRST_UNIT
        self._count = Card.CHUNKS if chunk else Card.UNITS
        self._vector = Card.CHUNK_VECTOR if chunk else Card.UNIT_VECTOR
        self._sums = "chunk_sums" if chunk else "unit_sums"
        self._lengths = "chunk_lengths" if chunk else "unit_lengths"

    @cached_property
    def alive(self) -> list[Flags | None]:
        """Per segment one flag per row; None where all live."""
        return [
            None if flags.all() else np.repeat(flags, segment.cards[:, self._count])
            for segment, flags in zip(self._segments, self._living, strict=True)
        ]

    @cached_property
    def numbers(self) -> Numbers:
        return ranges(self._cards[:, self._first], self._cards[:, self._count])

    @cached_property
    def document_rows(self) -> Numbers:
        """Per row, which of the living documents it belongs to."""
        return np.repeat(np.arange(len(self._cards)), self._cards[:, self._count])

    @cached_property
    def lengths(self) -> Numbers:
        """Per row, the number of its terms."""
        return self.gather([getattr(segment, self._lengths) for segment in self._segments])

    @cached_property
    def document_lengths(self) -> Numbers:
        """Per living document, the number of terms of all its rows."""
        totals = np.bincount(self.document_rows, self.lengths, minlength=len(self._cards))
        return totals.astype(np.int64)

    @property
    def document_counts(self) -> Numbers:
        """Per living document, the number of its rows."""
        return self._cards[:, self._count]

    @cached_property
    def sums(self) -> Numbers:
        """Per row, the checksum of its vector."""
        return self.gather([getattr(segment, self._sums) for segment in self._segments])

    @cached_property
    def vector_rows(self) -> Numbers | None:
        """Per row, its row in the vector files; None when the two are the same."""
        assert self.vectors is not None
        rows = ranges(self._cards[:, self._vector], self._cards[:, self._count])
        same = len(rows) == len(self.vectors) and np.array_equal(rows, np.arange(len(rows)))
        return None if same else rows

    @cached_property
    def row_maps(self) -> list[Numbers]:
        """Per segment, the row of each of its rows here; -1 for the dead."""
        maps, base = [], 0
        for segment, alive in zip(self._segments, self.alive, strict=True):
            count = int(segment.cards[:, self._count].sum())
            if alive is None:
                rows = np.arange(base, base + count, dtype=np.int64)
                base += count
            else:
                rows = np.where(alive, base + np.cumsum(alive) - 1, -1)
                base += int(np.count_nonzero(alive))
            maps.append(rows)
        return maps

    def gather(self, parts: Sequence[NDArray[np.generic]]) -> Numbers:
        """Join one array per segment, without the rows that are dead."""
        kept = [
            part if alive is None else part[alive]
            for part, alive in zip(parts, self.alive, strict=True)
        ]
        return np.concatenate(kept).astype(np.int64) if kept else np.empty(0, np.int64)

    def find(self, numbers: Numbers) -> tuple[Numbers, Flags]:
        """The row of each number, and whether there is one."""
        numbers = np.asarray(numbers, np.int64)
        if not len(self.numbers):
            return np.zeros(len(numbers), np.int64), np.zeros(len(numbers), bool)
        rows = np.searchsorted(self.numbers, numbers)
        rows[rows == len(self.numbers)] = 0
        return rows, self.numbers[rows] == numbers

    def rows(self, numbers: Numbers) -> Numbers:
        rows, known = self.find(numbers)
        if not known.all():
            missing = np.asarray(numbers)[~known][0]
            raise NotFoundError(
                f"no {self.name} with the number {missing} in this generation of the store"
            )
        return rows

    def scores(self, query: Scores) -> Scores:
        """Inner product of ``query`` with every row's vector."""
        assert self.vectors is not None
        self.require_sound()
        scores = self.vectors.scores(query)
        return scores if self.vector_rows is None else scores[self.vector_rows]

    def nearest(self, query: Scores, k: int, allowed: Flags | None = None) -> Ranking:
        """The ``k`` best rows, of those that are ``allowed``; only the likely ones are measured
        (:mod:`clew.stores.sqlite.nearest`).
        """
        assert self.vectors is not None
        places = self.vector_rows
        rows = None if allowed is None else np.flatnonzero(allowed)
        if rows is not None:
            places = rows if places is None else places[rows]
        likely = likely_rows(self.vectors, query, measured_rows(len(self.numbers), k), places)
        found = likely if rows is None else rows[likely]
        return best(self.numbers[found], measured(self.vectors_of, query, found), k)

    @property
    def is_scanned(self) -> bool:
        """Whether a search reads every vector."""
        return self.vectors is None or self.vectors.signs is None

    def vectors_of(self, rows: Numbers) -> Scores:
        """Those of ``rows``, each compared with its sum when it is read for the first time."""
        assert self.vectors is not None
        places = rows if self.vector_rows is None else self.vector_rows[rows]
        vectors, seen = self.vectors.rows(places), self.vectors.seen
        fresh = np.flatnonzero(~seen[places])
        if len(fresh):
            unseen = vectors if len(fresh) == len(rows) else vectors[fresh]
            damaged = first_damaged(unseen, self.sums[rows[fresh]])
            if damaged is not None:
                raise self.vectors.damaged(int(places[fresh[damaged]]))
            seen[places[fresh]] = True
        return vectors

    def require_sound(self) -> None:
        """Compare every vector with its sum, those that were not yet in this process."""
        assert self.vectors is not None
        if self._is_sound:
            return
        places = slice(None) if self.vector_rows is None else self.vector_rows
        fresh = np.flatnonzero(~self.vectors.seen[: len(self.vectors)][places])
        for start in range(0, len(fresh), _COMPARED_AT_ONCE):
            self.vectors_of(fresh[start : start + _COMPARED_AT_ONCE])
        self._is_sound = True


class GenerationArrays:
    """Everything of one generation that is not text.

    ``described`` keeps, for each scope that was filtered, what filters look at of its documents;
    ``frequencies`` in how many chunks an entity is mentioned, for those that were asked for: hubs
    come up in every search, and counting them takes longest.
    """

    def __init__(
        self,
        generation: int,
        space: EmbeddingSpace | None,
        segments: Sequence[LoadedSegment],
        dead: Numbers,
        vectors: Mapping[Layer, MappedVectors],
    ) -> None:
        self.generation = generation
        self.space = space
        self.loaded = segments
        self._segments = [loaded.segment for loaded in segments]
        self._living = [segment.living(dead) for segment in self._segments]
        self.dead = dead
        self.has_dead = len(dead) > 0
        self.cards = self._living_cards()
        rows = (self._segments, self._living, self.cards)
        self.chunks = RowLayer("chunk", *rows, vectors.get("chunk"))
        self.units = RowLayer("unit", *rows, vectors.get("unit"))
        self.described: dict[str | None, list[tuple[int, Described]]] = {}
        self.frequencies: dict[int, int] = {}
        self._kept_flags: tuple[tuple[Numbers, Flags], ...] = ()

    def _living_cards(self) -> Numbers:
        """One line per living document."""
        parts = [
            segment.cards[flags]
            for segment, flags in zip(self._segments, self._living, strict=True)
        ]
        return np.concatenate(parts) if parts else np.empty((0, len(Card)), np.int64)

    def layer(self, layer: Layer) -> RowLayer:
        return self.chunks if layer == "chunk" else self.units

    # --- documents ------------------------------------------------------------------------------

    @property
    def document_numbers(self) -> Numbers:
        return self.cards[:, Card.NUMBER]

    def document_flags(self, documents: Numbers) -> Flags:
        """One flag per living document: is it among ``documents``? Those of the last few arrays
        are kept: a search asks for the same again and again.
        """
        kept = self._kept_flags
        for known, flags in kept:
            if known is documents:
                return flags
        flags = np.isin(self.document_numbers, documents)
        self._kept_flags = ((documents, flags), *kept[: _FLAGS_KEPT - 1])
        return flags

    def allowed(self, layer: RowLayer, documents: Numbers) -> Flags:
        """One flag per row: does it belong to one of ``documents``?"""
        return self.document_flags(documents)[layer.document_rows]

    # --- links ----------------------------------------------------------------------------------

    @cached_property
    def unit_chunks(self) -> Numbers:
        return self.units.gather([segment.unit_chunks for segment in self._segments])

    @cached_property
    def chunk_units(self) -> Adjacency:
        return Adjacency.from_pairs(self.unit_chunks, self.units.numbers)

    @cached_property
    def _unit_entities(self) -> tuple[Numbers, Numbers]:
        counts = self.units.gather([segment.mention_counts for segment in self._segments])
        entities = [
            segment.mention_entities
            if alive is None
            else segment.mention_entities[np.repeat(alive, segment.mention_counts)]
            for segment, alive in zip(self._segments, self.units.alive, strict=True)
        ]
        joined = np.concatenate(entities) if entities else np.empty(0, np.int64)
        return offsets(counts), joined.astype(np.int64)

    def entities_of_units(self, rows: Numbers) -> Links:
        starts, entities = self._unit_entities
        counts = starts[rows + 1] - starts[rows]
        picked = entities[ranges(starts[rows], counts)]
        return Links(offsets(counts), picked, np.ones(len(picked), np.float32))

    def units_of_entities(self, entities: Numbers, limit: int | None = None) -> Links:
        """Dead units included, if there are any. With a ``limit`` at least so many of each entity
        (fewer where there are not more), the lowest numbers: of a hub, no more are looked at.
        """
        parts = [_units_in(segment, entities, limit) for segment in self._segments]
        parts = [(askers, units) for askers, units in parts if len(units)]
        if not parts:
            return Links(np.zeros(len(entities) + 1, np.int64), _NONE, np.empty(0, np.float32))
        askers = np.concatenate([asker for asker, _ in parts])
        units = np.concatenate([unit for _, unit in parts])
        if len(parts) > 1:
            order = np.argsort(askers, kind="stable")
            askers, units = askers[order], units[order]
        counts = np.bincount(askers, minlength=len(entities))
        return Links(offsets(counts), units, np.ones(len(units), np.float32))

    @cached_property
    def topics(self) -> tuple[Numbers, Numbers, Scores]:
        """(chunk, entity, weight) of each topic of a living document."""
        flags = [
            np.repeat(living, segment.cards[:, Card.TOPICS])
            for segment, living in zip(self._segments, self._living, strict=True)
        ]

        def joined(name: str) -> NDArray[np.generic]:
            parts = [
                getattr(segment, name)[kept]
                for segment, kept in zip(self._segments, flags, strict=True)
            ]
            return np.concatenate(parts) if parts else _NONE

        return (
            joined("topic_chunks").astype(np.int64),
            joined("topic_entities").astype(np.int64),
            joined("topic_weights").astype(np.float32),
        )

    @cached_property
    def chunk_topics(self) -> Adjacency:
        return Adjacency.from_pairs(*self.topics)

    @cached_property
    def chunks_about(self) -> Adjacency:
        chunks, entities, weights = self.topics
        return Adjacency.from_pairs(entities, chunks, weights)


_NONE = np.empty(0, np.int64)
_FLAGS_KEPT = 4


def _units_in(segment: Segment, entities: Numbers, limit: int | None) -> tuple[Numbers, Numbers]:
    """(position in ``entities``, unit) of each link in one segment; the first ``limit`` of each."""
    if not len(segment.entities):
        return _NONE, _NONE
    at = np.searchsorted(segment.entities, entities)
    at[at == len(segment.entities)] = 0
    known = np.flatnonzero(segment.entities[at] == entities)
    at = at[known]
    starts = segment.entity_starts[at]
    counts = segment.entity_starts[at + 1] - starts
    if limit is not None:
        counts = np.minimum(counts, max(limit, 0))
    return np.repeat(known, counts), segment.entity_units[ranges(starts, counts)].astype(np.int64)
