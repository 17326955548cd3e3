"""Every hit tells its path, which words each step has, and what its score is made of, whatever the
method and the store.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from clew.config import ClewConfig
from clew.results import RetrievalItem, RetrievalResult
from clew.retrieval.config import METHODS
from clew.retrieval.explain import explain
from clew.retrieval.pipeline import RetrievePipeline
from clew.stores.base import Store
from clew.stores.memory import KnowledgeGraph
from clew.stores.sqlite import SQLiteStore
from clew.testing import FakeEmbedder, FakeReranker
from clew.testing.small_graphs import small_graph
from clew.text.words import terms

EMBEDDER = FakeEmbedder()
TEXTS = {
    "Orm Works": "Orm Works makes looms. It was founded by Mira Vance in Dalby.",
    "Mira Vance": "Mira Vance was an engineer. Her mother was Tilda Roe.",
    "Tilda Roe": "Tilda Roe was a printer. Her birthplace was Ostby.",
    "Dalby": "Dalby is a market town.",
} | {f"Note {n}": f"Note {n} tells of an engineer and of town {n}." for n in range(25)}
QUESTION = "What was the birthplace of the mother of the engineer who founded Orm Works in Xanadu?"
WORDS = ("birthplace", "mother", "engineer", "founded", "Orm", "Works")


@pytest.fixture(scope="module", params=["memory", "sqlite"])
def store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    graph: KnowledgeGraph = small_graph(TEXTS, embedder=EMBEDDER)
    if request.param == "memory":
        yield graph
        return
    with SQLiteStore.open(tmp_path_factory.mktemp("store") / "notes.clew") as sqlite:
        documents = [graph.load_document(document.id) for document in graph.list_documents()]
        sqlite.commit([one for one in documents if one is not None], embedding=graph.embedding)
        yield sqlite


def _search(
    store: Store, method: str, question: str = QUESTION, **settings: Any
) -> RetrievalResult:
    config = ClewConfig(retrieval_method=method, result_top_n=20, **settings)
    return RetrievePipeline(store, embedding=EMBEDDER, config=config).search(question)


@pytest.mark.parametrize("grouped", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_steps_tell_the_words_that_they_have(store: Store, method: str, grouped: bool) -> None:
    result = _search(store, method, group_by_chunk=grouped)
    assert result.items
    for item in result.items:
        seen: set[str] = set()
        for step in item.path:
            held = set(terms(f"{step.title} {step.text} {step.entity}"))
            assert step.covers == tuple(word for word in WORDS if set(terms(word)) <= held)
            assert step.adds == tuple(word for word in step.covers if word not in seen)
            assert 0.0 <= step.coverage <= 1.0
            assert (step.coverage > 0) == bool(step.covers)
            seen |= set(step.covers)
        assert item.path[-1].doc_id == item.doc_id
        there = seen | set(item.covers)
        assert item.uncovered == (*(word for word in WORDS if word not in there), "Xanadu")
        assert item.scores["coverage"] >= max(step.coverage for step in item.path) - 1e-6


@pytest.mark.parametrize("method", METHODS)
def test_a_path_goes_from_unit_over_entity_to_unit(store: Store, method: str) -> None:
    few = {"anchor_top_k": 1, "max_kus_per_depth": 3}
    links = [
        (before, step)
        for item in _search(store, method, "Who founded Orm Works?", **few).items
        for before, step in pairwise(item.path)
    ]
    assert bool(links) == (method in {"linked", "qiter", "ppr"})
    for before, step in links:
        assert step.entity
        assert step.relation in {"mentions", "about"}
        assert (before.unit_id, before.start) != (step.unit_id, step.start)


@pytest.mark.parametrize("method", METHODS)
def test_scores_say_what_they_are_made_of(store: Store, method: str) -> None:
    for item in _search(store, method).items:
        assert "coverage" in item.scores
        if method != "ppr":
            assert item.scores["alone"] + item.scores["links"] == pytest.approx(
                item.score, abs=2e-6
            )
        if method in {"dense", "bm25", "hybrid"}:
            assert item.scores["links"] == 0.0
    pulled = [item for item in _search(store, "linked").items if len(item.path) > 1]
    assert any(item.scores["links"] > 0 for item in pulled)


@pytest.mark.parametrize("method", METHODS)
def test_the_scores_of_a_second_stage_stand_beside_the_first(store: Store, method: str) -> None:
    config = ClewConfig(retrieval_method=method)
    pipeline = RetrievePipeline(store, embedding=EMBEDDER, config=config, reranker=FakeReranker())
    result = pipeline.search(QUESTION)
    for item in result.items:
        assert {"coverage", "first", "rerank"} <= set(item.scores)
    assert "reranker 0." in explain(result) or "reranker 1." in explain(result)


@pytest.mark.parametrize("method", METHODS)
def test_json_has_all_of_it(store: Store, method: str) -> None:
    result = _search(store, method)
    loaded = json.loads(result.to_json())
    for item, told in zip(result.items, loaded["items"], strict=True):
        assert told["scores"] == dict(item.scores)
        assert told["uncovered"] == list(item.uncovered)
        assert told["covers"] == list(item.covers)
        assert [step["adds"] for step in told["path"]] == [list(step.adds) for step in item.path]
        assert {"title", "coverage", "entity", "relation", "text", "start", "end"} <= set(
            told["path"][0]
        )


@pytest.mark.parametrize("method", METHODS)
def test_the_tree_shows_every_step(store: Store, method: str) -> None:
    result = _search(store, method)
    text = explain(result, width=None)
    for item in result.items:
        assert text.count(_place(item)) >= 1
        for step in item.path:
            assert f"“{step.text}”" in text


def _place(item: RetrievalItem) -> str:
    return f"{item.score:.3f} {item.doc_id}"
