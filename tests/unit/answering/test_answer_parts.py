"""The parts of answering: evidence, candidates, kinds, amounts, tables, weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.answering.amounts import read_amount
from clew.answering.candidates import Candidate, find_candidates
from clew.answering.cells import cells_of
from clew.answering.dimensions import dimension_fit
from clew.answering.evidence import Evidence, read_evidence
from clew.answering.features import FEATURES, FeatureReader
from clew.answering.kinds import known_kinds
from clew.answering.study import Study
from clew.answering.weights import BY_HAND, RANKER
from clew.records import KnowledgeUnit
from clew.results import RetrievalItem, RetrievalResult
from clew.retrieval.question import AnswerType, analyse_question
from clew.stores.memory import KnowledgeGraph

Index = Callable[[str, Any], tuple[KnowledgeGraph, RetrievalResult]]


def read(index: Index, texts: Any) -> Evidence:
    graph, result = index("?", texts)
    return read_evidence(result, graph, 6)


def candidates(index: Index, text: str) -> list[Candidate]:
    evidence = read(index, text)
    known = known_kinds(evidence)
    return [c for s in evidence.sentences for c in find_candidates(s, known)]


@pytest.mark.parametrize(
    ("text", "span", "kind"),
    [
        ("It opened on 3 May 1932 in Vik.", "3 May 1932", AnswerType.DATE),
        ("It opened on 3 May 1932 in Vik.", "1932", AnswerType.DATE),
        ("It sold 1.5 million copies.", "1.5 million", AnswerType.NUMBER),
        ("It is 340 metres long.", "340 metres", AnswerType.NUMBER),
        ("It cost $4,500 in all.", "$4,500", AnswerType.NUMBER),
        ("It runs twice a day.", "twice a day", AnswerType.NUMBER),
        ("It has three doors.", "three", AnswerType.NUMBER),
        ("It is based in Canton, Massachusetts.", "Canton, Massachusetts", AnswerType.PLACE),
        ("It is based in Canton, Massachusetts.", "Canton", AnswerType.PLACE),
        ("It was led by Dr. Anna Lund.", "Anna Lund", AnswerType.PERSON),
        ("It was led by Anna Lund, Duke of Vik.", "Anna Lund, Duke of Vik", AnswerType.PERSON),
        ("He wrote the novel Blue Ice.", "Blue Ice", AnswerType.WORK),
        ('He sang "Winter Song" there.', "Winter Song", AnswerType.WORK),
        ("He joined the University of Vik.", "University of Vik", AnswerType.ORG),
        ("He lived near Lake Orm.", "Lake Orm", AnswerType.PLACE),
        ("He plays as a striker for Vik.", "striker", AnswerType.OTHER),
    ],
)
def test_spans_and_their_kinds(index: Index, text: str, span: str, kind: AnswerType) -> None:
    found = {c.text: c for c in candidates(index, text)}

    assert span in found
    assert found[span].kinds.get(kind, 0.0) > 0.3


def test_what_a_passage_says_of_a_name_gives_its_kind(index: Index) -> None:
    texts = {"Quorl": "Quorl is a town in the hills.", "Other": "He went by Quorl then."}
    evidence = read(index, texts)

    assert known_kinds(evidence)["quorl"] == AnswerType.PLACE


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(min_size=1, max_size=160))
def test_candidates_are_slices_of_their_sentence(index: Index, text: str) -> None:
    for candidate in candidates(index, text):
        sentence = candidate.sentence
        assert sentence.text[candidate.start : candidate.end] == candidate.text
        assert 0 <= candidate.first < candidate.last <= len(sentence.tokens)
        assert all(0.0 <= value <= 1.0 for value in candidate.kinds.values())


def test_sentences_are_units_and_overlaps_are_split(index: Index) -> None:
    text = "Ola built it. Kari sold it. Per lost it."
    graph, result = index("?", text)
    item = result.items[0]
    second = RetrievalItem(
        content=text[14:],
        score=1.0,
        source_chunk_id="unknown",
        document_id=item.document_id,
        doc_id=item.doc_id,
        start=14,
        end=len(text),
        units=tuple(unit for unit in graph.knowledge_units if unit.text.startswith("Per")),
    )
    evidence = read_evidence(RetrievalResult(query="?", items=(second,)), graph, 6)

    assert [s.text for s in evidence.sentences] == ["Kari sold it.", "Per lost it."]
    assert [bool(s.unit_id) for s in evidence.sentences] == [False, True]
    assert all(text[s.start : s.end] == s.text for s in evidence.sentences)


def test_a_result_inside_another_is_read_once(index: Index) -> None:
    graph, result = index("?", "Ola built it. Kari sold it.")
    item = result.items[0]
    inner = RetrievalItem(
        content=item.content[:13],
        score=0.5,
        source_chunk_id=item.source_chunk_id,
        document_id=item.document_id,
        doc_id=item.doc_id,
        start=0,
        end=13,
    )
    evidence = read_evidence(RetrievalResult(query="?", items=(item, inner)), graph, 6)

    assert len(evidence.passages) == 1


def test_it_stands_for_things_and_she_for_people(index: Index) -> None:
    evidence = read(index, "Anna Lund founded Norr Works. It makes bolts. She lives in Vik.")

    assert "norr works" in evidence.sentences[1].implied
    assert "anna lund" not in evidence.sentences[1].implied
    assert "anna lund" in evidence.sentences[2].implied
    assert "norr works" not in evidence.sentences[2].implied


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("1.2 million", 1_200_000.0),
        ("1,200 m", 1200.0),
        ("three", 3.0),
        ("$4.5 billion", 4.5e9),
        ("none of it", None),
    ],
)
def test_amounts(text: str, amount: float | None) -> None:
    assert read_amount(text) == amount


@pytest.mark.parametrize(
    ("text", "span", "question", "fit"),
    [
        ("It is 340 metres long.", "340 metres", "How long is it?", 1.0),
        ("It holds 340 passengers now.", "340", "How long is it?", -1.0),
        ("He is 44 years old.", "44 years", "How old is he?", 1.0),
        ("It costs 45 crowns.", "45 crowns", "How much does it cost?", 1.0),
        ("It runs twice a day.", "twice a day", "How often does it run?", 1.0),
    ],
)
def test_units_fit_their_measure(
    index: Index, text: str, span: str, question: str, fit: float
) -> None:
    candidate = next(c for c in candidates(index, text) if c.text == span)

    assert dimension_fit(candidate, analyse_question(question)) == fit


def test_cells_stand_under_their_headers_also_empty_ones(index: Index) -> None:
    text = "| Name | Built | Length |\n|---|---|---|\n| Norr | | 340 m |\n"
    row = next(s for s in read(index, text).sentences if "Norr" in s.text)
    cells = cells_of(row)

    assert [(cell.header, cell.text) for cell in cells] == [
        ("Name", "Norr"),
        ("Built", ""),
        ("Length", "340 m"),
    ]
    assert all(row.text[cell.start : cell.end] == cell.text for cell in cells)


def test_a_labelled_line_is_a_cell(index: Index) -> None:
    sentence = read(index, "Phone: 555 0134").sentences[0]

    assert [(c.header, c.text) for c in cells_of(sentence)] == [("Phone", "555 0134")]


def test_prose_has_no_cells(index: Index) -> None:
    assert cells_of(read(index, "Ola built it in 1910.").sentences[0]) == []


def test_every_feature_has_a_weight_and_is_finite(index: Index) -> None:
    graph, result = index("Who built it?", "Ola Berg built the mill in 1910.")
    evidence = read_evidence(result, graph, 6)
    study = Study(analyse_question("Who built it?"), evidence, graph)
    matrix = FeatureReader(study).matrix(study.candidates)

    assert {*RANKER, *BY_HAND} == set(FEATURES)
    assert matrix.shape[1] == len(FEATURES)
    assert bool((abs(matrix) < 100).all())


def test_rewritten_units_do_not_break_the_slices(index: Index) -> None:
    graph, result = index("?", "Ola built it. He sold it.")
    item = result.items[0]
    rewritten = KnowledgeUnit(
        id="u1",
        document_id=item.document_id,
        chunk_id=item.source_chunk_id,
        start=14,
        end=25,
        text="Ola sold the mill.",
        verbatim=False,
        origin="llm",
    )
    item = RetrievalItem(
        content=item.content,
        score=1.0,
        source_chunk_id="unknown",
        document_id=item.document_id,
        doc_id=item.doc_id,
        start=0,
        end=item.end,
        units=(rewritten,),
    )
    evidence = read_evidence(RetrievalResult(query="?", items=(item,)), graph, 6)

    assert [s.text for s in evidence.sentences] == ["Ola built it.", "He sold it."]
