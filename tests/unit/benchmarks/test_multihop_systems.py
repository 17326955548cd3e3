"""The systems that benchmarks compare, by name."""

from __future__ import annotations

import pytest
from benchmarks.multihop.systems import NEED_VECTORS, SYSTEMS, USUAL, Bm25s

from clew.config import ClewConfig
from clew.evaluation.corpora import Corpus, TextSpan
from clew.evaluation.datasets import Dataset, Passage, QuestionWithGold
from clew.evaluation.indexed import Piece, index_corpus
from clew.evaluation.multihop import ask_all, choose
from clew.evaluation.systems import MAKERS
from clew.testing import FakeEmbedder

TEXTS = {
    "Norr Works": "Norr Works is a firm. It was set up by Greta Lind.",
    "Greta Lind": "Greta Lind was an engineer, born in Arlo.",
    "Arlo": "Arlo is a town with a harbour.",
}


def _piece(title: str, text: str) -> Piece:
    span = TextSpan(doc_id=title, start=0, end=len(text))
    return Piece(id=title, title=title, text=text, span=span)


def test_words_of_titles_and_texts_are_searched() -> None:
    system = Bm25s([_piece(title, text) for title, text in TEXTS.items()])
    assert system.search("harbours")[0] == "Arlo"
    assert system.search("Norr")[0] == "Norr Works"
    assert sorted(system.search("engineer")) == sorted(TEXTS)


def test_what_clew_can_and_peers_and_nothing_from_the_network_unless_named() -> None:
    assert set(MAKERS) < set(SYSTEMS)
    assert {"bm25s", "linear-rag"} <= set(USUAL)
    assert set(SYSTEMS) - set(USUAL) == {"atomic-rag"}
    words = choose(makers=USUAL, need_vectors=NEED_VECTORS, with_vectors=False)
    assert "bm25s" in words
    assert not set(words) & NEED_VECTORS


@pytest.mark.parametrize("name", sorted(USUAL))
def test_every_usual_system_answers_about_the_same_corpus(name: str) -> None:
    passages = tuple(Passage(id=title, title=title, text=text) for title, text in TEXTS.items())
    question = QuestionWithGold(
        id="q",
        question="Where was the engineer born who set up Norr Works?",
        answers=("Arlo",),
        supporting_ids=("Norr Works", "Greta Lind"),
    )
    dataset = Dataset(name="made", passages=passages, questions=(question,))
    indexed = index_corpus(Corpus(dataset=dataset), config=ClewConfig(), embedder=FakeEmbedder())
    runs = ask_all(indexed, choose([name], makers=USUAL, need_vectors=NEED_VECTORS))
    assert runs[name].recalls(5) == [1.0]
