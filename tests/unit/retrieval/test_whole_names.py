"""A name of the question counts as one word: whole or not at all."""

from __future__ import annotations

import numpy as np
import pytest

from clew.config import ClewConfig
from clew.retrieval.base import Search
from clew.retrieval.pool import named_chunks
from clew.retrieval.pool.named_chunks import chunks_of_names
from clew.retrieval.pool.standing import Standing
from clew.retrieval.pool.weights import WITH_VECTORS
from clew.retrieval.pool.whole_names import (
    WholeName,
    drop_fragments,
    weighed_as_one,
    whole_names,
)
from clew.retrieval.query.reading import link_query
from clew.stores.memory import KnowledgeGraph
from clew.testing.fake_embedder import FakeEmbedder
from clew.testing.small_graphs import small_graph

TEXTS = {
    "Orm Valley Airport": "Orm Valley Airport lies in Tarn. Its runway is short.",
    "Tarn": "Tarn has a population of nine hundred. Its airport lies in a valley, said Orm.",
    "Fell Valley Airport": "Fell Valley Airport has a short runway.",
    "Skerry": "Skerry has a population of twelve.",
}
QUESTION = "What is the population of the town of Orm Valley Airport?"


def _search(graph: KnowledgeGraph, question: str = QUESTION, *, vector: bool = True) -> Search:
    config = ClewConfig()
    embedder = FakeEmbedder() if vector else None
    return Search(
        reader=graph,
        query=link_query(graph, question, config=config, embedder=embedder),
        config=config,
        counts=graph.stats(),
    )


def _graph() -> KnowledgeGraph:
    return small_graph(TEXTS, names=TEXTS, embedder=FakeEmbedder())


def _whole(search: Search) -> dict[str, WholeName]:
    names = whole_names(search.query, chunks_of_names(search))
    terms = search.query.words.terms
    return {" ".join(terms[row] for row in name.rows): name for name in names}


def test_words_of_a_name_count_where_it_is_mentioned_or_all_of_them_are() -> None:
    graph = _graph()
    standing = Standing.of(_search(graph), WITH_VECTORS.alone)
    pool, terms = standing.first_pool, standing.search.query.words.terms
    documents = graph.documents_of_chunks(pool.chunks)
    titles = [document.title for document in graph.get_documents(documents)]
    held = {
        title: {term for bit, term in enumerate(terms) if mask >> bit & 1}
        for title, mask in zip(titles, pool.masks.tolist(), strict=True)
    }
    name = {"orm", "valley", "airport"}
    assert name <= held["Orm Valley Airport"]
    assert name <= held["Tarn"]
    assert not name & held["Fell Valley Airport"]
    assert held["Skerry"] == {"popul"}
    words = dict(zip(titles, pool.words.tolist(), strict=True))
    assert words["Fell Valley Airport"] == 0.0
    assert words["Skerry"] > 0.0


def test_without_an_embedder_fragments_count() -> None:
    standing = Standing.of(_search(_graph(), vector=False), WITH_VECTORS.alone)
    assert standing.scores.names == ()


def test_units_lose_what_their_chunk_loses() -> None:
    chunk_parts = np.ones((2, 2), dtype=np.float32)
    chunk_parts[1, 1] = 0.0
    unit_parts = np.ones((2, 3), dtype=np.float32)
    name = WholeName(rows=np.array([0, 1]), chunks=np.array([4]))
    chunks, unit_rows = np.array([4, 9]), np.array([0, 1, 1])
    drop_fragments([name], chunks, chunk_parts, unit_parts, unit_rows)
    assert chunk_parts.tolist() == [[1, 0], [1, 0]]
    assert unit_parts.tolist() == [[1, 0, 0], [1, 0, 0]]


def test_in_coverage_a_name_weighs_no_more_than_one_word_as_rare() -> None:
    graph = _graph()
    search = _search(graph)
    terms = search.query.words.terms
    (name,) = _whole(search).values()
    share = weighed_as_one(graph, terms, [name], chunk_count=4)
    before = weighed_as_one(graph, terms, [], chunk_count=4)
    np.testing.assert_allclose(before, search.query.words.share, rtol=1e-6)
    assert float(share.sum()) == pytest.approx(1.0)
    assert float(share[name.rows].sum()) < float(before[name.rows].sum())
    rare, other = np.log1p(3.5 / 1.5), terms.index("popul")
    assert share[name.rows].sum() / share[other] == pytest.approx(
        rare / np.log1p(2.5 / 2.5), rel=1e-5
    )


@pytest.mark.parametrize(
    ("question", "known"),
    [
        ("Where is Orm Valley Airport?", {"orm valley airport"}),
        ("where is orm valley airport?", set()),
        ("Which valley holds Orm Valley Airport?", {"orm airport"}),
        ("Where is Orm Vallei Airport?", set()),
        ("Is Tarn near Skerry?", {"tarn", "skerri"}),
    ],
)
def test_only_names_as_documents_write_them_are_known(question: str, known: set[str]) -> None:
    assert set(_whole(_search(_graph(), question))) == known


def test_a_name_of_too_many_mentions_stays_a_set_of_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(named_chunks, "_MOST_MENTIONS", 1)
    assert _whole(_search(_graph())) == {}
