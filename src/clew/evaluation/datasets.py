"""Questions with their corpora: a folder with ``corpus.jsonl`` and ``questions.jsonl``.

====================  ==========================================================================
``corpus.jsonl``      ``{"id", "title", "text"}`` a line
``questions.jsonl``   ``{"id", "question", "supporting_ids", "answer", "answer_aliases", "type"}``
====================  ==========================================================================

``supporting_ids`` are the passages that a question needs; to measure retrieval, ``answer`` and what
follows may be left out.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from clew.errors import BrokenDocumentError, DatasetNotFoundError

DATA_VARIABLE = "CLEW_DATA"
ORIGINALS = (
    "The public originals: https://github.com/Alab-NII/2wikimultihop, "
    "https://github.com/StonyBrookNLP/musique, https://hotpotqa.github.io."
)
_BESIDE_THE_REPOSITORY = Path("../shared/data")


@dataclass(frozen=True, kw_only=True, slots=True)
class Passage:
    id: str
    title: str
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionWithGold:
    """``answers`` are all that count as right, the preferred one first; ``kind`` is the set's own
    name for the type of the question.
    """

    id: str
    question: str
    answers: tuple[str, ...]
    supporting_ids: tuple[str, ...]
    kind: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Dataset:
    name: str
    passages: tuple[Passage, ...]
    questions: tuple[QuestionWithGold, ...]

    def first(self, count: int) -> Dataset:
        """The same passages with the first ``count`` questions."""
        return replace(self, questions=self.questions[:count])


def data_folder(folder: str | Path | None = None) -> Path:
    """Where the data is: the folder given, else ``$CLEW_DATA``, else beside the repository."""
    return Path(folder or os.environ.get(DATA_VARIABLE) or _BESIDE_THE_REPOSITORY)


def load_dataset(
    name: str | Path, *, folder: str | Path | None = None, distractors: bool = False
) -> Dataset:
    """Read the set ``name`` (such as ``eval/2wiki``) of the data folder, or the folder of that
    name. ``distractors`` adds the passages of ``extra_distractors.jsonl`` that answer nothing.

    Raises :class:`DatasetNotFoundError` and :class:`BrokenDocumentError`.
    """
    place = _place(str(name), data_folder(folder))
    files = [place / "corpus.jsonl"]
    if distractors:
        files.append(_existing(place / "extra_distractors.jsonl", "the set has no extra passages"))
    questions = _existing(place / "questions.jsonl", "the set has no questions")
    dataset = Dataset(
        name=str(name),
        passages=tuple(_passage(*line) for file in files for line in _lines(file)),
        questions=tuple(_question(*line) for line in _lines(questions)),
    )
    _require_whole(dataset, place)
    return dataset


def _place(name: str, data: Path) -> Path:
    for place in (data / name, Path(name)):
        if (place / "corpus.jsonl").is_file():
            return place
    raise DatasetNotFoundError(
        f"no set {name!r}: there is no corpus.jsonl in {data / name}{_choices(data)}. Name a "
        f"folder with corpus.jsonl and questions.jsonl, or set {DATA_VARIABLE} to the folder that "
        f"holds the sets. {ORIGINALS}"
    )


def _choices(data: Path) -> str:
    """The sets that there are, for a message."""
    found = sorted(
        file.parent.relative_to(data).as_posix()
        for file in data.glob("*/*/questions.jsonl")
        if file.with_name("corpus.jsonl").is_file()
    )
    return f" ({data} holds {', '.join(found)})" if found else ""


def _existing(file: Path, otherwise: str) -> Path:
    if not file.is_file():
        raise DatasetNotFoundError(f"no {file.name} in {file.parent}: {otherwise}")
    return file


def _require_whole(dataset: Dataset, place: Path) -> None:
    """Every question must have passages that support it, all of them in the corpus."""
    if not dataset.questions:
        raise BrokenDocumentError(f"{place / 'questions.jsonl'}: there is no question in it")
    known = {passage.id for passage in dataset.passages}
    if len(known) < len(dataset.passages):
        raise BrokenDocumentError(f"{place / 'corpus.jsonl'}: an id stands there twice")
    for question in dataset.questions:
        missing = [name for name in question.supporting_ids if name not in known]
        if missing or not question.supporting_ids:
            what = f"{missing[0]!r} is not in the corpus" if missing else "there are none"
            raise BrokenDocumentError(
                f"{place / 'questions.jsonl'}: supporting_ids of question {question.id!r}: {what}"
            )


def _passage(line: dict[str, Any], where: str) -> Passage:
    return Passage(
        id=_text(line, "id", where), title=line.get("title") or "", text=_text(line, "text", where)
    )


def _question(line: dict[str, Any], where: str) -> QuestionWithGold:
    answers = (line.get("answer"), *(line.get("answer_aliases") or ()))
    supporting = line.get("supporting_ids")
    if not isinstance(supporting, list):
        raise BrokenDocumentError(f"{where} needs 'supporting_ids', a list of ids of passages")
    return QuestionWithGold(
        id=_text(line, "id", where),
        question=_text(line, "question", where),
        answers=tuple(str(answer) for answer in answers if answer is not None),
        supporting_ids=tuple(dict.fromkeys(str(name) for name in supporting)),
        kind=line.get("type") or "",
    )


def _text(line: dict[str, Any], key: str, where: str) -> str:
    value = line.get(key)
    if not isinstance(value, str):
        raise BrokenDocumentError(f"{where} needs {key!r}, a text; it has {value!r}")
    return value


def _lines(file: Path) -> Iterator[tuple[dict[str, Any], str]]:
    """Each line, and what a message calls it."""
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            where = f"{file}: line {number}"
            try:
                value = json.loads(line)
            except json.JSONDecodeError as error:
                raise BrokenDocumentError(f"{where} is not JSON: {error.msg}") from error
            if not isinstance(value, dict):
                raise BrokenDocumentError(f"{where} is {type(value).__name__}, not an object")
            yield value, where
