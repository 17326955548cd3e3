"""Rows of a table weighed against each other: two that are named, or all for a superlative.

"Which was longer, the Mewa or the Gull?" looks up the column of lengths in both rows; "Which ferry
carried the most passengers?" looks it up in all rows and answers with the name of the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clew.answering.amounts import read_amount
from clew.answering.cells import Cell, cells_of
from clew.answering.columns import stems_of_header
from clew.answering.degrees import measure_stems, noun_stems
from clew.answering.evidence import Sentence
from clew.answering.study import Study
from clew.answering.support import Finding
from clew.answering.things import Thing, plain
from clew.answering.weighing import DATE_WORDS, as_size
from clew.retrieval.question.dates import find_dates
from clew.retrieval.question.languages import ENGLISH
from clew.retrieval.question.lexicon import DATE_ORDER_WORDS
from clew.retrieval.question.records import Slot
from clew.retrieval.question.relations import alternatives
from clew.retrieval.question.tokens import Token, stem_of, tokenise

_LEAST_TOLD = 0.25
_LEAST_ROWS = 2
_NAMING = frozenset({Slot.SUPERLATIVE, Slot.WHICH, Slot.WHAT, Slot.WHO})

Size = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RowValue:
    """What a row weighs by the column asked for."""

    row: Sentence
    size: Size


def row_value(
    study: Study, thing: Thing, outside: Sequence[Token], *, dated: bool
) -> RowValue | None:
    """The value of the row named like ``thing``, under the heading that ``outside`` asks for."""
    if not thing.key:
        return None
    for sentence in study.evidence.sentences:
        cells = cells_of(sentence)
        if len(cells) < 2 or not any(plain(cell.text) == thing.key for cell in cells):
            continue
        others = [cell for cell in cells if plain(cell.text) != thing.key]
        value = _value(others, outside, dated=dated)
        if value is not None:
            return RowValue(sentence, value)
    return None


def _value(cells: Sequence[Cell], outside: Sequence[Token], *, dated: bool) -> Size | None:
    if dated:
        asked = {token.stem for token in outside if token.stem} | set(DATE_WORDS)
        told = {token.stem for token in outside if token.stem in DATE_WORDS}
        for said in (told, asked):
            for cell in cells:
                if stems_of_header(cell.header) & _same(said) and (day := _day(cell.text)):
                    return day
        return next((day for cell in cells if (day := _day(cell.text))), None)
    words = [token.lower for token in outside]
    stems = measure_stems(words) or noun_stems(words)
    for cell in cells:
        amount = read_amount(cell.text) if stems_of_header(cell.header) & stems else None
        if amount is not None:
            return (amount,)
    return None


def _same(stems: set[str]) -> set[str]:
    return set().union(*(alternatives(stem) for stem in stems), stems)


def _day(text: str) -> Size | None:
    dates = find_dates(text)
    if dates and dates[0].day[0]:
        return as_size(dates[0].day)
    bare = text.strip()
    return (float(bare), 0.0, 0.0) if bare.isdigit() and len(bare) in {3, 4} else None


def extreme_row(study: Study) -> Finding | None:
    """The row at the end of the scale that a superlative names; None where no column of a table
    answers to it, or where the table does not speak of what is asked.
    """
    question = study.question
    if not question.superlative or question.slot not in _NAMING:
        return None
    for rows in _tables(study):
        if len(rows) < _LEAST_ROWS or _told(study, rows[0]) < _LEAST_TOLD:
            continue
        least = _is_least(question.superlative)
        order = sorted(rows, key=lambda row: row.size, reverse=not least)
        if order[0].size == order[1].size:
            return None
        return Finding(
            text=_named(study, order[0].row),
            method="extreme",
            sentences=(order[0].row,),
            certainty=0.85,
            trace={"value": order[0].size},
        )
    return None


def _tables(study: Study) -> list[list[RowValue]]:
    """The rows of each table that have a value under the heading asked for."""
    outside = tokenise(study.question.text)
    words = [token.lower for token in outside]
    dated = bool(set(words) & DATE_ORDER_WORDS) and not measure_stems(words)
    tables: dict[tuple[int, str], list[RowValue]] = {}
    for sentence in study.evidence.sentences:
        cells = cells_of(sentence)
        size = _value(cells[1:], outside, dated=dated) if len(cells) > 1 else None
        if size is not None:
            rows = tables.setdefault((sentence.passage, sentence.context), [])
            rows.append(RowValue(sentence, size))
    return list(tables.values())


def _is_least(superlative: str) -> bool:
    return superlative in ENGLISH.superlative_least and superlative != "youngest"


def _told(study: Study, row: RowValue) -> float:
    """The weighted share of the question's words, the superlative and what it measures left out,
    that the table says, what stands above it, or the sentence before it.
    """
    matching = study.matching
    held = matching.held(row.row)
    sentences = study.evidence.passages[row.row.passage].sentences
    before = [s for s in sentences if s.number < row.row.number and not cells_of(s)]
    if before:
        held = np.maximum(held, matching.said(before[-1]))
    measured = measure_stems(token.lower for token in tokenise(study.question.text))
    total = told = 0.0
    for term, weight, strength in zip(matching.terms, matching.weights, held, strict=True):
        if term.text.casefold() != study.question.superlative and term.stem not in measured:
            total += float(weight)
            told += float(weight) * float(strength > 0)
    return told / total if total else 0.0


def _named(study: Study, row: Sentence) -> str:
    """The cell under the noun that is asked for, else the first."""
    cells = cells_of(row)
    focus = stem_of(study.question.focus) if study.question.focus else ""
    asked = [cell for cell in cells if focus and focus in stems_of_header(cell.header)]
    return (asked or cells)[0].text
