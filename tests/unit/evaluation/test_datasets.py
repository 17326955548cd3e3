"""Reading questions with their corpora."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.errors import BrokenDocumentError
from clew.evaluation.datasets import DATA_VARIABLE, data_folder, load_dataset

PASSAGE = {"id": "p1", "title": "Vik", "text": "Vik is a town – with a harbour."}
QUESTION = {
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
    with pytest.raises(FileNotFoundError, match=DATA_VARIABLE):
        load_dataset("tune/rivers", folder=folder)


@pytest.mark.parametrize(("line", "message"), [("{", "line 2 is not JSON"), ("[]", "is list")])
def test_a_broken_line_is_named(folder: Path, line: str, message: str) -> None:
    file = folder / "tune" / "towns" / "corpus.jsonl"
    file.write_text(json.dumps(PASSAGE) + "\n" + line, encoding="utf-8")
    with pytest.raises(BrokenDocumentError, match=message):
        load_dataset("tune/towns", folder=folder)
