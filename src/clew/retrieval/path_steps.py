"""Paths in words: each step with its text, how it was reached, and what of the question it has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clew.records import KnowledgeUnit
from clew.results import PathStep
from clew.retrieval.base import Step
from clew.retrieval.query.reading import QueryLinks
from clew.retrieval.shown import ShownRecords
from clew.stores.base import search_text_of_chunk, search_text_of_unit
from clew.text.words import terms

_DIGITS = 6


def path_steps(
    records: ShownRecords, query: QueryLinks, trail: Sequence[Step]
) -> tuple[PathStep, ...]:
    """One step of words for each of numbers."""
    path: list[PathStep] = []
    for step in trail:
        before = {word for earlier in path for word in earlier.covers}
        path.append(_path_step(records, query, step, before))
    return tuple(path)


def share_of(query: QueryLinks, path: Iterable[PathStep]) -> float:
    """How much of the question the steps have together; 0 where the store knows none of it."""
    return _share_of_words(query, {word for step in path for word in step.covers})


def uncovered_words(query: QueryLinks, path: Iterable[PathStep]) -> tuple[str, ...]:
    """The words of the question that no step has, those that occur nowhere among them."""
    covered = {word for step in path for word in step.covers}
    return tuple(word for word in (*query.words.words, *query.words.unknown) if word not in covered)


def _path_step(records: ShownRecords, query: QueryLinks, step: Step, before: set[str]) -> PathStep:
    chunk = records.chunks[step.chunk]
    document = records.documents[chunk.document_id]
    unit = _unit_of_step(records, query, step)
    if unit is None:
        text = search_text_of_chunk(document, chunk)
    else:
        text = search_text_of_unit(document, unit)
    shown = unit or chunk
    covers = _covered(query, text)
    return PathStep(
        unit_id="" if unit is None else unit.id,
        doc_id=document.doc_id,
        title=document.title,
        text=shown.text,
        start=shown.start,
        end=shown.end,
        entity=records.entities[step.entity].name if step.entity >= 0 else "",
        relation=step.relation,
        score=round(step.score, _DIGITS),
        covers=covers,
        adds=tuple(word for word in covers if word not in before),
        coverage=round(_share_of_words(query, covers), _DIGITS),
    )


def _unit_of_step(records: ShownRecords, query: QueryLinks, step: Step) -> KnowledgeUnit | None:
    """The unit of a step; of a chunk taken as a whole, the one that covers most of the question."""
    if step.unit >= 0:
        return records.units[step.unit]
    units = [records.units[number] for number in records.units_of_chunk[step.chunk]]
    return max(
        units,
        key=lambda unit: _share_of_words(query, _covered(query, unit.text)),
        default=None,
    )


def _covered(query: QueryLinks, text: str) -> tuple[str, ...]:
    """The words of the question that ``text`` holds, as the question writes them."""
    held = set(terms(text))
    return tuple(
        word
        for term, word in zip(query.words.terms, query.words.words, strict=True)
        if term in held
    )


def _share_of_words(query: QueryLinks, words: Iterable[str]) -> float:
    held = set(words)
    return min(
        1.0,
        sum(
            float(share)
            for word, share in zip(query.words.words, query.words.share, strict=True)
            if word in held
        ),
    )
