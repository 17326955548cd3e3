"""From ranked numbers to results: texts, spans, names, metadata and the path in words.

All records of all results are fetched together, one call per kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from clew.records import Chunk, Document, Entity, KnowledgeUnit
from clew.results import PathStep, RetrievalItem
from clew.retrieval.base import Evidence, Step
from clew.retrieval.query.reading import QueryLinks
from clew.retrieval.rank import Ranked
from clew.stores.base import GraphReader, search_text_of_chunk, search_text_of_unit
from clew.text.words import terms

MOST_UNITS = 8
_MOST_NAMES = 12


def build_items(
    reader: GraphReader, query: QueryLinks, evidence: Evidence, places: Sequence[Ranked]
) -> tuple[RetrievalItem, ...]:
    """Return one item per place, in order."""
    trails = [evidence.trail(place.chunk, place.unit) for place in places]
    records = _Records.fetch(reader, places, trails)
    return tuple(
        _item(records, query, evidence, place, trail)
        for place, trail in zip(places, trails, strict=True)
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Records:
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
    ) -> _Records:
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


def _item(
    records: _Records,
    query: QueryLinks,
    evidence: Evidence,
    place: Ranked,
    trail: tuple[Step, ...],
) -> RetrievalItem:
    chunk = records.chunks[place.chunk]
    document = records.documents[chunk.document_id]
    numbers = (place.units or records.units_of_chunk[place.chunk])[:MOST_UNITS]
    shown = records.units[place.unit] if place.unit >= 0 else chunk
    return RetrievalItem(
        content=_content(records, chunk, shown),
        score=place.score,
        source_chunk_id=chunk.id,
        document_id=document.id,
        doc_id=document.doc_id,
        start=shown.start,
        end=shown.end,
        title=document.title,
        heading_path=chunk.heading_path,
        page=chunk.page,
        knowledge_unit_ids=tuple(records.units[number].id for number in numbers),
        entity_names=_entity_names(records, trail, numbers),
        metadata=chunk.metadata,
        path=tuple(_path_step(records, query, step) for step in trail),
        units=tuple(records.units[number] for number in numbers),
        scores=_scores(evidence, place.chunk),
    )


def _path_step(records: _Records, query: QueryLinks, step: Step) -> PathStep:
    chunk = records.chunks[step.chunk]
    document = records.documents[chunk.document_id]
    entity = records.entities[step.entity].name if step.entity >= 0 else ""
    unit = _unit_of_step(records, query, step)
    if unit is None:
        text = search_text_of_chunk(document, chunk)
    else:
        text = search_text_of_unit(document, unit)
    shown = unit or chunk
    return PathStep(
        unit_id="" if unit is None else unit.id,
        doc_id=document.doc_id,
        text=shown.text,
        start=shown.start,
        end=shown.end,
        entity=entity,
        relation=step.relation,
        score=round(step.score, 6),
        covers=_covered(query, text),
    )


def _unit_of_step(records: _Records, query: QueryLinks, step: Step) -> KnowledgeUnit | None:
    """The unit of a step; of a chunk taken as a whole, the one that covers most of the question."""
    if step.unit >= 0:
        return records.units[step.unit]
    units = [records.units[number] for number in records.units_of_chunk[step.chunk]]
    return max(units, key=lambda unit: _share(query, unit.text), default=None)


def _covered(query: QueryLinks, text: str) -> tuple[str, ...]:
    """The words of the question that ``text`` holds, as the question writes them."""
    held = set(terms(text))
    return tuple(
        word
        for term, word in zip(query.words.terms, query.words.words, strict=True)
        if term in held
    )


def _share(query: QueryLinks, text: str) -> float:
    held = set(terms(text))
    return sum(
        float(share)
        for term, share in zip(query.words.terms, query.words.share, strict=True)
        if term in held
    )


def _entity_names(
    records: _Records, trail: Iterable[Step], units: Iterable[int]
) -> tuple[str, ...]:
    """The names that the path went by, then those that the units mention."""
    numbers = [step.entity for step in trail if step.entity >= 0]
    numbers += [entity for unit in units for entity in records.entities_of_unit[unit]]
    names = dict.fromkeys(records.entities[number].name for number in numbers)
    return tuple(names)[:_MOST_NAMES]


def _content(records: _Records, chunk: Chunk, shown: Chunk | KnowledgeUnit) -> str:
    """Exactly the text between the item's offsets."""
    if isinstance(shown, Chunk) or shown.verbatim:
        return shown.text
    if chunk.start <= shown.start and shown.end <= chunk.end:
        return chunk.text[shown.start - chunk.start : shown.end - chunk.start]
    return records.texts[chunk.document_id][shown.start : shown.end]


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


def _scores(evidence: Evidence, chunk: int) -> dict[str, float]:
    row = int(np.searchsorted(evidence.chunks, chunk))
    return {name: round(float(values[row]), 6) for name, values in evidence.details.items()}


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
