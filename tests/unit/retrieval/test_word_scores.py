"""BM25 taken apart by word, and what a set of words covers."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from clew.config import ClewConfig
from clew.retrieval.pool import word_scores
from clew.retrieval.pool.word_scores import Coverage, WordScores, word_masks
from clew.retrieval.query.reading import link_query
from clew.retrieval.query.words import QuestionWords
from clew.stores.base import GraphReader, Layer
from clew.stores.memory import KnowledgeGraph
from clew.testing.small_graphs import small_graph

TEXTS = {
    f"Report {n}": f"The mill at river {n % 4} ground corn. The weir of mill {n} broke in a flood."
    for n in range(12)
} | {"Weirs": "A weir is a low dam. A flood may break a weir."}
QUESTION = "Which mill on the river lost its weir in the flood?"


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return small_graph(TEXTS)


def _words(reader: GraphReader) -> QuestionWords:
    return link_query(reader, QUESTION, config=ClewConfig()).words


@pytest.mark.parametrize("layer", ["chunk", "unit"])
def test_the_parts_of_a_passage_make_up_its_bm25(graph: KnowledgeGraph, layer: Layer) -> None:
    with graph.reading() as reader:
        words = _words(reader)
        scores = WordScores(reader, words)
        best = scores.best(layer, 100)
        numbers = np.sort(best.numbers)
        idf = words.idf(layer)
        parts = scores.matrix(layer, numbers) * (idf / idf.sum() / words.share)[:, None]
        total = parts.sum(axis=0)
        assert len(numbers) > 10
        np.testing.assert_allclose(
            total[np.searchsorted(numbers, best.numbers)], best.scores, rtol=1e-5
        )
        assert 0.0 < best.scores.max() <= 1.0


@pytest.mark.parametrize("layer", ["chunk", "unit"])
def test_words_with_long_lists_lose_nothing(
    graph: KnowledgeGraph, layer: Layer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with graph.reading() as reader:
        words = _words(reader)
        numbers = np.sort(WordScores(reader, words).best(layer, 8).numbers)
        whole = WordScores(reader, words).matrix(layer, numbers)
        monkeypatch.setattr(word_scores, "MOST_POSTINGS", 3)
        some = numbers[:2]
        np.testing.assert_array_equal(WordScores(reader, words).matrix(layer, some), whole[:, :2])


@pytest.mark.parametrize("layer", ["chunk", "unit"])
def test_the_best_are_the_same_from_one_search_and_from_parts(
    graph: KnowledgeGraph, layer: Layer
) -> None:
    with graph.reading() as reader:
        words = _words(reader)
        searched, added = WordScores(reader, words), WordScores(reader, words)
        added.look_up(layer)
        one, other = searched.best(layer, 7), added.best(layer, 7)
        np.testing.assert_array_equal(one.numbers, other.numbers)
        np.testing.assert_allclose(one.scores, other.scores, rtol=1e-5)


def test_filters_hold_for_words(graph: KnowledgeGraph) -> None:
    with graph.reading() as reader:
        documents = reader.select_documents(where={"title": "Weirs"})
        seen = reader.within(documents)
        best = WordScores(seen, _words(seen)).best("chunk", 10)
        assert reader.documents_of_chunks(best.numbers).tolist() == documents.tolist()


def test_a_question_without_known_words_scores_nothing(graph: KnowledgeGraph) -> None:
    with graph.reading() as reader:
        words = link_query(reader, "xyzzy?", config=ClewConfig()).words
        scores = WordScores(reader, words)
        assert len(scores.best("chunk", 5).numbers) == 0
        assert scores.matrix("chunk", np.array([0, 1])).shape == (0, 2)


def test_masks_have_a_bit_for_each_word_that_contributes() -> None:
    parts = np.array([[0.1, 0.0], [0.0, 0.0], [0.2, 0.3]], dtype=np.float32)
    assert word_masks(parts).tolist() == [0b101, 0b100]


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 20])
def test_coverage_is_the_sum_of_shares(count: int) -> None:
    share = np.random.default_rng(count).random(count).astype(np.float32)
    coverage = Coverage(share)
    sets = [held for size in (0, 1, 2, count) for held in combinations(range(count), size)]
    masks = np.array([sum(1 << bit for bit in held) for held in sets], dtype=np.int64)
    expected = [sum(float(share[bit]) for bit in held) for held in sets]
    np.testing.assert_allclose(coverage.of(masks), expected, rtol=1e-5)


def test_words_count_in_a_store_where_every_passage_has_them() -> None:
    graph = small_graph({"One": "The ferry leaves.", "Two": "The ferry rests in the rain."})
    with graph.reading() as reader:
        words = link_query(reader, "Does the ferry leave?", config=ClewConfig()).words
        parts = WordScores(reader, words).matrix("chunk", np.array([0, 1]))
        assert parts[words.words.index("ferry")].min() > 0.05
        assert parts.sum(axis=0).max() <= 1.0
