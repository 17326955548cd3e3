"""From ranked numbers to results: texts, spans, names, metadata, the path in words, the scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from clew.records import Chunk, KnowledgeUnit
from clew.results import RetrievalItem
from clew.retrieval.base import Evidence, Step
from clew.retrieval.path_steps import Covering, path_steps
from clew.retrieval.query.reading import QueryLinks
from clew.retrieval.rank import Ranked
from clew.retrieval.shown import MOST_UNITS, ShownRecords
from clew.stores.base import GraphReader, search_text_of_chunk, search_text_of_unit

_MOST_NAMES = 12
_DIGITS = 6


def build_items(
    reader: GraphReader, query: QueryLinks, evidence: Evidence, places: Sequence[Ranked]
) -> tuple[RetrievalItem, ...]:
    """Return one item per place, in order."""
    trails = [evidence.trail(place.chunk, place.unit) for place in places]
    records = ShownRecords.fetch(reader, places, trails)
    return tuple(
        _item(records, query, evidence, place, trail)
        for place, trail in zip(places, trails, strict=True)
    )


def _item(
    records: ShownRecords,
    query: QueryLinks,
    evidence: Evidence,
    place: Ranked,
    trail: tuple[Step, ...],
) -> RetrievalItem:
    chunk = records.chunks[place.chunk]
    document = records.documents[chunk.document_id]
    numbers = (place.units or records.units_of_chunk[place.chunk])[:MOST_UNITS]
    path = path_steps(records, query, trail)
    shown = records.units[place.unit] if place.unit >= 0 else chunk
    if isinstance(shown, Chunk):
        text = search_text_of_chunk(document, shown)
    else:
        text = search_text_of_unit(document, shown)
    covering = Covering.of(query, path, text)
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
        path=path,
        units=tuple(records.units[number] for number in numbers),
        scores=_scores(evidence, place, covering.coverage),
        covers=covering.covers,
        uncovered=covering.uncovered,
    )


def _entity_names(
    records: ShownRecords, trail: Iterable[Step], units: Iterable[int]
) -> tuple[str, ...]:
    """The names that the path went by, then those that the units mention."""
    numbers = [step.entity for step in trail if step.entity >= 0]
    numbers += [entity for unit in units for entity in records.entities_of_unit[unit]]
    names = dict.fromkeys(records.entities[number].name for number in numbers)
    return tuple(names)[:_MOST_NAMES]


def _content(records: ShownRecords, chunk: Chunk, shown: Chunk | KnowledgeUnit) -> str:
    """Exactly the text between the item's offsets."""
    if isinstance(shown, Chunk) or shown.verbatim:
        return shown.text
    if chunk.start <= shown.start and shown.end <= chunk.end:
        return chunk.text[shown.start - chunk.start : shown.end - chunk.start]
    return records.texts[chunk.document_id][shown.start : shown.end]


def _scores(evidence: Evidence, place: Ranked, coverage: float) -> dict[str, float]:
    """What the score is made of: see :class:`clew.results.RetrievalItem`."""
    row = int(np.searchsorted(evidence.chunks, place.chunk))
    parts = {name: float(values[row]) for name, values in evidence.details.items()}
    scores: dict[str, float] = {}
    if "alone" in parts:
        alone = parts.pop("alone")
        scores |= {"alone": alone, "links": float(evidence.chunk_scores[row]) - alone}
    scores |= {"coverage": coverage, **place.parts, **parts}
    return {name: round(value, _DIGITS) for name, value in scores.items()}
