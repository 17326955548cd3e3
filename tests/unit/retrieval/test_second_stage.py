"""The second stage: a reranker reads the best results again, with the units that led to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from clew.config import ClewConfig
from clew.errors import ModelError
from clew.knowledge_base import KnowledgeBase
from clew.results import RetrievalResult
from clew.retrieval.config import METHODS
from clew.retrieval.pipeline import RetrievePipeline
from clew.stores.base import Store
from clew.stores.memory import KnowledgeGraph
from clew.stores.sqlite import SQLiteStore
from clew.testing import FailingReranker, FakeEmbedder, FakeReranker
from clew.testing.small_cross_encoder import save_small_cross_encoder
from clew.testing.small_graphs import small_graph

EMBEDDER = FakeEmbedder()
TEXTS = {
    "Orm Works": "It makes looms in Dalby. It was founded by Mira Vance.",
    "Mira Vance": "She was an engineer. Her mother was Tilda Roe.",
    "Tilda Roe": "She was a printer. Her birthplace was Ostby.",
    "Dalby": "Dalby is a market town.",
    "Looms": "Looms of Orm Works stand in Dalby. Looms are loud.",
} | {f"Note {n}": f"Note {n} tells of an engineer and of town {n}." for n in range(12)}
QUESTION = "Who founded Orm Works?"
ENGINEER = "Which engineer founded Orm Works?"
FAR = "What was the birthplace of the mother of the engineer who founded Orm Works?"


class OneFirst:
    """Gives ``liked`` a one and every other text a zero."""

    fingerprint = "one-first"

    def __init__(self, liked: str) -> None:
        self.liked = liked
        self.texts: list[str] = []

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        self.texts += texts
        return [float(text.splitlines()[-1] == self.liked) for text in texts]


@pytest.fixture(scope="module", params=["memory", "sqlite"])
def store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    graph: KnowledgeGraph = small_graph(TEXTS, embedder=EMBEDDER)
    if request.param == "memory":
        yield graph
        return
    with SQLiteStore.open(tmp_path_factory.mktemp("store") / "notes.clew") as sqlite:
        documents = [graph.load_document(document.id) for document in graph.list_documents()]
        sqlite.commit([one for one in documents if one is not None], embedding=graph.embedding)
        yield sqlite


def _search(
    store: Store, question: str = QUESTION, *, reranker: object | None = None, **settings: Any
) -> RetrievalResult:
    pipeline = RetrievePipeline(
        store, embedding=EMBEDDER, config=ClewConfig(**settings), reranker=reranker
    )
    return pipeline.search(question)


def _ids(result: RetrievalResult) -> list[str]:
    return [item.source_chunk_id for item in result.items]


@pytest.mark.parametrize("method", METHODS)
def test_the_score_is_the_stated_mean(store: Store, method: str) -> None:
    reranker = OneFirst("Dalby is a market town.")
    plain = {
        item.source_chunk_id: item
        for item in _search(store, retrieval_method=method, result_top_n=50).items
    }
    result = _search(
        store, reranker=reranker, retrieval_method=method, result_top_n=50, rerank_weight=0.3
    )
    assert result.reranker == "one-first"
    assert result.items
    assert [item.score for item in result.items] == sorted(
        (item.score for item in result.items), reverse=True
    )
    for item in result.items:
        assert 0.0 <= item.score <= 1.0
        expected = 0.7 * item.scores["first"] + 0.3 * item.scores["rerank"]
        assert item.score == pytest.approx(expected, abs=1e-5)
        assert item.scores["rerank"] == (item.doc_id == "Dalby")
        if method != "qiter":  # there it reads the paths too
            assert item.scores["first"] == plain[item.source_chunk_id].score


def test_the_reranker_decides_when_its_weight_says_so(store: Store) -> None:
    liked = OneFirst("Dalby is a market town.")
    assert _search(store, reranker=liked, rerank_weight=1.0).items[0].doc_id == "Dalby"
    unweighed = _search(store, reranker=liked, rerank_weight=0.0)
    assert _ids(unweighed) == _ids(_search(store))
    assert [item.score for item in unweighed.items] == [item.score for item in _search(store).items]


def test_a_passage_is_read_with_the_units_that_led_to_it(store: Store) -> None:
    reranker = FakeReranker()
    result = _search(store, FAR, reranker=reranker, rerank_top_n=100, result_top_n=100)
    far = next(item for item in result.items if item.doc_id == "Tilda Roe")
    assert len(far.path) > 1
    read = next(text for text in reranker.texts if text.endswith("Her birthplace was Ostby."))
    places = [read.index(step.text) for step in far.path[:-1]]
    assert places == sorted(places)
    assert read.endswith("Tilda Roe\nShe was a printer. Her birthplace was Ostby.")
    near = next(text for text in reranker.texts if text.endswith("Dalby is a market town."))
    assert "Dalby\nDalby" not in near  # a title that the text says is not said twice


@pytest.mark.parametrize("method", ["dense", "bm25", "hybrid"])
def test_without_a_bridge_the_passage_is_read_alone(store: Store, method: str) -> None:
    reranker = FakeReranker()
    _search(store, reranker=reranker, retrieval_method=method)
    first = next(text for text in reranker.texts if "looms" in text)
    assert first == "Orm Works\nIt makes looms in Dalby. It was founded by Mira Vance."


def test_units_are_read_when_units_are_returned(store: Store) -> None:
    reranker = OneFirst("Her mother was Tilda Roe.")
    result = _search(store, reranker=reranker, group_by_chunk=False, rerank_weight=1.0)
    assert result.items[0].content == "Her mother was Tilda Roe."
    assert any(text.endswith("Mira Vance\nHer mother was Tilda Roe.") for text in reranker.texts)


def test_only_the_best_are_read_and_none_unread_passes_them(store: Store) -> None:
    plain = _search(store, result_top_n=50)
    reranker = FakeReranker()
    result = _search(store, reranker=reranker, rerank_top_n=3, result_top_n=50)
    assert len(reranker.texts) == 3
    assert sorted(_ids(result)[:3]) == sorted(_ids(plain)[:3])
    assert _ids(result)[3:] == _ids(plain)[3:]
    unread = result.items[3]
    assert "rerank" not in unread.scores
    assert unread.score == pytest.approx(0.5 * unread.scores["first"], abs=1e-5)


def test_more_are_read_than_are_returned(store: Store) -> None:
    reranker = OneFirst("Dalby is a market town.")
    result = _search(store, reranker=reranker, result_top_n=1, rerank_weight=1.0)
    assert [item.doc_id for item in result.items] == ["Dalby"]
    assert len(reranker.texts) > 1


def test_the_threshold_is_that_of_the_last_score(store: Store) -> None:
    liked = OneFirst("Dalby is a market town.")
    result = _search(store, reranker=liked, min_score_threshold=0.99, rerank_weight=1.0)
    assert [item.doc_id for item in result.items] == ["Dalby"]


def test_equal_scores_keep_the_first_order(store: Store) -> None:
    assert _ids(_search(store, reranker=OneFirst("nothing"))) == _ids(_search(store))


def test_no_second_stage_unless_it_is_asked_for(store: Store) -> None:
    assert _search(store).reranker == ""
    assert not {"first", "rerank"} & set(_search(store).items[0].scores)
    reranker = FakeReranker()
    _search(store, reranker=reranker, rerank_top_n=0)
    assert reranker.texts == []


@pytest.mark.parametrize("method", METHODS)
def test_a_failing_reranker_costs_the_second_stage_only(store: Store, method: str) -> None:
    plain = _search(store, ENGINEER, retrieval_method=method)
    for from_call in (0, 1):
        failing = FailingReranker(from_call=from_call)
        result = _search(
            store, ENGINEER, reranker=failing, retrieval_method=method, reranker_batch_size=1
        )
        assert result.items == plain.items
        assert any("the reranker failed" in note for note in result.notes)
        assert any("the server closed the connection" in note for note in result.notes)
        assert result.reranker == ""


def test_q_iter_lets_the_reranker_read_its_paths(store: Store) -> None:
    reranker = FakeReranker()
    result = _search(
        store, FAR, retrieval_method="qiter", reranker=reranker, rerank_top_n=0, result_top_n=50
    )
    paths = [item.path for item in result.items if len(item.path) > 1]
    assert paths
    for path in paths:
        assert " ".join(step.text for step in path) in reranker.texts
    assert "rerank" not in result.items[0].scores


def test_an_error_of_another_kind_of_method_is_not_hidden(store: Store) -> None:
    class Broken:
        name = "broken"
        uses_vectors = False

        def find(self, search: object) -> Any:
            raise ModelError("no evidence today")

    pipeline = RetrievePipeline(store, method=Broken(), reranker=FakeReranker())
    with pytest.raises(ModelError, match="no evidence today"):
        pipeline.search(QUESTION)


def test_a_knowledge_base_takes_a_reranker_and_keeps_it(tmp_path: Path) -> None:
    reranker = FakeReranker()
    with KnowledgeBase.open(
        tmp_path / "n.clew", embedding=EMBEDDER, reranker=reranker, config=ClewConfig()
    ) as kb:
        kb.ingest_text("Orm Works was founded by Mira Vance.", name="orm")
        assert kb.search(QUESTION).reranker == "fake-reranker"
        kept = kb.reranker
        kb.ingest_text("Dalby has a mill.", name="dalby")
        assert kb.search(QUESTION).items[0].scores["rerank"] == 1.0
        assert kb.reranker is kept
        assert kb.ask(QUESTION).answer == "Mira Vance"


def test_the_configuration_names_a_cross_encoder(tmp_path: Path, store: Store) -> None:
    words = "who founded orm works it was by mira vance".split()
    folder = save_small_cross_encoder(tmp_path / "model", words)
    result = _search(store, reranker_model=str(folder))
    assert result.reranker.startswith("small/cross-encoder/")
    first = result.items[0]
    assert first.doc_id == "Orm Works"
    assert first.scores["rerank"] > 0.8
    assert result == _search(store, reranker_model=str(folder))
