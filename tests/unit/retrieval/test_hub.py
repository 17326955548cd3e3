"""A hub: hundreds of units mention "the Company", and one of them carries the bridge."""

from __future__ import annotations

import time

import pytest

from clew.config import ClewConfig
from clew.retrieval.pipeline import RetrievePipeline
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


@pytest.mark.parametrize("method", ["linked", "qiter"])
def test_the_work_does_not_grow_with_the_hub(method: str) -> None:
    def seconds(count: int) -> float:
        pipeline = RetrievePipeline(
            _hub_graph(count), embedding=EMBEDDER, config=ClewConfig(retrieval_method=method)
        )
        question = "Who led the Company into the salt trade?"
        pipeline.search(question)
        best = float("inf")
        for _ in range(5):
            began = time.process_time()
            pipeline.search(question)
            best = min(best, time.process_time() - began)
        return best

    assert seconds(4000) < 6 * seconds(500) + 0.05
