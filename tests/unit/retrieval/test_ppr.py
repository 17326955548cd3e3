"""Personalised PageRank on graphs that a reader can check by hand."""

from __future__ import annotations

from typing import Any

import pytest

from clew.config import ClewConfig
from clew.results import RetrievalItem, RetrievalResult
from clew.retrieval.pipeline import RetrievePipeline
from clew.retrieval.ppr.edges import CHUNK, ENTITY, UNIT
from clew.retrieval.ppr.neighbourhood import Node
from clew.retrieval.ppr.search import PersonalisedPageRank
from clew.retrieval.ppr.seeds import SeedShares
from clew.retrieval.ppr.walks import steps_of
from clew.stores.memory import KnowledgeGraph
from clew.testing.fake_embedder import FakeEmbedder
from clew.testing.small_graphs import small_graph

EMBEDDER = FakeEmbedder()
NAMES_ALONE = PersonalisedPageRank(shares=SeedShares(names=1.0, units=0.0, chunks=0.0))
TEXTS = {
    "Ash Mill": "Ash Mill grinds rye. It was built by Lena Fosse.",
    "Lena Fosse": "Lena Fosse was a mason. Her teacher was Pieter Oll.",
    "Pieter Oll": "Pieter Oll was a printer. He came from Varn.",
    "Varn": "Varn lies on a lake.",
} | {f"Mill {n}": f"Mill {n} was built by a mason. It grinds sort {n}." for n in range(40)}
QUESTION = "Who taught the mason that built Ash Mill?"
FOUR_HOPS = "Where did the teacher of the mason that built Ash Mill come from?"


def _search(
    texts: dict[str, str] | None = None,
    question: str = QUESTION,
    *,
    embedded: bool = True,
    method: PersonalisedPageRank | None = None,
    where: dict[str, Any] | None = None,
    names: tuple[str, ...] = (),
    **settings: Any,
) -> RetrievalResult:
    graph: KnowledgeGraph = small_graph(
        texts or TEXTS, embedder=EMBEDDER if embedded else None, names=names
    )
    pipeline = RetrievePipeline(
        graph,
        embedding=EMBEDDER if embedded else None,
        config=ClewConfig(retrieval_method="ppr", **settings),
        method=method,
    )
    return pipeline.search(question, top_n=5, where=where)


def _item(result: RetrievalResult, doc_id: str) -> RetrievalItem:
    return next(item for item in result.items if item.doc_id == doc_id)


@pytest.mark.parametrize("embedded", [True, False])
def test_what_the_named_thing_is_joined_to_comes_first(embedded: bool) -> None:
    result = _search(embedded=embedded)
    assert result.method == "ppr"
    assert {item.doc_id for item in result.items[:2]} == {"Ash Mill", "Lena Fosse"}


def test_a_chain_is_followed_to_its_end() -> None:
    found = [item.doc_id for item in _search(question=FOUR_HOPS, method=NAMES_ALONE).items]
    assert found[:4] == ["Ash Mill", "Lena Fosse", "Pieter Oll", "Varn"]


def test_the_path_is_the_likeliest_walk() -> None:
    result = _search(question=FOUR_HOPS, method=NAMES_ALONE)
    path = _item(result, "Pieter Oll").path
    assert [step.doc_id for step in path] == ["Ash Mill", "Lena Fosse", "Pieter Oll"]
    assert [step.entity for step in path] == ["Ash Mill", "Lena Fosse", "Pieter Oll"]
    assert path[0].relation == "anchor"
    assert {step.relation for step in path[1:]} <= {"about", "mentions"}


def test_a_seed_that_no_name_leads_to_is_near() -> None:
    near = PersonalisedPageRank(shares=SeedShares(names=0.0, units=1.0, chunks=0.0))
    steps = [item.path[0] for item in _search(method=near).items]
    assert {step.relation for step in steps} == {"similar"}


def test_scores_are_shares_of_the_best() -> None:
    scores = [item.score for item in _search().items]
    assert scores[0] == 1.0
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 < score <= 1.0 for score in scores)


def test_the_best_unit_of_a_chunk_has_its_score() -> None:
    chunk = _item(_search(), "Ash Mill")
    units = [item for item in _search(group_by_chunk=False).items if item.doc_id == "Ash Mill"]
    assert units[0].score == chunk.score
    for item in units:
        assert item.path[-1].text == item.content


def test_names_and_nearness_are_both_seeds() -> None:
    texts = {
        "Ash Mill": "Ash Mill grinds rye.",
        "Tides": "The moon lifts the sea twice a day.",
    } | {f"Note {n}": f"Note {n} is about sort {n}." for n in range(20)}
    result = _search(texts, "Does the moon lift the sea near Ash Mill?")
    assert {item.doc_id for item in result.items[:2]} == {"Ash Mill", "Tides"}
    assert _item(result, "Ash Mill").path[0].relation == "anchor"
    assert _item(result, "Tides").path[0].relation == "similar"


def test_a_rare_name_counts_more_than_a_frequent_one() -> None:
    texts = {f"Minute {n}": f"The Guild met on day {n}." for n in range(60)}
    texts |= {"Minute of May": "Orla Venn spoke.", "Orla Venn": "Orla Venn was a weaver."}
    question = "What did Orla Venn say to The Guild?"
    result = _search(texts, question, names=("The Guild",), method=NAMES_ALONE)
    assert {item.doc_id for item in result.items[:2]} == {"Minute of May", "Orla Venn"}


@pytest.mark.parametrize("size", [200, 3000])
def test_the_work_is_bounded_however_large_the_store(size: int) -> None:
    texts = {f"Minute {n}": f"The Guild met on day {n}." for n in range(size)}
    texts |= {"Minute of May": "The Guild heard Orla Venn.", "Orla Venn": "A weaver."}
    result = _search(texts, "When did The Guild hear Orla Venn?", names=("The Guild",))
    assert "Minute of May" in [item.doc_id for item in result.items[:2]]
    assert result.graph_stats["links_followed"] < 20_000, result.graph_stats


def test_filters_hold_along_the_walk() -> None:
    graph = small_graph(
        TEXTS,
        embedder=EMBEDDER,
        metadata={name: {"open": name != "Lena Fosse"} for name in TEXTS},
    )
    pipeline = RetrievePipeline(
        graph, embedding=EMBEDDER, config=ClewConfig(retrieval_method="ppr")
    )
    items = pipeline.search(FOUR_HOPS, top_n=30, where={"open": True}).items
    passed = {step.doc_id for item in items for step in item.path}
    assert items
    assert "Lena Fosse" not in passed | {item.doc_id for item in items}


def test_nothing_near_is_nothing_found() -> None:
    assert _search(question="qwx zzv", embedded=False).items == ()


def test_going_between_a_unit_and_its_chunk_is_no_step() -> None:
    walk = [
        Node(kind=UNIT, number=4, chunk=1),
        Node(kind=CHUNK, number=1, chunk=1),
        Node(kind=UNIT, number=5, chunk=1),
        Node(kind=ENTITY, number=9, chunk=-1),
        Node(kind=UNIT, number=7, chunk=2),
        Node(kind=CHUNK, number=2, chunk=2),
        Node(kind=ENTITY, number=8, chunk=-1),
        Node(kind=CHUNK, number=3, chunk=3),
        Node(kind=UNIT, number=6, chunk=3),
    ]
    steps = steps_of(walk, lambda chunk: chunk / 10)
    assert [(step.chunk, step.unit, step.relation, step.entity) for step in steps] == [
        (1, 4, "similar", -1),
        (2, 7, "mentions", 9),
        (3, 6, "about", 8),
    ]
    assert [step.score for step in steps] == [0.1, 0.2, 0.3]


def test_a_walk_that_begins_at_an_entity_begins_at_a_name() -> None:
    walk = [Node(kind=ENTITY, number=9, chunk=-1), Node(kind=CHUNK, number=2, chunk=2)]
    (step,) = steps_of(walk, lambda _: 1.0)
    assert (step.chunk, step.unit, step.relation, step.entity) == (2, -1, "anchor", 9)
