"""A hub: hundreds of units mention "the Company", and one of them carries the bridge."""

from __future__ import annotations

import time

import pytest

from clew.config import ClewConfig
from clew.retrieval.pipeline import RetrievePipeline
from clew.retrieval.qiter.frontier import MOST_UNITS_OF_ENTITY
from clew.stores.memory import KnowledgeGraph
from clew.testing.fake_embedder import FakeEmbedder
from clew.testing.small_graphs import small_graph

EMBEDDER = FakeEmbedder(512)
ACTIONS = "opened closed bought sold painted moved counted cleaned lit sealed".split()
THINGS = "a store;a depot;two carts;the old yard;a ledger;the north gate".split(";")


def _hub_graph(count: int, *, embedded: bool = True) -> KnowledgeGraph:
    texts = {
        f"Minute {n}": f"The Company {ACTIONS[n % 10]} {THINGS[n % 6]} on day {n}."
        for n in range(count)
    }
    texts |= {
        "Minute of May": "The Company was led into the salt trade by Sunniva Krag.",
        "Sunniva Krag": "Sunniva Krag was raised on the island of Ytre Holm.",
        "Islands": "Many merchants were raised on an island. Salt was traded by them.",
    }
    return small_graph(texts, names=["The Company"], embedder=EMBEDDER if embedded else None)


@pytest.mark.parametrize("embedded", [True, False])
@pytest.mark.parametrize("method", ["linked", "qiter"])
def test_both_hops_are_among_the_first_five(method: str, embedded: bool) -> None:
    graph = _hub_graph(300, embedded=embedded)
    pipeline = RetrievePipeline(
        graph,
        embedding=EMBEDDER if embedded else None,
        config=ClewConfig(retrieval_method=method, result_top_n=5),
    )
    question = "On which island was the person raised who led the Company into the salt trade?"
    found = [item.doc_id for item in pipeline.search(question).items]
    assert {"Minute of May", "Sunniva Krag"} <= set(found)


@pytest.mark.parametrize(
    ("method", "count", "most"),
    [
        ("linked", "links_followed", 1_000),
        ("qiter", "kus_looked_at", 21 * 3 * MOST_UNITS_OF_ENTITY),
    ],
)
def test_the_work_is_bounded_however_large_the_hub(method: str, count: str, most: int) -> None:
    for size in (500, 4000):
        pipeline = RetrievePipeline(
            _hub_graph(size), embedding=EMBEDDER, config=ClewConfig(retrieval_method=method)
        )
        began = time.thread_time()
        result = pipeline.search("Who led the Company into the salt trade?")
        assert result.graph_stats[count] <= most
        assert result.graph_stats["chunks_considered"] <= 1_000
        assert time.thread_time() - began < 2.0
        assert "Minute of May" in [item.doc_id for item in result.items[:2]]


@pytest.mark.parametrize("embedded", [True, False])
def test_the_right_unit_of_a_hub_is_found_behind_the_first_hundreds(embedded: bool) -> None:
    graph = _hub_graph(1500, embedded=embedded)
    config = ClewConfig(retrieval_method="qiter", anchor_top_k=1)
    pipeline = RetrievePipeline(graph, embedding=EMBEDDER if embedded else None, config=config)
    result = pipeline.search("Who led the Company into the salt trade?")
    assert "Minute of May" in [item.doc_id for item in result.items]
