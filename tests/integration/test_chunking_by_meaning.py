"""The embedder reaches the strategies that compare what texts mean, and only those."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clew import ClewConfig, IndexPipeline, KnowledgeBase, KnowledgeGraph
from clew.chunking import (
    STRATEGIES,
    AdaptiveChunker,
    AdaptiveSelector,
    ChunkingConfig,
    Outline,
    Span,
    register_chunker,
    unregister_chunker,
)
from clew.chunking.making import takes_embedder
from clew.errors import ConfigError, ModelError
from clew.models.base import Embedder, TextKind, Vectors
from clew.stores.sqlite import SQLiteStore
from clew.testing import FakeEmbedder, FlakyEmbedder

FILLER = "with the very same words as all of the other paragraphs have in this text here, "
TARS = [f"Tar {FILLER * 2}{number}." for number in range(3)]
RYES = [f"Rye {FILLER * 2}{number}." for number in range(3, 8)]
TEXT = "\n\n".join([*TARS, *RYES])
BORDER = TEXT.index("Rye")


class ByFirstWord(FakeEmbedder):
    """Tells texts about rye from all others, whatever their words have in common."""

    def __init__(self) -> None:
        super().__init__()
        self.fingerprint = "by-first-word"

    def _vector(self, text: str) -> Vectors:
        vector = np.zeros(self.dimensions, np.float32)
        vector[int(text.startswith("Rye"))] = 1.0
        return vector


def _config(**settings: Any) -> ClewConfig:
    usual: dict[str, Any] = {
        "chunk_strategy": "semantic",
        "chunk_size": 3_000,
        "chunk_overlap": 0,
        "embedding_model": "none",
        "executor": "inline",
    }
    return ClewConfig(**(usual | settings))


def _documents(count: int = 3) -> list[dict[str, str]]:
    return [{"doc_id": f"d{number}", "text": f"{TEXT}\n\nNo. {number}."} for number in range(count)]


def _starts(store: KnowledgeGraph) -> set[int]:
    return {chunk.start for chunk in store.chunks}


def _index(config: ClewConfig, embedding: FakeEmbedder | None) -> KnowledgeGraph:
    graph = IndexPipeline(embedding=embedding, config=config).run(_documents())
    assert isinstance(graph, KnowledgeGraph)
    return graph


@pytest.mark.parametrize("strategy", ["semantic", "hybrid"])
def test_topics_are_told_apart_by_the_embedder(strategy: str) -> None:
    config = _config(chunk_strategy=strategy, chunk_size=1_300)
    by_meaning = _index(config, ByFirstWord())
    assert BORDER in _starts(by_meaning)
    by_words = _index(config, None)
    assert BORDER not in _starts(by_words)
    if strategy == "semantic":
        told = {chunk.metadata["similarity"] for chunk in by_meaning.chunks}
        assert told == {"by-first-word"}
        assert {chunk.metadata["similarity"] for chunk in by_words.chunks} == {"words"}


def test_words_can_be_asked_for() -> None:
    embedder = ByFirstWord()
    graph = _index(_config(chunk_similarity="words"), embedder)
    assert _starts(graph) == _starts(_index(_config(), None))


def test_each_stretch_is_embedded_once() -> None:
    """What chunking asks for stands before what the chunks themselves are embedded by."""
    embedder = ByFirstWord()
    IndexPipeline(embedding=embedder, config=_config()).run([f"{TEXT}\n\n{TEXT}"])
    asked = embedder.texts[: len(TARS) + len(RYES)]
    assert sorted(asked) == sorted([*TARS, *RYES])


@pytest.mark.parametrize(
    "strategy", [name for name in STRATEGIES if name not in {"semantic", "hybrid"}]
)
def test_other_strategies_cost_the_embedder_nothing(strategy: str) -> None:
    config = _config(chunk_strategy=strategy)
    assert not takes_embedder(config)
    embedder = FakeEmbedder()
    graph = _index(config, embedder)
    units, chunks = len(graph.knowledge_units), len(graph.chunks)
    assert embedder.text_count <= units + chunks


def test_adaptive_compares_words_unless_vectors_are_asked_for() -> None:
    words, meaning = FakeEmbedder(), FakeEmbedder()
    usual = _index(_config(chunk_strategy="adaptive", chunk_size=700), words)
    asked = _index(
        _config(chunk_strategy="adaptive", chunk_size=700, chunk_similarity="vectors"), meaning
    )
    assert meaning.text_count >= words.text_count + 3 * 8
    assert len(usual.chunks) > 3 < len(asked.chunks)


def test_adaptive_with_an_embedder_embeds_each_stretch_once() -> None:
    embedder = FakeEmbedder()
    config = ChunkingConfig(chunk_size=700, chunk_overlap=0)
    chunker = AdaptiveChunker(AdaptiveSelector(config=config)).with_embedder(embedder)
    result = chunker.chunk(TEXT)
    assert sorted(embedder.texts) == sorted(set(embedder.texts))
    assert {*TARS, *RYES} <= {*embedder.texts}
    again = AdaptiveChunker(AdaptiveSelector(config=config, embedder=FakeEmbedder())).chunk(TEXT)
    assert again == result


class _Halves:
    """A strategy of one's own that asks the embedder where the text turns to rye."""

    name = "halves"

    def __init__(self, embedder: Embedder | None = None) -> None:
        self.embedder = embedder

    def with_embedder(self, embedder: Embedder) -> _Halves:
        return _Halves(embedder)

    def cuts(self, outline: Outline) -> list[Span]:
        if self.embedder is None:
            return [Span(outline.starts[0], outline.ends[-1])]
        texts = [outline.text[at:] for at in outline.starts]
        border = int(np.argmax(self.embedder.embed(texts)[:, 1]))
        return [
            Span(outline.starts[0], outline.ends[border - 1]),
            Span(outline.starts[border], outline.ends[-1]),
        ]


@pytest.mark.parametrize("executor", ["inline", "processes"])
def test_a_strategy_of_ones_own_is_given_the_embedder(executor: str) -> None:
    register_chunker("halves", lambda _config, _count: _Halves())
    try:
        config = _config(chunk_strategy="halves", executor=executor, workers=1)
        assert _starts(_index(config, ByFirstWord())) == {0, BORDER}
        assert _starts(_index(config.replace(executor="inline"), None)) == {0}
    finally:
        unregister_chunker("halves")


def test_vectors_need_an_embedder() -> None:
    config = _config(chunk_similarity="vectors")
    with pytest.raises(ConfigError, match="chunk_similarity='vectors' needs an embedder"):
        IndexPipeline(config=config).run(_documents())
    graph = _index(_config(chunk_similarity="vectors", chunk_strategy="sentence"), None)
    assert graph.chunks


@pytest.mark.parametrize("strategy", ["semantic", "adaptive"])
def test_an_embedder_that_fails_stops_the_run_and_leaves_no_other_chunks(strategy: str) -> None:
    config = _config(chunk_strategy=strategy, chunk_similarity="vectors", chunk_size=700)
    pipeline = IndexPipeline(embedding=FlakyEmbedder("error"), config=config)
    with pytest.raises(ModelError, match="closed the connection"):
        pipeline.run(_documents())


def test_processes_give_the_same_chunks(tmp_path: Path) -> None:
    """The embedder stays in this process: it need not cross over, and here it cannot."""
    exports = []
    for executor in ("inline", "processes"):
        embedder = ByFirstWord()
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(embedder)
        with SQLiteStore.open(tmp_path / executor) as store:
            config = _config(executor=executor, workers=1)
            pipeline = IndexPipeline(embedding=embedder, config=config, store=store)
            pipeline.run(_documents(200))
            assert pipeline.report.counts == {"inserted": 200}
        with KnowledgeBase.open(tmp_path / executor, embedding=embedder, config=_config()) as kb:
            assert kb.check() == []
            kb.export(tmp_path / f"{executor}.jsonl")
        exports.append((tmp_path / f"{executor}.jsonl").read_text(encoding="utf-8"))
    assert exports[0] == exports[1]


def test_what_did_not_change_is_not_embedded_again() -> None:
    embedder = ByFirstWord()
    with KnowledgeBase.in_memory(embedding=embedder, config=_config()) as kb:
        kb.ingest_documents(_documents())
        before = embedder.text_count
        assert kb.ingest_documents(_documents()).counts == {"unchanged": 3}
        assert embedder.text_count == before


def test_another_embedder_means_other_chunks_of_the_same_documents(tmp_path: Path) -> None:
    """For the strategies that use it; for the others a document stays what it is."""
    for strategy, counts in (("semantic", {"updated": 3}), ("recursive", {"unchanged": 3})):
        path, config = tmp_path / strategy, _config(chunk_strategy=strategy)
        (tmp_path / "docs").mkdir(exist_ok=True)
        for document in _documents():
            (tmp_path / "docs" / f"{document['doc_id']}.md").write_text(document["text"])
        with KnowledgeBase.open(path, embedding=FakeEmbedder(seed=1), config=config) as kb:
            kb.ingest(tmp_path / "docs")
        other = FakeEmbedder(seed=2)
        with KnowledgeBase.open(path, embedding=other, config=config) as kb:
            kb.reembed()
            assert kb.ingest(tmp_path / "docs").counts == counts


@pytest.mark.parametrize("kind", ["document", "query"])
def test_texts_are_embedded_as_documents(kind: TextKind) -> None:
    asked: list[TextKind] = []

    class Noting(FakeEmbedder):
        def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
            asked.append(kind)
            return super().embed(texts, kind=kind)

    _index(_config(), Noting())
    assert (kind in asked) is (kind == "document")
