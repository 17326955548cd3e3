"""Which span is chosen where several stand near: kin behind a pronoun, titles of others, names that
the question has already, small numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clew.answering.evidence import read_evidence
from clew.answering.ranking import Ranker
from clew.answering.study import Study
from clew.results import Answer, RetrievalResult
from clew.retrieval.question import analyse_question
from clew.stores.memory import KnowledgeGraph

Index = Callable[[str, Any], tuple[KnowledgeGraph, RetrievalResult]]
Ask = Callable[..., Answer]

HARRISON = {
    "John Harrison and his watch": "He worked in Norr for ten years. In 1761 his son William took "
    "the watch to Skarvik. William came back in spring.",
    "Ola Roe": "Ola Roe was a captain. George Lund, a baker, lent him money. His sister Kari "
    "sailed with him.",
}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who was the father of William?", "John Harrison"),
        ("Who was the father of the man who took the watch to Skarvik?", "John Harrison"),
    ],
)
def test_his_son_is_the_son_of_whom_the_document_is_about(
    ask: Ask, question: str, expected: str
) -> None:
    answer = ask(question, HARRISON)

    assert answer.answer == expected
    assert "his son William" in answer.citations[-1].text


def test_his_son_has_no_mother_there(ask: Ask) -> None:
    assert ask("Who was the mother of William?", HARRISON).abstained


def test_children_of_one_parent_are_siblings(ask: Ask) -> None:
    text = "Per Berg was a journalist and the father of the musicians Neil Berg and Astrid Berg."
    answer = ask("Who is the sibling of Neil Berg?", {"Per Berg": text})

    assert answer.answer == "Astrid Berg"


def test_a_president_met_is_not_the_president(ask: Ask) -> None:
    texts = {
        "Treaty": "The treaty on the fisheries of Sundland was signed by President Ola Roe in Orm.",
        "Elections": "Parliament elected Kari Lund as the new President of Sundland in 2012.",
    }

    assert ask("Who is the president of Sundland?", texts).answer == "Kari Lund"


def first_of(index: Index, question: str, texts: Any) -> str:
    graph, result = index(question, texts)
    study = Study(analyse_question(question), read_evidence(result, graph, 10), graph)
    best = Ranker(study).best
    assert best is not None
    return best.candidate.text


def test_a_name_in_full_does_not_answer_a_question_about_its_bearer(index: Index) -> None:
    text = "Barry Jarvis Wesson played for the Astros. The coach of the team was Ola Roe."

    assert first_of(index, "Who coached the team of Barry Wesson?", {"Barry Wesson": text}) == (
        "Ola Roe"
    )


def test_a_rank_is_no_population(index: Index) -> None:
    text = "Sundland is a state: population ranked 35 of all, total 2,913,123, density 14 per mile."

    assert first_of(index, "What is the population of Sundland?", {"Sundland": text}) == (
        "2,913,123"
    )


def test_a_date_is_not_what_a_noun_calls_a_person(ask: Ask) -> None:
    text = (
        "Luigi Menabrea, an engineer in Turin who would one day be prime minister of Sundland, "
        "wrote about the Engine."
    )
    answer = ask("Which later prime minister of Sundland wrote about the Engine?", {"Engine": text})

    assert answer.answer == "Luigi Menabrea"
