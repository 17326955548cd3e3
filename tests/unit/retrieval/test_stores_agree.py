"""A search gives the same results whatever the store is made of."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.config import ClewConfig
from clew.retrieval.config import METHODS
from clew.retrieval.pipeline import RetrievePipeline
from clew.stores.memory import KnowledgeGraph
from clew.stores.sqlite import SQLiteStore
from clew.testing.fake_embedder import FakeEmbedder
from clew.testing.small_graphs import small_graph

EMBEDDER = FakeEmbedder()
TEXTS = {
    "Orm Works": "Orm Works makes looms. It was founded by Mira Vance in Dalby.",
    "Mira Vance": "Mira Vance was an engineer. Her mother was Tilda Roe.",
    "Tilda Roe": "Tilda Roe was a printer. Her birthplace was Ostby.",
    "Dalby": "Dalby is a market town.",
} | {f"Note {n}": f"Note {n} tells of an engineer and of town {n}." for n in range(25)}
QUESTIONS = (
    "What was the birthplace of the mother of the engineer who founded Orm Works?",
    "In which town was orm works founded?",
    "Who is Mira Vanse?",
)


@pytest.mark.parametrize("method", METHODS)
def test_memory_and_sqlite_give_the_same_results(tmp_path: Path, method: str) -> None:
    graph: KnowledgeGraph = small_graph(TEXTS, embedder=EMBEDDER)
    config = ClewConfig(retrieval_method=method)
    with SQLiteStore.open(tmp_path / "notes.clew") as store:
        documents = [graph.load_document(document.id) for document in graph.list_documents()]
        store.commit([one for one in documents if one is not None], embedding=graph.embedding)
        for question in QUESTIONS:
            one = RetrievePipeline(graph, embedding=EMBEDDER, config=config).search(question)
            other = RetrievePipeline(store, embedding=EMBEDDER, config=config).search(question)
            assert [item.source_chunk_id for item in one.items] == [
                item.source_chunk_id for item in other.items
            ]
            for ours, theirs in zip(one.items, other.items, strict=True):
                assert ours.score == pytest.approx(theirs.score, abs=1e-3)
                assert [step.unit_id for step in ours.path] == [
                    step.unit_id for step in theirs.path
                ]
