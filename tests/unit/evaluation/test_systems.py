"""Systems by name, and the plain methods that clew's are compared with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from clew.config import ClewConfig
from clew.errors import ConfigError, ModelError
from clew.evaluation.compared import DenseUnits, ReciprocalRanks
from clew.evaluation.corpora import Corpus, concatenated
from clew.evaluation.datasets import Dataset
from clew.evaluation.indexed import IndexedCorpus, index_corpus
from clew.evaluation.systems import MAKERS, NEED_VECTORS, RESULTS, ClewMethod
from clew.retrieval.base import Evidence, Search
from clew.retrieval.pipeline import RetrievePipeline
from clew.retrieval.plain import BM25, Dense
from clew.testing import FakeEmbedder

QUESTION = "Where was the engineer born who set up Vik Mills?"


@pytest.mark.parametrize("name", list(MAKERS))
def test_every_system_names_passages_of_the_corpus_once(name: str, indexed: IndexedCorpus) -> None:
    found = MAKERS[name](indexed).search(QUESTION)
    known = {passage.id for passage in indexed.corpus.dataset.passages}
    assert found
    assert set(found) <= known
    assert len(set(found)) == len(found) <= RESULTS


def test_what_needs_no_vectors_works_without_them(makers_set: Dataset) -> None:
    words = index_corpus(Corpus(dataset=makers_set), config=ClewConfig())
    for name in set(MAKERS) - NEED_VECTORS:
        assert MAKERS[name](words).search(QUESTION), name
    for name in NEED_VECTORS:
        with pytest.raises(ConfigError, match="needs vectors"):
            MAKERS[name](words).search(QUESTION)


def test_linked_evidence_finds_both_passages_of_a_bridge(indexed: IndexedCorpus) -> None:
    assert set(MAKERS["linked"](indexed).search(QUESTION)[:2]) == {"c2", "f2"}


def test_a_search_is_told_by_stage(indexed: IndexedCorpus) -> None:
    indexed.clock.start()
    MAKERS["linked"](indexed).search(QUESTION)
    assert set(indexed.clock.stages()) == {"link", "embed", "find", "rank"}
    indexed.clock.start()
    MAKERS["bm25"](indexed).search(QUESTION)
    assert set(indexed.clock.stages()) == {"link", "find", "rank"}


def test_chunks_are_named_where_they_are_the_pieces(makers_set: Dataset) -> None:
    made = index_corpus(
        concatenated(makers_set, per_document=9),
        config=ClewConfig(chunk_size=120, chunk_overlap=0),
        embedder=FakeEmbedder(),
    )
    texts = {piece.id: piece.text for piece in made.pieces}
    found = MAKERS["linked"](made).search(QUESTION)
    assert len(found) > 3
    assert any("Vik Mills" in texts[name] for name in found[:2])


class _Spied:
    """A method that keeps what another one found."""

    name = "spied"
    uses_vectors = True

    def __init__(self, method: DenseUnits | ReciprocalRanks) -> None:
        self.method = method
        self.search: Search | None = None
        self.evidence: Evidence | None = None

    def find(self, search: Search) -> Evidence:
        self.search, self.evidence = search, self.method.find(search)
        return self.evidence


def _spy(indexed: IndexedCorpus, method: DenseUnits | ReciprocalRanks) -> tuple[Search, Evidence]:
    spied = _Spied(method)
    RetrievePipeline(indexed.store, embedding=indexed.asking, method=spied).search(QUESTION)
    assert spied.search is not None
    assert spied.evidence is not None
    return spied.search, spied.evidence


def test_reciprocal_ranks_are_those_of_the_formula(indexed: IndexedCorpus) -> None:
    search, evidence = _spy(indexed, ReciprocalRanks())
    wanted: dict[int, float] = {}
    for method in (BM25(), Dense()):
        found = method.find(search)
        pairs = sorted(zip(-found.chunk_scores, found.chunks, strict=True), key=tuple)
        for place, (_, chunk) in enumerate(pairs, start=1):
            wanted[int(chunk)] = wanted.get(int(chunk), 0.0) + 1.0 / (60 + place)
    assert evidence.chunks.tolist() == sorted(wanted)
    shown = [wanted[chunk] * 61 / 2 for chunk in sorted(wanted)]
    assert evidence.chunk_scores.tolist() == pytest.approx(shown)
    assert float(evidence.chunk_scores.max()) <= 1.0


def test_a_chunk_is_as_near_as_its_nearest_unit(indexed: IndexedCorpus) -> None:
    search, evidence = _spy(indexed, DenseUnits())
    assert search.query.vector is not None
    reader = indexed.store
    for chunk, score in zip(evidence.chunks, evidence.chunk_scores, strict=True):
        units = reader.units_of_chunks(np.array([chunk])).targets
        near = reader.score_vectors("unit", search.query.vector, units).max()
        assert float(score) == pytest.approx(max(0.0, float(near)), abs=1e-6)


def test_a_method_keeps_the_name_it_is_given(indexed: IndexedCorpus) -> None:
    assert ClewMethod.over(indexed, BM25()).name == "bm25"
    assert ClewMethod.over(indexed, BM25(), name="words").name == "words"


class _Broken:
    """A reranker that fails."""

    fingerprint = "broken"

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        raise ModelError("out of order")


def test_a_reranker_that_fails_is_not_measured_as_if_it_worked(indexed: IndexedCorpus) -> None:
    system = ClewMethod(
        name="linked",
        pipeline=RetrievePipeline(indexed.store, embedding=indexed.asking, reranker=_Broken()),
        clock=indexed.clock,
        by_chunk=False,
    )
    with pytest.raises(ModelError, match=r"linked: .*out of order"):
        system.search(QUESTION)
