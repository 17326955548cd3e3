"""Linked evidence on graphs that a reader can check by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from clew.config import ClewConfig
from clew.results import RetrievalItem
from clew.retrieval.linked.links import LinkLimits
from clew.retrieval.linked.search import LinkedEvidence
from clew.retrieval.pipeline import RetrievePipeline
from clew.retrieval.pool.weights import WITH_VECTORS
from clew.stores.memory import KnowledgeGraph
from clew.testing.fake_embedder import FakeEmbedder
from clew.testing.small_graphs import small_graph

EMBEDDER = FakeEmbedder()
TEXTS = {
    "Orm Works": "Orm Works makes looms. It was founded by Mira Vance.",
    "Mira Vance": "Mira Vance was an engineer. Her mother was Tilda Roe.",
    "Tilda Roe": "Tilda Roe was a printer. Her birthplace was Ostby.",
    "Ostby": "Ostby lies on the river Hel.",
} | {
    f"Firm {n}": f"Firm {n} was founded by an engineer. Its birthplace was town {n}."
    for n in range(40)
}
QUESTION = "Who was the mother of the engineer who founded Orm Works?"
THREE_HOPS = "What was the birthplace of the mother of the engineer who founded Orm Works?"


def _graph(*, embedded: bool = True, **options: Any) -> KnowledgeGraph:
    return small_graph(TEXTS, embedder=EMBEDDER if embedded else None, **options)


def _items(
    graph: KnowledgeGraph,
    question: str = QUESTION,
    *,
    method: LinkedEvidence | None = None,
    where: dict[str, Any] | None = None,
    **settings: Any,
) -> list[RetrievalItem]:
    config = ClewConfig(**settings)
    embedding = EMBEDDER if graph.embedding else None
    pipeline = RetrievePipeline(graph, embedding=embedding, config=config, method=method)
    return list(pipeline.search(question, top_n=5, where=where).items)


def _named(items: list[RetrievalItem]) -> list[str]:
    return [item.doc_id for item in items]


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return _graph()


@pytest.mark.parametrize("embedded", [True, False])
def test_both_hops_come_first(embedded: bool) -> None:
    found = _named(_items(_graph(embedded=embedded)))
    assert set(found[:2]) == {"Orm Works", "Mira Vance"}


def test_without_links_the_second_hop_is_lost_among_its_likes(graph: KnowledgeGraph) -> None:
    question = THREE_HOPS
    assert "Tilda Roe" in _named(_items(graph, question, traversal_depth=2))
    assert "Tilda Roe" not in _named(_items(graph, question, traversal_depth=0))


def test_the_path_is_source_entity_target(graph: KnowledgeGraph) -> None:
    second = next(item for item in _items(graph) if item.doc_id == "Mira Vance")
    first_step, last_step = second.path
    assert (first_step.doc_id, first_step.relation, first_step.entity) == (
        "Orm Works",
        "anchor",
        "Orm Works",
    )
    assert first_step.text == "It was founded by Mira Vance."
    assert (last_step.doc_id, last_step.entity) == ("Mira Vance", "Mira Vance")
    assert last_step.relation in {"about", "mentions"}
    assert "mother" in last_step.covers
    assert "founded" in first_step.covers


def test_two_rounds_make_a_path_of_three(graph: KnowledgeGraph) -> None:
    question = THREE_HOPS
    items = _items(graph, question, traversal_depth=2)
    path = next(item for item in items if item.doc_id == "Tilda Roe").path
    assert [step.doc_id for step in path] == ["Orm Works", "Mira Vance", "Tilda Roe"]
    assert path[1].text == "Her mother was Tilda Roe."


def test_depth_zero_follows_no_link(graph: KnowledgeGraph) -> None:
    assert all(len(item.path) == 1 for item in _items(graph, traversal_depth=0))


def test_the_update_weight_decides_what_the_source_answers_for_the_target(
    graph: KnowledgeGraph,
) -> None:
    once = LinkedEvidence(weights=replace(WITH_VECTORS, rounds=WITH_VECTORS.rounds[:1]))
    scores = [
        next(
            item.scores["about_link"]
            for item in _items(graph, method=once, query_update_weight=weight)
            if item.doc_id == "Mira Vance"
        )
        for weight in (0.0, 0.5, 1.0)
    ]
    assert scores[0] < scores[1] < scores[2]
    assert scores[1] == pytest.approx((scores[0] + scores[2]) / 2, abs=1e-5)


def test_scores_fall_and_lie_between_zero_and_one(graph: KnowledgeGraph) -> None:
    scores = [item.score for item in _items(graph)]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in scores)


def test_filters_hold_at_the_hop(graph: KnowledgeGraph) -> None:
    found = _items(graph, where={"doc_id": {"$ne": "Mira Vance"}})
    assert "Mira Vance" not in _named(found)
    assert all(step.doc_id != "Mira Vance" for item in found for step in item.path)


def test_scopes_hold_at_the_hop() -> None:
    graph = _graph()
    small_graph(
        {"Mira Vance": "Mira Vance was an engineer whose mother founded Orm Works."},
        embedder=EMBEDDER,
        scope="other",
        graph=graph,
    )
    ids = {item.document_id for item in _items(graph)}
    others = {document.id for document in graph.list_documents() if document.scope == "other"}
    assert not ids & others
    assert [item.document_id for item in _items(graph, scope="other")] == list(others)


def test_hubs_link_nothing_when_the_limit_says_so(graph: KnowledgeGraph) -> None:
    question = THREE_HOPS
    closed = LinkedEvidence(limits=LinkLimits(most_about=0, hub_least=0, hub_share=0.0))
    items = _items(graph, question, method=closed)
    assert all(len(item.path) == 1 for item in items)


def test_weights_can_be_replaced(graph: KnowledgeGraph) -> None:
    silent = replace(WITH_VECTORS, rounds=())
    items = _items(graph, method=LinkedEvidence(weights=silent))
    assert all("about_link" not in item.scores for item in items)


def test_the_same_question_gives_the_same_result(graph: KnowledgeGraph) -> None:
    again = _graph()
    for one, other in zip(_items(graph), _items(again), strict=True):
        assert one.to_dict() == other.to_dict()


def test_chunks_without_units_do_not_hinder() -> None:
    documents = [
        replace(load, units=(), mentions=(), unit_vectors=load.unit_vectors[:0])
        for title in ("Ostby",)
        if (load := _graph().load_document(_id(title))) is not None
        and load.unit_vectors is not None
    ]
    graph = _graph()
    graph.commit(documents, embedding=graph.embedding)
    (first, *_) = _items(graph, "Which river does Ostby lie on?")
    assert first.doc_id == "Ostby"
    assert first.path[0].unit_id == ""
    assert first.path[0].text == "Ostby lies on the river Hel."


def _id(title: str) -> str:
    graph = _graph()
    return next(document.id for document in graph.list_documents() if document.doc_id == title)


def test_a_chunk_about_an_entity_is_reached_even_where_no_unit_says_its_name() -> None:
    texts = {
        "Orm Works": "Orm Works makes looms. It was founded by Mira Vance.",
        "Mira Vance": "She was an engineer. Her mother was a singer.",
    } | {title: text for title, text in TEXTS.items() if title.startswith("Firm")}
    graph = small_graph(texts, embedder=EMBEDDER)
    found = next(item for item in _items(graph) if item.doc_id == "Mira Vance")
    assert found.scores["shared_link"] > 0
    assert found.scores["about_link"] > 0
