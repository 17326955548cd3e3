"""The process that AtomicRAG runs in, with a stand-in for the package."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from benchmarks.multihop.peers import atomic_rag
from benchmarks.multihop.peers.atomic_rag import AtomicRAG, PeerError
from benchmarks.multihop.peers.atomic_rag_child import CapitalisedSpans

from clew.evaluation.corpora import TextSpan
from clew.evaluation.indexed import Piece
from clew.testing.fake_embedder import FakeEmbedder

STAND_IN = """
import json


class AtomicRAGConfig:
    @classmethod
    def from_dict(cls, settings):
        config = cls()
        config.settings = settings
        return config


class Chunk:
    def __init__(self, number, document):
        self.id, self.doc_id, self.text = f"c{number}", document["doc_id"], document["text"]


class IndexPipeline:
    def __init__(self, llm, embedding, config):
        self.embedding, self.config = embedding, config

    def run(self, documents):
        print("this must not disturb the pipe")
        graph = Graph()
        graph.chunks = [Chunk(number, one) for number, one in enumerate(documents)]
        graph.vectors = self.embedding.embed_batch([chunk.text for chunk in graph.chunks])
        self.config.on_progress(len(documents), len(documents), "Embedding KUs")
        assert self.embedding.embed_batch(["a phrase"]) == [[]]
        return graph


class Graph:
    def stats(self):
        return {"chunks": len(self.chunks)}


class Item:
    def __init__(self, chunk):
        self.source_chunk_id = chunk.id


class RetrievePipeline:
    def __init__(self, graph, llm, embedding, config):
        self.graph, self.llm, self.embedding, self.config = graph, llm, embedding, config

    def search(self, question):
        assert json.loads(self.llm.generate("the prompt"))["entities"]
        asked = self.embedding.embed_text(question)
        near = [sum(a * b for a, b in zip(asked, row)) for row in self.graph.vectors]
        order = sorted(range(len(near)), key=lambda row: -near[row])
        found = type("Found", (), {})()
        count = self.config.settings["result_top_n"]
        found.items = [Item(self.graph.chunks[row]) for row in order[:count]]
        return found
"""


def _pieces(**texts: str) -> list[Piece]:
    return [
        Piece(id=name, title=name, text=text, span=TextSpan(doc_id=name, start=0, end=len(text)))
        for name, text in texts.items()
    ]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "atomicrag.py").write_text(STAND_IN, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path / "atomicrag.py"


@pytest.mark.usefixtures("package")
def test_it_searches_in_its_own_process_with_our_vectors() -> None:
    embedder = FakeEmbedder()
    pieces = _pieces(tide="The moon lifts the sea.", rye="Rye is ground in a mill.", ä="Überall.")
    peer = AtomicRAG(pieces, embedder, python=Path(sys.executable))
    assert peer.index["chunks"] == 3
    assert peer.search("Is Rye ground in the mill?")[0] == "rye"
    assert peer.search("Does the Moon lift the sea?")[0] == "tide"
    assert embedder.texts[:3] == [f"{piece.title}\n{piece.text}" for piece in pieces]
    peer.close()


def test_a_process_that_ends_is_told(package: Path) -> None:
    package.write_text("raise SystemExit(3)", encoding="utf-8")
    with pytest.raises(PeerError, match="ended with status 3"):
        AtomicRAG(_pieces(a="A."), FakeEmbedder(), python=Path(sys.executable))


def test_a_package_that_cannot_be_installed_is_told() -> None:
    command = [sys.executable, "-c", "import sys; sys.exit('no route to the index')"]
    with pytest.raises(PeerError, match=r"(?s)atomicrag==0.1.0 cannot be .*no route to the index"):
        atomic_rag._run(command, "atomicrag==0.1.0")


def test_capitalised_spans_stand_for_the_model() -> None:
    names = CapitalisedSpans()
    names.question = "Who wrote the score of Blue Harbor?"
    reply = names.generate("Extract the entities of: …")
    assert reply == '{"entities": ["Who", "Blue Harbor", "Harbor"]}'
