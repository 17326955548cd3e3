"""Questions that systems of this kind get wrong: times, nothing to say, half said, hubs."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from clew.knowledge_base import KnowledgeBase
from clew.testing.fake_embedder import FakeEmbedder

LED = (
    "Ola Berg led Orm Works from 2010 to 2015. Kari Lund has led it since 2015. "
    "Ola Berg lives in Oslo."
)
MILL = "The paper mill of Vik was built in 1911. It was designed by Tove Strand."
ACTIONS = "opened closed bought sold painted moved counted cleaned lit sealed".split()
THINGS = "a store;a depot;two carts;the old yard;a ledger;the north gate".split(";")
MOST_SECONDS = 5.0


@pytest.fixture
def kb() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.in_memory(embedding=FakeEmbedder(256)) as made:
        yield made


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who led Orm Works in 2012?", "Ola Berg"),
        ("Who leads Orm Works?", "Kari Lund"),
        ("Where does Ola Berg live?", "Oslo"),
    ],
)
def test_a_later_fact_retires_its_own_slot_only(
    kb: KnowledgeBase, question: str, expected: str
) -> None:
    kb.ingest_text(LED, name="works")

    answer = kb.ask(question)

    assert answer.answer == expected, answer.sentence
    assert not answer.has_contradictions


def test_one_sentence_a_document_gives_the_same(kb: KnowledgeBase) -> None:
    for number, sentence in enumerate(LED.replace("led it", "led Orm Works").split(". ")):
        kb.ingest_text(sentence.rstrip(".") + ".", name=f"note {number}")

    found = [
        kb.ask(question).answer
        for question in (
            "Who led Orm Works in 2012?",
            "Who leads Orm Works now?",
            "Where does Ola Berg live?",
        )
    ]
    assert found == ["Ola Berg", "Kari Lund", "Oslo"]


def test_what_no_document_says_is_not_known(kb: KnowledgeBase) -> None:
    kb.ingest_text(MILL, name="mill")

    answer = kb.ask("Who composed the anthem of Quorl?")

    assert answer.abstained
    assert answer.answer == ""
    assert "Quorl" in answer.missing


def test_of_what_is_half_said_the_missing_half_is_named(kb: KnowledgeBase) -> None:
    kb.ingest_text(MILL, name="mill")

    answer = kb.ask("Where was the designer of the paper mill of Vik buried?")

    assert answer.abstained
    assert "buried" in answer.missing
    assert not {"mill", "Vik", "paper"} & set(answer.missing)


def test_of_two_questions_the_one_without_an_answer_is_named(kb: KnowledgeBase) -> None:
    kb.ingest_text(MILL, name="mill")

    answer = kb.ask("When was the paper mill of Vik built and who painted the Norr Tower?")

    assert "Norr Tower" in answer.missing


def test_the_one_statement_that_matters_is_found_behind_a_hub(kb: KnowledgeBase) -> None:
    minutes = " ".join(
        f"The Company {ACTIONS[n % 10]} {THINGS[n % 6]} on day {n}." for n in range(300)
    )
    kb.ingest_text(minutes, name="minutes")
    kb.ingest_text("The Company was led into the salt trade by Sunniva Krag.", name="may")
    kb.ingest_text("Sunniva Krag was raised on the island of Ytre Holm.", name="krag")
    question = "On which island was the person raised who led the Company into the salt trade?"

    began = time.thread_time()
    found = [item.doc_id for item in kb.search(question, top_n=5).items]
    answer = kb.ask(question)
    took = time.thread_time() - began

    assert {"may", "krag"} <= set(found)
    assert answer.answer in {"Ytre Holm", "island of Ytre Holm"}, answer.sentence
    assert took < MOST_SECONDS
