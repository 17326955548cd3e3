"""The pool of chunks that a question considers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from clew.config import ClewConfig
from clew.retrieval.base import Search
from clew.retrieval.pool.candidates import BestScores, Candidates, anchor_chunks, measure, merge
from clew.retrieval.pool.word_scores import WordScores
from clew.retrieval.query.reading import link_query
from clew.stores.memory import KnowledgeGraph
from clew.testing.fake_embedder import FakeEmbedder
from clew.testing.small_graphs import small_graph

EMBEDDER = FakeEmbedder()
TEXTS = {
    f"Town {n}": f"Town {n} has a mill. Its mayor is Mayor {n}.\n\nThe fair of Town {n} is in May."
    for n in range(9)
}
FIELDS = "chunks dense words masks units unit_rows unit_dense unit_words unit_masks".split()


@contextmanager
def _search(graph: KnowledgeGraph, question: str, *, embedded: bool = True) -> Iterator[Search]:
    config = ClewConfig()
    with graph.reading() as reader:
        query = link_query(reader, question, config=config, embedder=EMBEDDER if embedded else None)
        yield Search(reader=reader, query=query, config=config, counts=reader.stats())


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return small_graph(TEXTS, embedder=EMBEDDER)


def _assert_equal(one: Candidates, other: Candidates) -> None:
    for field in FIELDS:
        np.testing.assert_allclose(
            getattr(one, field), getattr(other, field), atol=1e-6, err_msg=field
        )


def test_two_pools_merged_are_the_pool_of_both(graph: KnowledgeGraph) -> None:
    with _search(graph, "When is the fair of Town 3?") as search:
        scores = WordScores(search.reader, search.query.words)
        numbers = anchor_chunks(search, scores, size=100)
        whole = measure(search, scores, numbers)
        odd, even = measure(search, scores, numbers[1::2]), measure(search, scores, numbers[::2])
        merged, moved = merge(odd, even)
        _assert_equal(merged, whole)
        np.testing.assert_array_equal(merged.units[moved], odd.units)


def test_scores_are_those_of_the_store(graph: KnowledgeGraph) -> None:
    with _search(graph, "Who is the mayor of Town 3?") as search:
        scores = WordScores(search.reader, search.query.words)
        pool = measure(search, scores, anchor_chunks(search, scores, size=4))
        vector = search.query.vector
        assert vector is not None
        np.testing.assert_allclose(pool.dense, search.reader.vectors("chunk", pool.chunks) @ vector)
        by_hand = [
            max(
                float(pool.unit_dense[at])
                for at in range(len(pool.units))
                if pool.unit_rows[at] == row
            )
            for row in range(len(pool.chunks))
        ]
        np.testing.assert_allclose(pool.best_unit_dense(), by_hand)
        np.testing.assert_array_equal(
            search.reader.chunks_of_units(pool.units), pool.chunks[pool.unit_rows]
        )


def test_the_best_by_each_score_are_in_the_pool(graph: KnowledgeGraph) -> None:
    with _search(graph, "Who is the mayor of Town 3?") as search:
        scores = WordScores(search.reader, search.query.words)
        found = anchor_chunks(search, scores, size=1)
        best = scores.best("chunk", 1)
        assert best.numbers[0] in found
        assert len(found) <= 4
        whole = measure(search, scores, anchor_chunks(search, scores, size=100))
        of_few, of_all = BestScores.of(measure(search, scores, found)), BestScores.of(whole)
        assert of_few.dense == pytest.approx(of_all.dense)
        assert of_few.unit_dense == pytest.approx(of_all.unit_dense)
        assert of_few.words == pytest.approx(of_all.words)


def test_without_an_embedder_words_make_the_pool(graph: KnowledgeGraph) -> None:
    with _search(graph, "Who is the mayor of Town 3?", embedded=False) as search:
        scores = WordScores(search.reader, search.query.words)
        pool = measure(search, scores, anchor_chunks(search, scores, size=3))
        assert not pool.dense.any()
        assert not pool.unit_dense.any()
        assert pool.words.max() > 0


def test_nothing_found_is_an_empty_pool(graph: KnowledgeGraph) -> None:
    with _search(graph, "xyzzy", embedded=False) as search:
        scores = WordScores(search.reader, search.query.words)
        pool = measure(search, scores, anchor_chunks(search, scores, size=3))
        assert len(pool.chunks) == len(pool.units) == 0
        assert pool.best_unit_words().tolist() == []
