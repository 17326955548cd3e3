"""Saying that it is not known, in words that read well."""

from __future__ import annotations

import pytest

from clew.answering.phrasing import unknown_sentence
from clew.retrieval.question import analyse_question


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who painted the ferry?", "says who painted the ferry."),
        ("When was the Norr Bridge built?", "says when the Norr Bridge was built."),
        ("Where is Norr?", "says where Norr is."),
        (
            "What colour was the hair of Ada Lund?",
            "answers “What colour was the hair of Ada Lund?”",
        ),
        (
            "Which island is the home of the puffin?",
            "answers “Which island is the home of the puffin?”",
        ),
    ],
)
def test_the_question_is_a_clause_where_its_subject_is_sure(question: str, said: str) -> None:
    sentence = unknown_sentence(analyse_question(question), [])
    assert sentence == f"I do not know: nothing here {said}"


def test_what_is_missing_is_named() -> None:
    sentence = unknown_sentence(analyse_question("Who painted the ferry?"), ["painted", "ferry"])
    assert sentence.endswith("says who painted the ferry. Not found: painted, ferry.")
