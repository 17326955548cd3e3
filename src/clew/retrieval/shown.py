"""The records that a list of results shows, fetched together, one call per kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from clew.records import Chunk, Document, Entity, KnowledgeUnit
from clew.retrieval.base import Step
from clew.retrieval.rank import Ranked
from clew.stores.base import GraphReader

MOST_UNITS = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownRecords:
    """Everything that a list of results shows, by number."""

    chunks: dict[int, Chunk]
    units: dict[int, KnowledgeUnit]
    units_of_chunk: dict[int, tuple[int, ...]]
    entities: dict[int, Entity]
    entities_of_unit: dict[int, tuple[int, ...]]
    documents: dict[str, Document]
    texts: dict[str, str]

    @classmethod
    def fetch(
        cls,
        reader: GraphReader,
        places: Sequence[Ranked],
        trails: Sequence[tuple[Step, ...]],
    ) -> ShownRecords:
        steps = [step for trail in trails for step in trail]
        chunk_numbers = _numbers([*(place.chunk for place in places), *(s.chunk for s in steps)])
        chunks = dict(zip(chunk_numbers.tolist(), reader.get_chunks(chunk_numbers), strict=True))
        links = reader.units_of_chunks(chunk_numbers)
        units_of_chunk = _rows(chunk_numbers, links.indptr, links.targets)
        unit_numbers = _numbers(
            [
                *(unit for place in places for unit in place.units[:MOST_UNITS]),
                *(step.unit for step in steps if step.unit >= 0),
                *links.targets.tolist(),
            ]
        )
        mentioned = reader.entities_of_units(unit_numbers)
        entity_numbers = _numbers(
            [*mentioned.targets.tolist(), *(step.entity for step in steps if step.entity >= 0)]
        )
        units = dict(zip(unit_numbers.tolist(), reader.get_units(unit_numbers), strict=True))
        document_numbers = np.unique(reader.documents_of_chunks(chunk_numbers))
        return cls(
            chunks=chunks,
            units=units,
            units_of_chunk=units_of_chunk,
            entities=dict(
                zip(entity_numbers.tolist(), reader.get_entities(entity_numbers), strict=True)
            ),
            entities_of_unit=_rows(unit_numbers, mentioned.indptr, mentioned.targets),
            documents={
                document.id: document
                for document in reader.list_documents(documents=document_numbers)
            },
            texts=_texts_beyond_chunks(reader, places, units, chunks),
        )


def _texts_beyond_chunks(
    reader: GraphReader,
    places: Sequence[Ranked],
    units: dict[int, KnowledgeUnit],
    chunks: dict[int, Chunk],
) -> dict[str, str]:
    """Whole texts, only for rewritten units whose span reaches beyond their chunk."""
    wanted = []
    for place in places:
        chunk = chunks[place.chunk]
        unit = units.get(place.unit)
        if unit and not (unit.verbatim or chunk.start <= unit.start <= unit.end <= chunk.end):
            wanted.append(place.chunk)
    numbers = np.unique(reader.documents_of_chunks(_numbers(wanted)))
    return {document.id: document.text for document in reader.get_documents(numbers)}


def _numbers(values: Iterable[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(sorted(set(values)), dtype=np.int64)


def _rows(
    numbers: np.ndarray[tuple[int], np.dtype[np.int64]],
    indptr: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    targets: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
) -> dict[int, tuple[int, ...]]:
    return {
        number: tuple(targets[indptr[row] : indptr[row + 1]].tolist())
        for row, number in enumerate(numbers.tolist())
    }
