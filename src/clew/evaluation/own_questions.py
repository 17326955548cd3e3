"""A user's own questions, from JSON Lines or CSV, with what counts as right.

==================  ==============================================================================
``question``        the question
``answers``         all that count as right: a list, or one text (in CSV parted by ``|``);
                    ``answer`` and ``answer_aliases`` are read too
``doc_ids``         the documents that answer it (``supporting_ids`` is another name); optional
``answerable``      false where the documents do not say it, and a refusal is right; true by default
``id``              optional: the number of the line
==================  ==============================================================================

A question that can be answered needs ``answers`` or ``doc_ids``, else nothing can be measured.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clew.errors import BrokenDocumentError, DatasetNotFoundError, nearest

KEYS = (
    "question", "answers", "answer", "answer_aliases", "doc_ids", "supporting_ids", "answerable",
    "id",
)  # fmt: skip
_TRUE, _FALSE = frozenset({"true", "yes", "1", ""}), frozenset({"false", "no", "0"})


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnQuestion:
    """``place`` names file and line."""

    id: str
    question: str
    answers: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] = ()
    answerable: bool = True
    place: str = ""


def load_questions(path: str | Path) -> tuple[OwnQuestion, ...]:
    """Read the questions of a file: CSV by its suffix, else JSON Lines.

    Raises :class:`DatasetNotFoundError` where there is no file, and :class:`BrokenDocumentError`,
    which names the line, for what is no question.
    """
    file = Path(path)
    if not file.is_file():
        raise DatasetNotFoundError(
            f"no file {str(file)!r} with questions: write one with a line such as "
            '{"question": "Who built it?", "answers": ["Bo Munk"], "doc_ids": ["light.txt"]}'
        )
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BrokenDocumentError(f"{file}: it cannot be read as UTF-8 text: {error}") from error
    rows = _csv_rows(text, file) if file.suffix.lower() == ".csv" else _json_rows(text, file)
    questions = tuple(_question(row, place, number) for row, place, number in rows)
    if not questions:
        raise BrokenDocumentError(f"{file}: there is no question in it")
    _require_different_ids(questions)
    return questions


def _json_rows(text: str, file: Path) -> Iterator[tuple[Mapping[str, Any], str, int]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{file}: line {number}"
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise BrokenDocumentError(
                f"{place} is not JSON ({error.msg}); a line holds one object, such as "
                '{"question": "Who built it?", "answers": ["Bo Munk"]}'
            ) from error
        if not isinstance(row, dict):
            raise BrokenDocumentError(f"{place} is {type(row).__name__}, not an object")
        yield row, place, number


def _csv_rows(text: str, file: Path) -> Iterator[tuple[Mapping[str, Any], str, int]]:
    lines = csv.reader(text.splitlines(keepends=True), strict=True)
    try:
        head = [name.strip() for name in next(lines, [])]
        if "question" not in head:
            raise BrokenDocumentError(
                f"{file}: line 1 must name the columns, 'question' among them; it has {head!r}"
            )
        begins = lines.line_num + 1
        for cells in lines:
            place, number, begins = f"{file}: line {begins}", begins, lines.line_num + 1
            if len(cells) > len(head):
                raise BrokenDocumentError(
                    f"{place} has {len(cells)} cells for {len(head)} columns; "
                    "quote a cell that holds a comma"
                )
            row: dict[str, Any] = dict(zip(head, cells, strict=False))
            if any(cells):
                yield {key: _cell(key, value) for key, value in row.items()}, place, number
    except csv.Error as error:
        raise BrokenDocumentError(f"{file}: line {lines.line_num}: {error}") from error


def _cell(key: str, text: str) -> Any:
    """Lists are parted by ``|``."""
    if key in {"answers", "answer_aliases", "doc_ids", "supporting_ids"}:
        return [part.strip() for part in text.split("|") if part.strip()]
    return text.strip() or None


def _question(row: Mapping[str, Any], place: str, number: int) -> OwnQuestion:
    _require_known(row, place)
    text = row.get("question")
    if not isinstance(text, str) or not text.strip():
        raise BrokenDocumentError(f"{place} needs 'question', a text; it has {text!r}")
    answers = [name for key in ("answer", "answers", "answer_aliases")
               for name in _texts(row, key, place)]  # fmt: skip
    doc_ids = [name for key in ("doc_ids", "supporting_ids") for name in _texts(row, key, place)]
    answerable = _flag(row.get("answerable"), place)
    if answerable and not answers and not doc_ids:
        raise BrokenDocumentError(
            f"{place}: a question that can be answered needs 'answers' or 'doc_ids'; write "
            "'answerable': false where the documents do not say it"
        )
    given = row.get("id")
    return OwnQuestion(
        id=str(number if given is None else given),
        question=text.strip(),
        answers=tuple(dict.fromkeys(answers)),
        doc_ids=tuple(dict.fromkeys(doc_ids)),
        answerable=answerable,
        place=place,
    )


def _require_known(row: Mapping[str, Any], place: str) -> None:
    """Columns of the user's own are left alone, unless they nearly spell one of ours."""
    for key in row:
        if key not in KEYS and (guess := nearest(str(key), KEYS)):
            raise BrokenDocumentError(f"{place}: unknown key {key!r}{guess}")


def _texts(row: Mapping[str, Any], key: str, place: str) -> list[str]:
    value = row.get(key)
    values = value if isinstance(value, list) else [] if value is None else [value]
    for one in values:
        if isinstance(one, bool) or not isinstance(one, str | int | float) or not str(one).strip():
            raise BrokenDocumentError(
                f"{place}: {key!r} must be a text or a list of texts: {one!r}"
            )
    return [str(one).strip() for one in values]


def _flag(value: object, place: str) -> bool:
    if value is None or isinstance(value, bool):
        return value is not False
    word = str(value).strip().lower()
    if word not in _TRUE | _FALSE:
        raise BrokenDocumentError(f"{place}: 'answerable' must be true or false, not {value!r}")
    return word in _TRUE


def _require_different_ids(questions: tuple[OwnQuestion, ...]) -> None:
    places: dict[str, str] = {}
    for question in questions:
        if question.id in places:
            raise BrokenDocumentError(
                f"{question.place}: the id {question.id!r} stands already at {places[question.id]}"
            )
        places[question.id] = question.place
