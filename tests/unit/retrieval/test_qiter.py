"""Q-Iter: what each setting does, on graphs that a reader can check by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from clew.config import ClewConfig
from clew.models.base import Embedder
from clew.retrieval.base import Evidence, Reranker, Search, Step
from clew.retrieval.pool.word_scores import WordScores
from clew.retrieval.qiter.reembedding import Reembedding
from clew.retrieval.qiter.search import QIter
from clew.retrieval.qiter.spaces import DenseSpace, WordSpace
from clew.retrieval.query.reading import link_query
from clew.stores.memory import KnowledgeGraph
from clew.testing.fake_embedder import FakeEmbedder
from clew.testing.small_graphs import small_graph

EMBEDDER = FakeEmbedder(256)
TEXTS = {
    "Orm Works": "Orm Works was founded by Mira Vance. Orm Works makes looms in Dalby.",
    "Mira Vance": "Mira Vance was an engineer. Mira Vance was a daughter of Tilda Roe.",
    "Tilda Roe": "Tilda Roe was a printer. Tilda Roe was born in Ostby.",
    "Ostby": "Ostby lies on the river Hel. The Hel freezes in winter.",
    "Dalby": "Dalby has a market. Dalby has a mill.",
} | {f"Note {n}": f"Note {n} tells of printers and rivers, year {n}." for n in range(20)}
QUESTION = "Where was the mother of the founder of Orm Works born?"


@contextmanager
def _search(
    *,
    question: str = QUESTION,
    embedder: Embedder | None = EMBEDDER,
    where: dict[str, Any] | None = None,
    texts: Mapping[str, str] = TEXTS,
    names: Sequence[str] = ("Hel",),
    **settings: Any,
) -> Iterator[Search]:
    graph = small_graph(texts, names=names, embedder=embedder)
    config = ClewConfig(retrieval_method="qiter", **settings)
    with graph.reading() as reader:
        seen = reader.within(reader.select_documents(where=where))
        query = link_query(seen, question, config=config, embedder=embedder)
        yield Search(reader=seen, query=query, config=config, counts=seen.stats())


def _texts(search: Search, evidence: Evidence) -> dict[str, tuple[Step, ...]]:
    """The text of every unit that was found, with the path to it."""
    units = search.reader.get_units(evidence.units)
    return {
        unit.text: evidence.trail(int(evidence.chunks[row]), int(number))
        for unit, number, row in zip(units, evidence.units, evidence.unit_rows, strict=True)
    }


def _found(**settings: Any) -> dict[str, tuple[Step, ...]]:
    with _search(**settings) as search:
        return _texts(search, QIter().find(search))


def _scores(**settings: Any) -> dict[str, float]:
    with _search(**settings) as search:
        evidence = QIter().find(search)
        units = search.reader.get_units(evidence.units)
        return dict(zip((unit.text for unit in units), evidence.unit_scores.tolist(), strict=True))


@pytest.mark.parametrize("embedder", [EMBEDDER, None])
def test_the_walk_reaches_what_shares_no_word_with_the_question(
    embedder: Embedder | None,
) -> None:
    found = _found(question="Who founded Orm Works?", embedder=embedder)
    assert "Mira Vance was a daughter of Tilda Roe." in found
    assert all(0.0 <= score <= 1.0 for score in _scores(embedder=embedder).values())


def test_depth_counts_the_hops() -> None:
    for depth in (0, 1, 2, 3):
        paths = _found(traversal_depth=depth, anchor_top_k=1, max_kus_per_depth=3).values()
        assert max(len(path) for path in paths) <= depth + 1
    assert max(len(path) for path in _found(traversal_depth=2).values()) == 3


def test_each_step_shares_the_entity_that_led_to_it() -> None:
    with _search() as search:
        evidence = QIter().find(search)
        for path in _texts(search, evidence).values():
            for before, step in pairwise(path):
                links = search.reader.entities_of_units(np.array([before.unit, step.unit]))
                first = links.targets[: links.indptr[1]]
                second = links.targets[links.indptr[1] :]
                assert step.relation == "mentions"
                assert step.entity in first
                assert step.entity in second


def test_no_path_meets_a_unit_twice() -> None:
    for path in _found(traversal_depth=3).values():
        units = [step.unit for step in path]
        assert len(units) == len(set(units))


def test_the_beam_bounds_the_paths() -> None:
    for beam in (1, 3):
        with _search(beam_size=beam, traversal_depth=2) as search:
            assert QIter().find(search).counts["paths"] <= 3 * beam
    assert len(_found(beam_size=1)) < len(_found(beam_size=10))


def test_anchors_are_as_many_as_asked_for() -> None:
    question = "Which printers and rivers?"
    few = _found(question=question, anchor_top_k=1, traversal_depth=0, beam_size=50)
    many = _found(question=question, anchor_top_k=8, traversal_depth=0, beam_size=50)
    assert len(few) < len(many)


def test_units_collected_at_a_hop_are_bounded() -> None:
    few = _found(max_kus_per_depth=1, beam_size=50, anchor_top_k=2)
    many = _found(max_kus_per_depth=50, beam_size=50, anchor_top_k=2)
    assert len(few) < len(many)


def test_the_update_takes_what_was_answered_off_the_query() -> None:
    with _search() as search:
        vector = search.query.vector
        assert vector is not None
        unit = search.reader.vectors("unit", np.array([0]))[0]
        rest = DenseSpace(search).remainder(vector, unit, 0.5)
        np.testing.assert_allclose(rest, vector - 0.5 * unit, rtol=1e-6)


@pytest.mark.parametrize("embedder", [EMBEDDER, None])
@pytest.mark.parametrize(
    ("weight", "second"),
    [
        (0.0, "Mira Vance founded Orm Works in Dalby with a loan."),
        (1.0, "Mira Vance had a mother in the far north of the land."),
    ],
)
def test_a_walk_that_updates_its_query_looks_for_the_rest(
    embedder: Embedder | None, weight: float, second: str
) -> None:
    texts = {
        "Orm Works": "Orm Works was founded by Mira Vance.",
        "Loans": "Mira Vance founded Orm Works in Dalby with a loan.",
        "Families": "Mira Vance had a mother in the far north of the land.",
    } | {f"Note {n}": f"Note {n} is of day {n}." for n in range(20)}
    found = _found(
        texts=texts,
        names=["Mira Vance"],
        embedder=embedder,
        question="Who is the mother of her that founded Orm Works?",
        query_update_weight=weight,
        anchor_top_k=1,
        beam_size=1,
        max_kus_per_depth=1,
        traversal_depth=1,
    )
    assert list(found) == ["Orm Works was founded by Mira Vance.", second]


def test_words_that_a_unit_holds_are_taken_off_the_query() -> None:
    with _search(embedder=None) as search:
        space = WordSpace(search, WordScores(search.reader, search.query.words))
        units = np.arange(2)
        points = space.coordinates(units)
        rest = space.remainder(space.question, points[0], 1.0)
        held = points[0] > 0
        assert held.any()
        assert not rest[held].any()
        np.testing.assert_array_equal(rest[~held], space.question[~held])
        assert space.path_score(points) >= space.path_score(points[:1])


def test_filters_hold_at_every_hop() -> None:
    paths = _found(where={"doc_id": {"$ne": "Mira Vance"}})
    with _search() as search:
        hidden = search.reader.select_documents(where={"doc_id": "Mira Vance"})
        for path in paths.values():
            chunks = np.array([step.chunk for step in path])
            assert not np.isin(search.reader.documents_of_chunks(chunks), hidden).any()


class LastWordFirst:
    """Likes texts that end in "Ostby."; remembers what it read."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        assert question == QUESTION
        self.texts += texts
        return [2.0 if text.endswith("Ostby.") else 0.1 for text in texts]


def test_a_reranker_reads_paths_in_hop_order_and_decides() -> None:
    reranker = LastWordFirst()
    assert isinstance(reranker, Reranker)
    with _search() as search:
        evidence = QIter(reranker=reranker).find(search)
        best = int(evidence.units[int(evidence.unit_scores.argmax())])
        assert search.reader.get_units(np.array([best]))[0].text.endswith("Ostby.")
        assert evidence.unit_scores.max() == 1.0
    joined = "Orm Works was founded by Mira Vance. Mira Vance was a daughter of Tilda Roe."
    assert joined in reranker.texts


def test_paths_can_be_embedded_anew() -> None:
    with _search() as search:
        exact = QIter(reranker=Reembedding(EMBEDDER)).find(search)
        assert len(exact.units) > 3
        assert 0.0 <= float(exact.unit_scores.min()) <= float(exact.unit_scores.max()) <= 1.0
    assert Reembedding(EMBEDDER).score("anything", []) == []


def test_an_empty_graph_gives_no_evidence() -> None:
    graph = KnowledgeGraph()
    config = ClewConfig()
    with graph.reading() as reader:
        query = link_query(reader, "Who?", config=config)
        search = Search(reader=reader, query=query, config=config, counts=reader.stats())
        assert len(QIter().find(search).units) == 0
