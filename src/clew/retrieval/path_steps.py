"""Paths in words: each step with its text, how it was reached, and what of the question it has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, kw_only=True, slots=True)
class Covering:
    """The words of the question in the passage itself, those that neither it nor its path has
    (words that occur nowhere among them), and the share of the question of those that are there.
    """

    covers: tuple[str, ...]
    uncovered: tuple[str, ...]
    coverage: float

    @classmethod
    def of(cls, query: QueryLinks, path: Iterable[PathStep], passage: str) -> Covering:
        covers = covered_words(query, passage)
        found = {*covers, *(word for step in path for word in step.covers)}
        words = (*query.words.words, *query.words.unknown)
        return cls(
            covers=covers,
            uncovered=tuple(word for word in words if word not in found),
            coverage=_share_of_words(query, found),
        )


def _path_step(records: ShownRecords, query: QueryLinks, step: Step, before: set[str]) -> PathStep:
    chunk = records.chunks[step.chunk]
    document = records.documents[chunk.document_id]
    unit = _unit_of_step(records, query, step)
    if unit is None:
        text = search_text_of_chunk(document, chunk)
    else:
        text = search_text_of_unit(document, unit)
    shown = unit or chunk
    entity = records.entities[step.entity].name if step.entity >= 0 else ""
    covers = covered_words(query, f"{text}\n{entity}")
    return PathStep(
        unit_id="" if unit is None else unit.id,
        doc_id=document.doc_id,
        title=document.title,
        context=shown.context,
        text=shown.text,
        start=shown.start,
        end=shown.end,
        entity=entity,
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
        key=lambda unit: _share_of_words(query, covered_words(query, unit.text)),
        default=None,
    )


def covered_words(query: QueryLinks, text: str) -> tuple[str, ...]:
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
