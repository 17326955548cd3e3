"""The twenty further questions about the demonstration's documents, written before anything was
done for them: which are answered, with what is cited for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from clew import KnowledgeBase
from clew.demo.questions import Question, documents_folder, faults, load_questions

QUESTIONS = load_questions(Path(__file__).parents[2] / "examples" / "further_questions.json")
NOT_YET = {"city-of-the-maker", "instrument-of-hadley"}


@pytest.fixture(scope="module")
def kb() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.in_memory() as base:
        base.ingest(documents_folder())
        yield base


@pytest.mark.parametrize(
    "question", [q for q in QUESTIONS if q.id not in NOT_YET], ids=lambda question: question.id
)
def test_a_further_question_is_answered(question: Question, kb: KnowledgeBase) -> None:
    assert faults(question, kb.ask(question.question), kb) == ()


def test_there_are_twenty_of_them() -> None:
    assert len(QUESTIONS) == 20
    assert {question.id for question in QUESTIONS} >= NOT_YET
