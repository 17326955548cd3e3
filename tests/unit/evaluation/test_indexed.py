"""A corpus that was indexed: what systems rank, and what indexing took."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from clew.config import ClewConfig
from clew.errors import BrokenDocumentError
from clew.evaluation.corpora import Corpus, concatenated
from clew.evaluation.datasets import Dataset
from clew.evaluation.indexed import IndexedCorpus, index_corpus
from clew.testing import FakeEmbedder


def test_passages_are_the_pieces_where_they_are_the_documents(indexed: IndexedCorpus) -> None:
    passages = indexed.corpus.dataset.passages
    assert [piece.id for piece in indexed.pieces] == [passage.id for passage in passages]
    assert indexed.pieces[0].title == "Norr Works"
    assert indexed.figures["passages"] == len(passages)


def test_chunks_are_the_pieces_of_long_documents(makers_set: Dataset) -> None:
    corpus = concatenated(makers_set, per_document=9)
    config = ClewConfig(chunk_size=120, chunk_overlap=0)
    made = index_corpus(corpus, config=config)
    texts = {document.id: document.text for document in corpus.dataset.passages}
    assert len(made.pieces) == made.figures["chunks"] > len(texts)
    for piece in made.pieces:
        assert texts[piece.span.doc_id][piece.span.start : piece.span.end] == piece.text
        assert piece.title == ""


def test_costs_are_told_by_stage_and_add_up(indexed: IndexedCorpus) -> None:
    figures = indexed.figures
    assert set(figures["seconds_by_stage"]) == {"chunk", "extract", "embed", "store"}
    assert sum(figures["seconds_by_stage"].values()) == pytest.approx(figures["seconds"], abs=0.03)
    assert figures["disk_mb"] == 0.0


def test_a_folder_makes_a_store_on_disk(makers_set: Dataset, tmp_path: Path) -> None:
    made = index_corpus(Corpus(dataset=makers_set), config=ClewConfig(), folder=tmp_path / "s")
    assert made.figures["disk_mb"] > 0.0
    assert (tmp_path / "s").exists()


def test_without_an_embedder_words_alone_are_indexed(makers_set: Dataset) -> None:
    made = index_corpus(Corpus(dataset=makers_set), config=ClewConfig(), asking=FakeEmbedder())
    assert made.asking is None
    assert made.store.embedding is None
    assert made.config.embedding_model == "none"


def test_indexed_as_clew_does_it_there_is_the_same_and_no_stage(
    makers_set: Dataset, indexed: IndexedCorpus
) -> None:
    config = ClewConfig(executor="inline")
    made = index_corpus(
        Corpus(dataset=makers_set), config=config, embedder=FakeEmbedder(), by_stage=False
    )
    assert made.store.stats() == indexed.store.stats()
    assert "cpu_seconds_by_stage" not in made.figures
    assert "seconds" in made.figures


def test_a_passage_that_cannot_be_indexed_is_an_error(makers_set: Dataset) -> None:
    twice = replace(makers_set, passages=(makers_set.passages[0],) * 2)
    with pytest.raises(BrokenDocumentError, match=r"passage 'c0' of the corpus: .* already used"):
        index_corpus(Corpus(dataset=twice), config=ClewConfig())
