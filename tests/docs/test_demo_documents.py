"""The documents and questions of the demonstration are what they are said to be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from clew.demo.questions import Question, documents_folder, load_questions
from clew.documents import load_file
from clew.records import Document

HARDER = Path(__file__).resolve().parents[2] / "examples" / "harder_questions.json"


def texts_of(name: str) -> str:
    loaded = list(load_file(documents_folder() / name))
    assert loaded
    documents = [document for document in loaded if isinstance(document, Document)]
    assert len(documents) == len(loaded), [item for item in loaded if item not in documents]
    return "\n".join(document.text for document in documents)


@pytest.fixture(scope="module")
def builder(script: Callable[[str], ModuleType]) -> ModuleType:
    return script("examples/build_documents.py")


def test_there_are_many_documents_in_many_formats() -> None:
    names = [path.name for path in documents_folder().iterdir()]
    assert len(names) >= 14
    assert len({name.rsplit(".", 1)[1] for name in names}) >= 7


@pytest.mark.parametrize("path", sorted(documents_folder().iterdir()), ids=lambda path: path.name)
def test_every_document_is_read_and_has_a_fair_length(path: Path) -> None:
    assert 100 <= len(texts_of(path.name).split()) <= 520


def test_building_again_gives_the_same_prose(builder: ModuleType) -> None:
    for name, build in builder.BUILDERS.items():
        parts = builder.read_prose(builder.PROSE / f"{Path(name).stem}.md")
        assert build(parts) == build(parts), f"{name} differs from run to run"
        said = " ".join(texts_of(name).split())
        for part in parts:
            for text in [part.text, *(cell for row in part.rows for cell in row)]:
                assert text in said, f"{name}: run examples/build_documents.py"


def test_the_running_lines_of_the_pdf_are_not_in_its_text(builder: ModuleType) -> None:
    text = texts_of("timekeepers-of-kendall.pdf")
    assert builder.RUNNING_TITLE not in text
    assert "Page 2" not in text


def test_enough_questions_need_several_documents_and_some_have_no_answer() -> None:
    questions = load_questions()
    assert len({question.id for question in questions}) == len(questions)
    joined = [question for question in questions if len(question.evidence) >= 2]
    assert len(joined) >= 10
    assert {question.kind for question in joined} >= {"bridge", "chain", "comparison", "time"}
    assert sum(not question.answers for question in questions) >= 2


@pytest.mark.parametrize("question", load_questions(HARDER), ids=lambda question: question.id)
def test_harder_questions_have_their_answers_in_the_documents_too(question: Question) -> None:
    test_the_first_accepted_answer_stands_in_a_document_that_must_be_cited(question)
    assert question.id not in {other.id for other in load_questions()}


@pytest.mark.parametrize("question", load_questions(), ids=lambda question: question.id)
def test_the_first_accepted_answer_stands_in_a_document_that_must_be_cited(
    question: Question,
) -> None:
    if question.answers:
        pieces = [
            (" ".join(texts_of(name).split()), words)
            for piece in question.evidence
            for name, words in piece.items()
        ]
        assert any(question.answers[0] in text for text, _ in pieces)
        assert all(said in text for text, words in pieces for said in words)
