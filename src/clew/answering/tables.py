"""Rows of tables: the cell under the column that is asked for, in the row that fits the question.

What a row is, :mod:`clew.answering.cells` says. A column is asked for by the focus noun or a word
of the same meaning; a row fits when its other cells hold the question's names and values. It works
in both directions: the year of a bridge, and the bridge of a year.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from clew.answering.cells import Cell, cells_of
from clew.answering.columns import holds_in, measured, spoken, stems_of_header
from clew.answering.evidence import Sentence, cached_tokens
from clew.answering.loudness import is_quiet
from clew.answering.study import Study
from clew.answering.support import Finding
from clew.retrieval.question.dates import find_dates
from clew.retrieval.question.lexicon import NUMBER_WORDS
from clew.retrieval.question.records import AnswerType, ContentTerm, Slot
from clew.retrieval.question.relations import alternatives
from clew.retrieval.question.tokens import stem_of

LEAST_ROW = 0.3
_ONLY_NEAR = 0.8
"""A heading that fits no better than so answers only where the row tells all that is asked."""
_BY_CUE = 0.5
"""A heading that the question says beside the noun it asks for: "the occupation of the CAPTAIN"."""
_SLOT_WORDS = {
    Slot.WHEN: "date year when built founded born opened",
    Slot.WHERE: "place location city town where country site address",
    Slot.WHO: "name person who builder founder author owner leader",
    Slot.HOW_MUCH: "price cost amount value",
}


@dataclass(frozen=True, slots=True)
class _Fit:
    row: Sentence
    cell: Cell
    row_share: float
    column: float


def look_up(study: Study) -> Finding | None:
    """Answer from a row of a table; None when no row and column fit."""
    fits = [
        fit
        for sentence in study.evidence.sentences
        if (cells := cells_of(sentence))
        for fit in _fits(study, sentence, cells)
    ]
    if not fits:
        return None
    order = sorted(
        fits, key=lambda f: (-round(f.row_share * f.column, 4), f.row.number, f.cell.start)
    )
    top = order[0]
    same = [f for f in order if f.row_share * f.column >= top.row_share * top.column - 1e-6]
    others = [f for f in same if f.cell.text != top.cell.text and f.row is not top.row]
    texts = [top.cell.text]
    rows = [top.row]
    if others and study.question.slot == Slot.LIST:
        texts += [f.cell.text for f in others]
        rows += [f.row for f in others]
        others = []
    return Finding(
        text=", ".join(dict.fromkeys(texts)),
        method="table",
        sentences=tuple(rows),
        certainty=min(1.0, 0.4 + 0.6 * top.row_share),
        rivals=tuple(f.row for f in others[:1]),
        rival_texts=tuple(f.cell.text for f in others[:1]),
        trace={"column": top.cell.header},
    )


def _fits(study: Study, row: Sentence, cells: Sequence[Cell]) -> list[_Fit]:
    matching = study.matching
    terms, weights = matching.terms, matching.weights
    found = []
    timed = holds_in([(cell.header, cell.text) for cell in cells], study.question)
    if timed < 0:
        return []
    for cell in cells:
        if not cell.text or not _kind_fits(study, cell):
            continue
        column = _column_share(study, cell)
        others = [other for other in cells if other is not cell]
        held = free = 0.0
        is_told = True
        values = 1.0 if len(cells) == 1 else 0.0
        for term, weight in zip(terms, weights, strict=True):
            if timed > 0 and _is_time(study, term):
                held += float(weight)
                values += float(weight)
            elif _holds(spoken(cell.header), term) or (term.is_focus and column > _BY_CUE):
                free += float(weight)
            elif any(_holds(other.text, term) for other in others):
                held += float(weight)
                values += float(weight)
            elif any(_holds(spoken(other.header), term) for other in others) or _holds(
                f"{row.topic} {row.context.partition(chr(10))[0]}", term
            ):
                held += 0.8 * float(weight)
            elif not (term.in_name or is_quiet(study.question, term)):
                is_told = False
        total = 1.0 - free
        share = held / total if total > 1e-9 else 1.0
        is_asked = is_told or column > _ONLY_NEAR
        if is_asked and column > 0 and values > 0 and share >= LEAST_ROW:
            found.append(_Fit(row, cell, share, column))
    return found


def _column_share(study: Study, cell: Cell) -> float:
    """How well the header answers to what is asked for."""
    question = study.question
    stems = stems_of_header(cell.header)
    if not stems:
        return 0.0
    if stems & measured(question):
        return 1.0
    focus = stem_of(question.focus) if question.focus else ""
    if focus and focus in stems:
        return 1.0
    if focus and stems & alternatives(focus):
        return 0.9
    cues = set().union(*(t.alternatives for t in study.matching.terms if not t.in_name), set())
    if stems & cues:
        return 0.8 if not focus or question.types != (AnswerType.OTHER,) else _BY_CUE
    words = {stem_of(word) for word in _SLOT_WORDS.get(question.slot, "").split()}
    return 0.4 if stems & words else 0.0


def _is_time(study: Study, term: ContentTerm) -> bool:
    return any(time.start <= term.start < time.end for time in study.question.times)


def _kind_fits(study: Study, cell: Cell) -> bool:
    wanted = study.question.types
    has_number = any(c.isdigit() for c in cell.text) or cell.text.casefold() in NUMBER_WORDS
    if wanted[0] == AnswerType.DATE:
        return bool(find_dates(cell.text)) or bool(re.fullmatch(r"\d{3,4}", cell.text))
    if wanted[0] == AnswerType.NUMBER:
        return has_number
    return any(c.isalpha() for c in cell.text) or wanted == (AnswerType.OTHER,)


def _holds(text: str, term: ContentTerm) -> bool:
    return any(
        token.stem == term.stem or (token.stem in term.alternatives and not term.in_name)
        for token in cached_tokens(text)
    )
