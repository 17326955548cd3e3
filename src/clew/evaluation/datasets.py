"""Questions with their corpora: a folder with ``corpus.jsonl`` and ``questions.jsonl``.

====================  ==============================================================
``corpus.jsonl``      ``{"id", "title", "text"}`` a line
``questions.jsonl``   ``{"id", "question", "answer", "answer_aliases", "supporting_ids", …}``
====================  ==============================================================
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clew.errors import BrokenDocumentError

DATA_VARIABLE = "CLEW_DATA"
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


def data_folder(folder: str | Path | None = None) -> Path:
    """Where the data is: the folder given, else ``$CLEW_DATA``, else beside the repository."""
    return Path(folder or os.environ.get(DATA_VARIABLE) or _BESIDE_THE_REPOSITORY)


def load_dataset(
    name: str, *, folder: str | Path | None = None, distractors: bool = False
) -> Dataset:
    """Read the set ``name`` (such as ``eval/2wiki``). ``distractors`` adds the passages of
    ``extra_distractors.jsonl`` that answer nothing.

    Raises :class:`FileNotFoundError` and :class:`clew.errors.BrokenDocumentError`.
    """
    place = data_folder(folder) / name
    if not (place / "corpus.jsonl").is_file():
        raise FileNotFoundError(
            f"no corpus.jsonl in {place}: set {DATA_VARIABLE} to the folder of the data sets"
        )
    files = [place / "corpus.jsonl"]
    if distractors:
        files.append(place / "extra_distractors.jsonl")
    return Dataset(
        name=name,
        passages=tuple(_passage(line) for file in files for line in _lines(file)),
        questions=tuple(_question(line) for line in _lines(place / "questions.jsonl")),
    )


def _passage(line: dict[str, Any]) -> Passage:
    return Passage(id=line["id"], title=line.get("title", ""), text=line["text"])


def _question(line: dict[str, Any]) -> QuestionWithGold:
    return QuestionWithGold(
        id=line["id"],
        question=line["question"],
        answers=(line["answer"], *line.get("answer_aliases", ())),
        supporting_ids=tuple(line["supporting_ids"]),
        kind=line.get("type", ""),
    )


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except json.JSONDecodeError as error:
                raise BrokenDocumentError(
                    f"{file}: line {number} is not JSON: {error.msg}"
                ) from error
            if not isinstance(value, dict):
                raise BrokenDocumentError(
                    f"{file}: line {number} is {type(value).__name__}, not an object"
                )
            yield value
