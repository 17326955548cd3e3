"""Personalised PageRank against power iteration over a dense matrix of the whole graph.

The matrix is made from the committed records, edge by edge, not from what a store says of links.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from clew.config import ClewConfig
from clew.records import IndexedDocument
from clew.retrieval.base import Search
from clew.retrieval.pool.word_scores import WordScores
from clew.retrieval.ppr.edges import EdgeWeights
from clew.retrieval.ppr.neighbourhood import Neighbourhood
from clew.retrieval.ppr.push import Visits, push
from clew.retrieval.ppr.search import PersonalisedPageRank
from clew.retrieval.ppr.seeds import SeedShares, find_seeds
from clew.retrieval.query.reading import QueryLinks, link_query
from clew.stores.base import GraphReader, Numbers
from clew.stores.memory import KnowledgeGraph
from clew.testing.made_documents import SPACE, made_documents

EDGES = EdgeWeights(mentions=1.0, contains=0.7, about=2.5)
KINDS = ("entity", "unit", "chunk")
Matrix = NDArray[np.float64]


class Dense:
    """The graph as a matrix: ``names`` are (kind, id), row after row."""

    def __init__(self, documents: Sequence[IndexedDocument], weights: EdgeWeights) -> None:
        pairs = [pair for one in documents for pair in _pairs(one, weights)]
        self.names = sorted({name for one, other, _ in pairs for name in (one, other)})
        at = {name: row for row, name in enumerate(self.names)}
        joined = np.zeros((len(at), len(at)))
        for one, other, weight in pairs:
            joined[at[one], at[other]] = joined[at[other], at[one]] = weight
        self.chances: Matrix = joined / joined.sum(axis=1, keepdims=True)

    def visits(self, seeds: Matrix, damping: float) -> Matrix:
        ranks = seeds
        for _ in range(3000):
            ranks = (1 - damping) * seeds + damping * (self.chances.T @ ranks)
        return ranks

    def nodes(self, reader: GraphReader) -> Numbers:
        """The node that the walk knows each row by."""
        return np.array(
            [
                int(reader.numbers_of(kind, [id_])[0]) * 3 + KINDS.index(kind)  # type: ignore[arg-type]
                for kind, id_ in self.names
            ],
            dtype=np.int64,
        )


def _pairs(
    document: IndexedDocument, weights: EdgeWeights
) -> list[tuple[tuple[str, str], tuple[str, str], float]]:
    return [
        *(
            (("unit", mention.unit_id), ("entity", mention.entity_id), weights.mentions)
            for mention in document.mentions
        ),
        *(
            (("unit", unit.id), ("chunk", unit.chunk_id), weights.contains)
            for unit in document.units
        ),
        *(
            (("chunk", topic.chunk_id), ("entity", topic.entity_id), weights.about * topic.weight)
            for topic in document.topics
        ),
    ]


def _search(reader: GraphReader, question: str = "the mill") -> Search:
    config = ClewConfig()
    plain = link_query(reader, question, config=config)
    vector = made_documents(1, seed=99)[0].unit_vectors
    assert vector is not None
    query = QueryLinks(question=question, words=plain.words, names=plain.names, vector=vector[0])
    return Search(reader=reader, query=query, config=config, counts=reader.stats())


def _pushed(
    search: Search, nodes: Numbers, seeds: Matrix, *, damping: float, tolerance: float
) -> tuple[Matrix, Visits]:
    """Visits in the order of ``nodes``, all of which the walk is told of beforehand."""
    around = Neighbourhood(search, EDGES)
    places = around.places_of(nodes)
    started = np.zeros(len(nodes))
    started[places] = seeds
    visits = push(around, started, damping=damping, tolerance=tolerance)
    assert len(around.nodes) == len(nodes)
    return visits.chances[places], visits


@pytest.mark.parametrize("damping", [0.3, 0.85])
@pytest.mark.parametrize("seed", range(4))
def test_pushing_to_the_end_is_power_iteration(damping: float, seed: int) -> None:
    graph = KnowledgeGraph()
    documents = made_documents(12, seed=seed, names=15)
    graph.commit(documents, embedding=SPACE)
    dense = Dense(documents, EDGES)
    seeds = _some_seeds(len(dense.names), seed)
    with graph.reading() as reader:
        found, visits = _pushed(
            _search(reader), dense.nodes(reader), seeds, damping=damping, tolerance=1e-12
        )
    np.testing.assert_allclose(found, dense.visits(seeds, damping), atol=1e-9)
    assert visits.chances.sum() == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("tolerance", [1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize("seed", range(3))
def test_stopping_early_errs_downwards_and_by_no_more_than_is_said(
    tolerance: float, seed: int
) -> None:
    graph = KnowledgeGraph()
    documents = made_documents(20, seed=seed, names=12)
    graph.commit(documents, embedding=SPACE)
    dense = Dense(documents, EDGES)
    seeds = _some_seeds(len(dense.names), seed)
    with graph.reading() as reader:
        found, visits = _pushed(
            _search(reader), dense.nodes(reader), seeds, damping=0.8, tolerance=tolerance
        )
    missing = dense.visits(seeds, 0.8) - found
    assert missing.min() > -1e-12
    assert missing.sum() <= visits.left + 1e-12
    assert visits.edges <= 1.0 / ((1.0 - 0.8) * tolerance)


def test_documents_outside_the_selection_are_not_there() -> None:
    graph = KnowledgeGraph()
    documents = made_documents(12, seed=5, names=10)
    graph.commit(documents, embedding=SPACE)
    kept = documents[::2]
    dense = Dense(kept, EDGES)
    seeds = _some_seeds(len(dense.names), 5)
    with graph.reading() as reader:
        selected = np.sort(reader.numbers_of("document", [one.document.id for one in kept]))
        found, _ = _pushed(
            _search(reader.within(selected)),
            dense.nodes(reader),
            seeds,
            damping=0.85,
            tolerance=1e-12,
        )
    np.testing.assert_allclose(found, dense.visits(seeds, 0.85), atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_chunks_are_scored_by_where_walks_from_the_seeds_stop(seed: int) -> None:
    graph = KnowledgeGraph()
    documents = made_documents(14, seed=seed, names=12)
    graph.commit(documents, embedding=SPACE)
    names = sorted({entity.name for one in documents for entity in one.entities})
    question = f"Which bridge did {names[0]} cross, and which mill did {names[-1]} build?"
    dense = Dense(documents, EDGES)
    method = PersonalisedPageRank(tolerance=1e-12, edges=EDGES, damping=0.7)
    with graph.reading() as reader:
        search = _search(reader, question)
        scores = WordScores(reader, search.query.words)
        begun = find_seeds(search, scores, SeedShares())
        nodes = dense.nodes(reader)
        seeds = np.zeros(len(nodes))
        for node, chance in zip(begun.nodes, begun.chances, strict=True):
            seeds[np.flatnonzero(nodes == node)] = chance
        evidence = method.find(search)
    assert seeds.sum() == pytest.approx(1.0)
    visits = dense.visits(seeds, 0.7)
    of_chunk = {
        int(node) // 3: value for node, value in zip(nodes, visits, strict=True) if node % 3 == 2
    }
    most = max(of_chunk.values())
    np.testing.assert_allclose(
        evidence.chunk_scores,
        [of_chunk[int(chunk)] / most for chunk in evidence.chunks],
        atol=1e-5,
    )
    assert sum(value > 1e-9 for value in of_chunk.values()) <= len(evidence.chunks)


def _some_seeds(count: int, seed: int) -> Matrix:
    random = Random(seed)
    seeds = np.zeros(count)
    for row in random.sample(range(count), 5):
        seeds[row] = random.random()
    scaled: Matrix = seeds / seeds.sum()
    return scaled
