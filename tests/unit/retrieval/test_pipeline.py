"""RetrievePipeline: what goes in, what comes out, what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clew.config import ClewConfig
from clew.errors import ConfigError, FilterError, FingerprintMismatchError, QuestionError
from clew.records import DEFAULT_SCOPE
from clew.results import RetrievalResult
from clew.retrieval import pipeline as pipeline_module
from clew.retrieval.config import METHODS
from clew.retrieval.hybrid import Hybrid
from clew.retrieval.linked.search import LinkedEvidence
from clew.retrieval.methods import make_method, method_names
from clew.retrieval.pipeline import EMPTY_STORE, NOTHING_SELECTED, WORDS_ALONE, RetrievePipeline
from clew.retrieval.pool.weights import weights_for
from clew.retrieval.pool.weights_file import write_weights
from clew.stores.memory import KnowledgeGraph
from clew.testing.fake_embedder import FakeEmbedder
from clew.testing.small_graphs import small_graph

EMBEDDER = FakeEmbedder()
TEXTS = {
    "Norr Bridge": "Norr Bridge spans the Hel. It was built by Ada Lund in 1901.\n\n"
    "A toll was paid on Norr Bridge until 1950.",
    "Ada Lund": "Ada Lund was an engineer. She was born in Vik.",
    "Vik": "Vik is a harbour town.",
}
METADATA = {"Norr Bridge": {"year": 1990}, "Ada Lund": {"year": 2001}}
QUESTION = "Where was the builder of Norr Bridge born?"


def _graph(*, embedded: bool = True) -> KnowledgeGraph:
    return small_graph(TEXTS, embedder=EMBEDDER if embedded else None, metadata=METADATA)


def _pipeline(graph: KnowledgeGraph, **settings: Any) -> RetrievePipeline:
    embedding = EMBEDDER if graph.embedding is not None else None
    return RetrievePipeline(graph, embedding=embedding, config=ClewConfig(**settings))


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return _graph()


def test_every_method_of_the_configuration_exists() -> None:
    assert method_names() == METHODS
    assert [make_method(name).name for name in METHODS] == list(METHODS)
    with pytest.raises(ConfigError, match="did you mean 'dense'"):
        make_method("dens")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("grouped", [True, False])
def test_content_is_the_slice_of_the_document(
    graph: KnowledgeGraph, method: str, grouped: bool
) -> None:
    result = _pipeline(graph, retrieval_method=method, group_by_chunk=grouped).search(QUESTION)
    texts = {doc.id: doc.text for doc in graph.get_documents(graph.select_documents())}
    assert result.method == method
    assert result.items
    for item in result.items:
        assert texts[item.document_id][item.start : item.end] == item.content
        assert 0.0 <= item.score <= 1.0
        assert item.path
        assert item.path[-1].doc_id == item.doc_id
        for unit in item.units:
            assert texts[unit.document_id][unit.start : unit.end] == unit.text
        assert item.knowledge_unit_ids == tuple(unit.id for unit in item.units)
        assert item.units


@pytest.mark.parametrize("method", [name for name in METHODS if name != "dense"])
def test_words_alone_find_too_and_it_is_said(method: str) -> None:
    result = _pipeline(_graph(embedded=False), retrieval_method=method).search(QUESTION)
    found = [item.doc_id for item in result.items]
    assert "Norr Bridge" in found[:2]
    assert (WORDS_ALONE in result.notes) == (method != "bm25")


def test_dense_search_needs_vectors() -> None:
    with pytest.raises(ConfigError, match="clew reembed"):
        _pipeline(_graph(embedded=False), retrieval_method="dense").search(QUESTION)


def test_words_need_no_embedder(graph: KnowledgeGraph) -> None:
    embedder = FakeEmbedder()
    config = ClewConfig(retrieval_method="bm25")
    RetrievePipeline(graph, embedding=embedder, config=config).search(QUESTION)
    assert embedder.call_count == 0


def test_the_default_embedder_is_taken_only_for_a_store_with_vectors(
    graph: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[ClewConfig] = []

    def default(config: ClewConfig) -> FakeEmbedder:
        made.append(config)
        return EMBEDDER

    monkeypatch.setattr(pipeline_module, "default_embedder", default)
    RetrievePipeline(_graph(embedded=False)).search(QUESTION)
    assert made == []
    pipeline = RetrievePipeline(graph)
    pipeline.search(QUESTION)
    pipeline.search("Who was Ada Lund?")
    assert len(made) == 1


def test_another_embedder_than_the_stores_is_refused(graph: KnowledgeGraph) -> None:
    other = FakeEmbedder(64, seed=1)
    with pytest.raises(FingerprintMismatchError) as caught:
        RetrievePipeline(graph, embedding=other).search(QUESTION)
    for part in (EMBEDDER.fingerprint, other.fingerprint, "clew reembed"):
        assert part in str(caught.value)


def test_a_simple_embedding_object_is_accepted(graph: KnowledgeGraph) -> None:
    class Simple:
        fingerprint = EMBEDDER.fingerprint

        def embed_text(self, text: str) -> list[float]:
            return EMBEDDER.embed_text(text)

        def embed_batch(self, texts: list[str]) -> list[list[float]]:
            return EMBEDDER.embed_batch(texts)

    assert RetrievePipeline(graph, embedding=Simple()).search(QUESTION).items


@pytest.mark.parametrize("question", ["", " \t\n"])
def test_an_empty_question_is_refused(graph: KnowledgeGraph, question: str) -> None:
    with pytest.raises(QuestionError):
        _pipeline(graph).search(question)


def test_an_empty_store_says_so() -> None:
    result = RetrievePipeline(KnowledgeGraph()).search(QUESTION)
    assert result.items == ()
    assert result.notes == (EMPTY_STORE,)
    assert result.graph_stats["items_returned"] == 0


@pytest.mark.parametrize("method", METHODS)
def test_filters_hold_for_results_paths_and_names(graph: KnowledgeGraph, method: str) -> None:
    result = _pipeline(graph, retrieval_method=method).search(
        QUESTION, where={"year": {"$gte": 2000}}
    )
    assert {item.doc_id for item in result.items} == {"Ada Lund"}
    assert all(step.doc_id == "Ada Lund" for item in result.items for step in item.path)
    assert "Norr Bridge" not in result.entities_extracted


def test_a_filter_that_nothing_satisfies_says_so(graph: KnowledgeGraph) -> None:
    result = _pipeline(graph).search(QUESTION, where={"year": 1066})
    assert (result.items, result.notes) == ((), (NOTHING_SELECTED,))


def test_a_filter_that_means_nothing_is_an_error(graph: KnowledgeGraph) -> None:
    with pytest.raises(FilterError):
        _pipeline(graph).search(QUESTION, where={"year": {"$about": 2000}})


def test_scopes_are_apart(graph: KnowledgeGraph) -> None:
    assert _pipeline(graph, scope=DEFAULT_SCOPE).search(QUESTION).items
    assert _pipeline(graph, scope="elsewhere").search(QUESTION).items == ()


def test_as_many_results_as_asked_for(graph: KnowledgeGraph) -> None:
    pipeline = _pipeline(graph, result_top_n=1)
    assert len(pipeline.search(QUESTION).items) == 1
    assert len(pipeline.search(QUESTION, top_n=3).items) == 3
    with pytest.raises(ConfigError, match="top_n=0"):
        pipeline.search(QUESTION, top_n=0)


def test_metadata_title_and_names_come_along(graph: KnowledgeGraph) -> None:
    first = _pipeline(graph).search("Who built Norr Bridge?").items[0]
    assert first.metadata == {"year": 1990}
    assert first.title == "Norr Bridge"
    assert {"Norr Bridge", "Ada Lund"} <= set(first.entity_names)


def test_the_result_counts_and_names(graph: KnowledgeGraph) -> None:
    result = _pipeline(graph).search("Who built Norr Bridge over the Styx?")
    assert result.entities_extracted == ("Norr Bridge",)
    assert result.graph_stats["items_returned"] == len(result.items)
    assert result.graph_stats["kus_retrieved"] >= result.graph_stats["kus_scored"] > 0
    assert any("'Styx'" in note for note in result.notes)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How much did Norr Bridge cost?", "'cost'"),
        ("How many passengers did Norr Bridge carry?", "'passengers', 'carry'"),
        ("How often is Norr Bridge painted?", "'painted'"),
        ("How old is Norr Bridge?", ""),
        ("How far is Norr Bridge from C++ and from 潮汐?", "'C++', '潮汐'"),
        ("Wie viel kostete die Norr Bridge?", "'kostete'"),
        ("Wieviel kostete die Norr Bridge?", "'kostete'"),
    ],
)
def test_words_that_only_ask_are_not_told_as_unknown(
    graph: KnowledgeGraph, question: str, told: str
) -> None:
    notes = _pipeline(graph).search(question).notes
    expected = [f"no document has the word {told}"] if told else []
    assert [note for note in notes if note.startswith("no document has")] == expected


def test_a_question_of_unknown_words_is_no_error(graph: KnowledgeGraph) -> None:
    assert _pipeline(_graph(embedded=False)).search("xyzzy plugh").items == ()
    assert isinstance(_pipeline(graph).search("xyzzy"), RetrievalResult)


def test_a_commit_shows_in_the_next_search() -> None:
    graph = _graph()
    pipeline = _pipeline(graph)
    assert all(item.doc_id != "Ferry" for item in pipeline.search("Who runs the ferry?").items)
    small_graph({"Ferry": "The ferry is run by Ove Strand."}, embedder=EMBEDDER, graph=graph)
    assert pipeline.search("Who runs the ferry?").items[0].doc_id == "Ferry"


@pytest.mark.parametrize(
    "question",
    [
        'O\'Brien "Bo" {x} %s',
        "C:\\new\\table; DROP TABLE units; --",
        "[[a|b]] * OR NEAR(",
        "食べ物はどこ？",
        "\x00 Norr Bridge \x00",
        "a" * 5000,
        "Norr Bridge " * 2000,
    ],
)
def test_hostile_questions_do_no_harm(graph: KnowledgeGraph, question: str) -> None:
    for method in METHODS:
        _pipeline(graph, retrieval_method=method).search(question)


def test_results_are_plain_data(graph: KnowledgeGraph, tmp_path: Path) -> None:
    result = _pipeline(graph).search(QUESTION)
    text = result.to_json(tmp_path / "result.json")
    loaded = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert loaded == json.loads(text) == result.to_dict()
    assert loaded["items"][0]["path"][0]["text"] == result.items[0].path[0].text
    assert set(loaded["items"][0]["scores"]) >= {"alone", "dense", "words"}
    assert all(isinstance(value, float) for value in loaded["items"][0]["scores"].values())


def test_a_search_embeds_its_question_once(graph: KnowledgeGraph) -> None:
    embedder = FakeEmbedder()
    RetrievePipeline(graph, embedding=embedder).search(QUESTION)
    assert embedder.texts == [QUESTION]
    assert np.isfinite(embedder.embed([QUESTION])).all()


def test_weights_of_a_file_are_used(tmp_path: Path) -> None:
    known = weights_for(with_vectors=False)
    changed = replace(known, alone=replace(known.alone, words=123.0))
    write_weights(tmp_path / "w.json", changed)
    linked = make_method("linked", weights=str(tmp_path / "w.json"))
    hybrid = make_method("hybrid", weights=str(tmp_path / "w.json"))
    assert isinstance(linked, LinkedEvidence)
    assert linked.weights == changed
    assert isinstance(hybrid, Hybrid)
    assert hybrid.weights == changed.alone
    config = ClewConfig(retrieval_weights=str(tmp_path / "none.json"), embedding_model="none")
    with pytest.raises(ConfigError, match="clew bench fit"):
        RetrievePipeline(KnowledgeGraph(), config=config)
