"""New vector files in the place of the old ones: for another embedder, or without dead rows."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from clew.stores.admission import require_matrix
from clew.stores.base import EmbeddingSpace, Layer, Numbers, Scores
from clew.stores.links import ranges
from clew.stores.sqlite.arrays import GenerationArrays
from clew.stores.sqlite.seals import NO_SUM, sums_of
from clew.stores.sqlite.segment_table import SegmentTable
from clew.stores.sqlite.segments import Card
from clew.stores.sqlite.vector_table import VectorTable
from clew.stores.sqlite.vectors import VectorFile

_LEAST_DEAD_ROWS = 4096


class VectorReplacement:
    """Writes vectors of all documents anew, inside one transaction."""

    def __init__(self, connection: sqlite3.Connection, vectors: Path) -> None:
        self._segments = SegmentTable(connection)
        self._vectors = VectorTable(connection, vectors)

    def replace(
        self, space: EmbeddingSpace | None, vectors: Iterable[tuple[int, Scores, Scores]]
    ) -> None:
        """``vectors``: (document number, chunk vectors, unit vectors) for every document."""
        self._vectors.clear()
        places: dict[int, tuple[int, int]] = {}
        sums: dict[Layer, dict[int, Numbers]] = {"chunk": {}, "unit": {}}
        if space is not None:
            writer = self._vectors.writer(space.dimensions)
            for number, chunk_vectors, unit_vectors in vectors:
                places[number] = (
                    writer.append("chunk", chunk_vectors),
                    writer.append("unit", unit_vectors),
                )
                sums["chunk"][number] = sums_of(chunk_vectors)
                sums["unit"][number] = sums_of(unit_vectors)
            self._vectors.note(writer)
        for line in self._segments.lines():
            cards = self._segments.load(line.number).cards.copy()
            for card in cards:
                found = places.get(int(card[Card.NUMBER]), (-1, -1))
                card[Card.CHUNK_VECTOR], card[Card.UNIT_VECTOR] = found
            self._segments.replace_vectors(
                line.number,
                cards,
                {
                    "chunk": _sums_of_cards(cards, Card.CHUNKS, sums["chunk"]),
                    "unit": _sums_of_cards(cards, Card.UNITS, sums["unit"]),
                },
            )

    def counts(self) -> dict[int, tuple[int, int]]:
        """Chunks and units of each living document, by its number."""
        return {
            card[Card.NUMBER]: (card[Card.CHUNKS], card[Card.UNITS])
            for card in self._segments.living_cards().tolist()
        }


def _sums_of_cards(cards: Numbers, count: Card, sums: Mapping[int, Numbers]) -> Numbers:
    """Those of the documents in turn; unknown for the dead."""
    parts = [
        sums.get(number, np.full(records, NO_SUM, np.int64))
        for number, records in cards[:, [Card.NUMBER, count]].tolist()
    ]
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def wasteful(connection: sqlite3.Connection, files: Iterable[VectorFile]) -> bool:
    """Are more rows of the vector files dead than alive?"""
    rows: Counter[Layer] = Counter()
    for file in files:
        rows[file.layer] += file.rows
    if sum(rows.values()) <= _LEAST_DEAD_ROWS:
        return False
    cards = SegmentTable(connection).living_cards()
    alive = {"chunk": cards[:, Card.CHUNKS].sum(), "unit": cards[:, Card.UNITS].sum()}
    return any(
        count - alive[layer] > max(alive[layer], _LEAST_DEAD_ROWS) for layer, count in rows.items()
    )


def living_vectors(arrays: GenerationArrays) -> Iterator[tuple[int, Scores, Scores]]:
    """(document number, chunk vectors, unit vectors) as they are now, in order."""
    for card in arrays.cards:
        line = card[None, :]
        chunks = ranges(line[:, Card.FIRST_CHUNK], line[:, Card.CHUNKS])
        units = ranges(line[:, Card.FIRST_UNIT], line[:, Card.UNITS])
        yield (
            int(card[Card.NUMBER]),
            arrays.chunks.vectors_of(arrays.chunks.rows(chunks)),
            arrays.units.vectors_of(arrays.units.rows(units)),
        )


def checked(
    vectors: Iterable[tuple[str, Scores, Scores]],
    numbers: dict[str, int],
    counts: dict[int, tuple[int, int]],
    space: EmbeddingSpace,
) -> Iterator[tuple[int, Scores, Scores]]:
    """Pass vectors on by document number; raise when they do not fit their document."""
    for document_id, chunk_vectors, unit_vectors in vectors:
        number = numbers[document_id]
        chunks, units = counts[number]
        require_matrix(f"chunk vectors of {document_id}", chunks, chunk_vectors, space)
        require_matrix(f"unit vectors of {document_id}", units, unit_vectors, space)
        yield (
            number,
            np.asarray(chunk_vectors, np.float32),
            np.asarray(unit_vectors, np.float32),
        )
