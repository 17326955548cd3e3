"""LinearRAG over a clew store: its two stages by hand, and the whole of it."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.multihop.peers.linear_rag import (
    LinearRAG,
    LinearRAGSettings,
    TriGraph,
    activate,
    pagerank,
    rank_passages,
    system,
)

from clew.config import ClewConfig
from clew.evaluation.corpora import Corpus
from clew.evaluation.datasets import Dataset, Passage
from clew.evaluation.indexed import index_corpus
from clew.stores.base import Scores
from clew.stores.memory import KnowledgeGraph
from clew.testing.fake_embedder import FakeEmbedder
from clew.testing.small_graphs import small_graph

EMBEDDER = FakeEmbedder()
TEXTS = {
    "Elm Press": "Elm Press prints maps. Elm Press was founded by Rolf Hagen.",
    "Rolf Hagen": "Rolf Hagen was a sailor. Rolf Hagen married Inga Moe.",
    "Inga Moe": "Inga Moe was a painter.",
} | {f"Press {n}": f"Press {n} prints books of sort {n}." for n in range(20)}


@pytest.fixture(scope="module")
def store() -> KnowledgeGraph:
    return small_graph(TEXTS, embedder=EMBEDDER)


def _graph(store: KnowledgeGraph) -> TriGraph:
    with store.reading() as reader:
        return TriGraph.read(reader, by_chunk=False)


def _row(store: KnowledgeGraph, graph: TriGraph, name: str) -> int:
    with store.reading() as reader:
        numbers = reader.find_entities([name.casefold()]).targets
    return int(np.searchsorted(graph.entities, numbers)[0])


def _nearness(graph: TriGraph, value: float) -> Scores:
    return np.full(len(graph.entities_in), value, dtype=np.float32)


def test_a_title_is_named_by_the_first_sentence(store: KnowledgeGraph) -> None:
    graph = _graph(store)
    press = _row(store, graph, "Elm Press")
    passage = graph.passage_ids.index("Elm Press")
    held = (graph.passage_rows == passage) & (graph.entity_rows == press)
    assert graph.counts[held].tolist() == [2.0]
    painter = _row(store, graph, "Inga Moe")
    assert len(graph.sentences_of[painter]) == 2


def test_scores_pass_from_entity_to_entity_and_fade(store: KnowledgeGraph) -> None:
    graph = _graph(store)
    press, founder, wife = (
        _row(store, graph, name) for name in ("Elm Press", "Rolf Hagen", "Inga Moe")
    )
    settings = LinearRAGSettings(threshold=0.1, sentences=5, iterations=3)
    weights, active = activate(graph, _nearness(graph, 0.5), {press: 1.0}, settings)
    assert active[founder] == (0.25, 3)  # at last from its own sentences
    assert active[wife] == (0.25, 3)
    assert weights[wife] == 0.25
    assert weights[founder] >= 0.5


def test_what_falls_below_the_threshold_is_dropped(store: KnowledgeGraph) -> None:
    graph = _graph(store)
    press, founder, wife = (
        _row(store, graph, name) for name in ("Elm Press", "Rolf Hagen", "Inga Moe")
    )
    settings = LinearRAGSettings(threshold=0.3, sentences=5)
    _, active = activate(graph, _nearness(graph, 0.5), {press: 1.0}, settings)
    assert founder in active
    assert wife not in active


def test_pagerank_solves_its_equation() -> None:
    random = np.random.default_rng(3)
    weights = np.triu(random.random((9, 9)) * (random.random((9, 9)) < 0.5), 1)
    weights = weights + weights.T
    weights[8] = weights[:, 8] = 0.0
    sources, targets = np.nonzero(weights)
    chances = weights[sources, targets] / weights.sum(axis=1)[sources]
    start = random.random(9)
    found = pagerank((sources, targets, chances), start, 0.5)
    moved = np.zeros((9, 9))
    moved[targets, sources] = chances
    begin = start / start.sum()
    moved[:, 8] = begin
    expected = np.linalg.solve(np.eye(9) - 0.5 * moved, 0.5 * begin)
    np.testing.assert_allclose(found, expected, atol=1e-10)


def test_a_question_without_a_name_goes_by_nearness(store: KnowledgeGraph) -> None:
    graph = _graph(store)
    question = EMBEDDER.embed(["Who prints maps?"], kind="query")[0]
    scores = rank_passages(graph, question, {}, LinearRAGSettings())
    np.testing.assert_allclose(scores, graph.passage_vectors @ question, atol=1e-6)


def test_both_hops_are_found(store: KnowledgeGraph) -> None:
    found = LinearRAG(store, EMBEDDER).search("Who was the wife of the founder of Elm Press?")
    assert {"Elm Press", "Rolf Hagen"} <= set(found[:3])
    assert len(found) == len(set(found)) == 20


def test_it_is_made_from_an_indexed_corpus() -> None:
    passages = tuple(Passage(id=f"p{n}", title=t, text=x) for n, (t, x) in enumerate(TEXTS.items()))
    corpus = Corpus(dataset=Dataset(name="made", passages=passages, questions=()))
    indexed = index_corpus(corpus, config=ClewConfig(), embedder=FakeEmbedder())
    assert "p0" in system(indexed).search("Who founded Elm Press?")[:2]
    words_alone = index_corpus(corpus, config=ClewConfig())
    with pytest.raises(ValueError, match="needs vectors"):
        system(words_alone)
