"""Reading questions with their corpora."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from clew.errors import BrokenDocumentError, DatasetNotFoundError
from clew.evaluation.datasets import DATA_VARIABLE, ORIGINALS, data_folder, load_dataset

PASSAGE: dict[str, object] = {"id": "p1", "title": "Vik", "text": "Vik is a town – with a harbour."}
QUESTION: dict[str, object] = {
    "id": "q1",
    "question": "Where?",
    "answer": "Vik",
    "answer_aliases": ["Port Vik"],
    "supporting_ids": ["p1"],
    "type": "bridge",
    "level": "hard",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "tune" / "towns"
    place.mkdir(parents=True)
    (place / "corpus.jsonl").write_text(json.dumps(PASSAGE) + "\n\n", encoding="utf-8")
    (place / "questions.jsonl").write_text(json.dumps(QUESTION) + "\n", encoding="utf-8")
    more = {"id": "x1", "text": "Nothing of it."}
    (place / "extra_distractors.jsonl").write_text(json.dumps(more) + "\n", encoding="utf-8")
    return tmp_path


def _write(folder: Path, file: str, *lines: Mapping[str, object]) -> None:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "tune" / "towns" / f"{file}.jsonl").write_text(text, encoding="utf-8")


def test_passages_and_questions_are_read(folder: Path) -> None:
    dataset = load_dataset("tune/towns", folder=folder)
    assert dataset.name == "tune/towns"
    assert [passage.text for passage in dataset.passages] == [PASSAGE["text"]]
    (question,) = dataset.questions
    assert question.answers == ("Vik", "Port Vik")
    assert question.supporting_ids == ("p1",)
    assert question.kind == "bridge"


def test_distractors_come_on_request(folder: Path) -> None:
    passages = load_dataset("tune/towns", folder=folder, distractors=True).passages
    assert [passage.id for passage in passages] == ["p1", "x1"]
    assert passages[1].title == ""


def test_the_folder_is_the_given_one_then_the_environments(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATA_VARIABLE, str(folder))
    assert load_dataset("tune/towns").questions
    assert data_folder("elsewhere") == Path("elsewhere")
    monkeypatch.delenv(DATA_VARIABLE)
    assert data_folder().name == "data"


def test_a_missing_set_says_where_it_was_looked_for(folder: Path) -> None:
    with pytest.raises(DatasetNotFoundError, match=DATA_VARIABLE) as raised:
        load_dataset("tune/rivers", folder=folder)
    assert "holds tune/towns" in str(raised.value)
    assert ORIGINALS in str(raised.value)
    assert isinstance(raised.value, FileNotFoundError)


def test_a_folder_may_be_named_itself(folder: Path) -> None:
    assert load_dataset(folder / "tune" / "towns", folder="elsewhere").questions
    (folder / "tune" / "towns" / "extra_distractors.jsonl").unlink()
    with pytest.raises(DatasetNotFoundError, match=r"no extra_distractors\.jsonl"):
        load_dataset("tune/towns", folder=folder, distractors=True)


def test_answers_are_not_needed_to_measure_retrieval(folder: Path) -> None:
    bare = {"id": "q", "question": "Where?", "supporting_ids": ["p1", "p1"]}
    _write(folder, "questions", bare)
    (question,) = load_dataset("tune/towns", folder=folder).questions
    assert question.answers == ()
    assert question.supporting_ids == ("p1",)


def test_the_first_questions_have_all_passages(folder: Path) -> None:
    _write(folder, "questions", QUESTION, QUESTION)
    dataset = load_dataset("tune/towns", folder=folder)
    assert len(dataset.first(1).questions) == 1
    assert dataset.first(1).passages == dataset.passages


@pytest.mark.parametrize(
    ("file", "lines", "message"),
    [
        ("corpus", [{"id": "p1"}], "line 1 needs 'text', a text; it has None"),
        ("corpus", [{"id": 7, "text": "x"}], "line 1 needs 'id', a text; it has 7"),
        ("corpus", [PASSAGE, PASSAGE], "an id stands there twice"),
        ("questions", [], "there is no question in it"),
        ("questions", [{**QUESTION, "supporting_ids": []}], "question 'q1': there are none"),
        ("questions", [{**QUESTION, "supporting_ids": "p1"}], "a list of ids"),
        ("questions", [{**QUESTION, "supporting_ids": ["p9"]}], "'p9' is not in the corpus"),
    ],
)
def test_what_cannot_be_measured_with_is_refused(
    folder: Path, file: str, lines: list[dict[str, object]], message: str
) -> None:
    _write(folder, file, *lines)
    with pytest.raises(BrokenDocumentError, match=message):
        load_dataset("tune/towns", folder=folder)


@pytest.mark.parametrize(("line", "message"), [("{", "line 2 is not JSON"), ("[]", "is list")])
def test_a_broken_line_is_named(folder: Path, line: str, message: str) -> None:
    file = folder / "tune" / "towns" / "corpus.jsonl"
    file.write_text(json.dumps(PASSAGE) + "\n" + line, encoding="utf-8")
    with pytest.raises(BrokenDocumentError, match=message):
        load_dataset("tune/towns", folder=folder)
