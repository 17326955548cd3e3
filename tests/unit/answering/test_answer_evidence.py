"""Citations are exact, one per hop; sources, modes and determinism."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.answering import ExtractiveAnswerer
from clew.answering.config import AnsweringConfig
from clew.errors import QuestionError
from clew.results import Answer, RetrievalResult
from clew.stores.memory import KnowledgeGraph

Ask = Callable[..., Answer]
Index = Callable[[str, Any], tuple[KnowledgeGraph, RetrievalResult]]

WORKS = {
    "a": "Jane Roe founded Norr Works in 1987. The company employs 340 people in Bergen.",
    "b": "Norr Works bought Orm Foundry in 2004.",
    "c": "Jane Roe was born in Trondheim on 4 June 1951.",
    "d": "The weather in Vik is mild. Rain falls often.",
}
CHAIN = "Where was the founder of the company that bought Orm Foundry born?"


def test_every_hop_is_cited_in_the_order_of_the_reasoning(ask: Ask) -> None:
    answer = ask(CHAIN, WORKS)

    assert [citation.doc_id for citation in answer.citations] == ["b", "a", "c"]
    assert [citation.number for citation in answer.citations] == [1, 2, 3]
    assert answer.sentence == (
        "Norr Works bought Orm Foundry in 2004 [1]; Jane Roe founded Norr Works in 1987 [2]; "
        "Jane Roe was born in Trondheim on 4 June 1951 [3]."
    )


def test_the_path_says_what_each_step_answers(ask: Ask) -> None:
    answer = ask(CHAIN, WORKS)

    assert [step.doc_id for step in answer.path] == ["b", "a", "c"]
    assert answer.path[0].relation == "anchor"
    assert {"bought", "Orm", "Foundry"} <= set(answer.path[0].covers)
    assert "founder" in answer.path[1].covers
    assert all(step.unit_id for step in answer.path)


def test_citations_are_slices_of_their_documents(ask: Ask) -> None:
    for question in (CHAIN, "Who founded Norr Works?", "Is the weather in Vik mild?"):
        for citation in ask(question, WORKS).citations:
            assert WORKS[citation.doc_id][citation.start : citation.end] == citation.text


def test_a_citation_is_a_unit_of_the_index(index: Index) -> None:
    graph, result = index("Who founded Norr Works?", WORKS)
    answer = ExtractiveAnswerer(AnsweringConfig()).answer(result.query, result, graph)
    spans = {(unit.start, unit.end, unit.text) for unit in graph.knowledge_units}

    assert {(c.start, c.end, c.text) for c in answer.citations} <= spans


def test_sources_name_each_document_once_and_hold_text_only_when_asked(ask: Ask) -> None:
    plain = ask(CHAIN, WORKS)
    full = ask(CHAIN, WORKS, include_source_text=True)

    assert [source.doc_id for source in plain.sources] == ["b", "a", "c"]
    assert all(source.text == "" for source in plain.sources)
    assert [source.text for source in full.sources] == [WORKS["b"], WORKS["a"], WORKS["c"]]


def test_source_text_keeps_to_its_limit_and_shows_what_is_cited(ask: Ask) -> None:
    text = "Rain falls in Vik. " * 40 + "Ola Berg built the mill. " + "Snow falls too. " * 40
    answer = ask("Who built the mill?", {"m": text}, include_source_text=True, max_source_chars=80)

    assert answer.answer == "Ola Berg"
    assert len(answer.sources[0].text) <= 80
    assert "Ola Berg built the mill" in answer.sources[0].text


@pytest.mark.parametrize(("mode", "reads"), [("cheap", 5), ("balanced", 10), ("quality", 15)])
def test_the_mode_says_how_much_is_read(ask: Ask, mode: str, reads: int) -> None:
    assert ExtractiveAnswerer(AnsweringConfig(quality_mode=mode)).reads == reads
    texts = [f"Snow falls in winter {at}." for at in range(reads - 1)]
    question = "Who built the mill?"

    assert ask(question, [*texts, "Ola Berg built the mill."], quality_mode=mode).answer
    texts.append("It rains.")
    assert ask(question, [*texts, "Ola Berg built the mill."], quality_mode=mode).abstained


def test_the_same_again_is_the_same(ask: Ask) -> None:
    for question in (CHAIN, "Who founded Norr Works?", "Who painted Norr Works?"):
        assert ask(question, WORKS) == ask(question, WORKS)


def test_an_empty_question_is_refused(ask: Ask) -> None:
    with pytest.raises(QuestionError, match="no word"):
        ask("?", WORKS)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.text(alphabet="abcOMN .,;()|-'\"\n019é食?", min_size=1, max_size=120),
    st.sampled_from(
        [
            "Who founded Norr?",
            "When was N born?",
            "Is A open?",
            "How many c are there?",
            "Which is older, A or B?",
            "Why did O close?",
            "What is N?",
            "Which three b c?",
        ]
    ),
)
def test_any_text_can_be_read(ask: Ask, text: str, question: str) -> None:
    answer = ask(question, {"t": text}, abstention_threshold=0.0)

    for citation in answer.citations:
        assert text[citation.start : citation.end] == citation.text


def test_long_evidence_comes_to_an_end(ask: Ask) -> None:
    text = " ".join(f"Ola Berg built mill {at} in Vik in {1900 + at % 90}." for at in range(400))
    answer = ask("Who built the mill in 1950?", {"m": text})
    assert answer.answer == "Ola Berg"
