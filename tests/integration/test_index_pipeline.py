"""``IndexPipeline`` and ``RetrievePipeline`` as people call them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew import (
    ClewConfig,
    IndexPipeline,
    JSONStore,
    KnowledgeGraph,
    MissingModelError,
    RetrievePipeline,
    Status,
)
from clew.testing import FakeEmbedder, ScriptedLLM

MYTHS: list[Any] = [
    "Daedalus built the labyrinth for King Minos of Crete.",
    {
        "text": "Ariadne, daughter of Minos, gave Theseus a ball of thread.",
        "doc_id": "thread",
        "title": "Ariadne",
        "metadata": {"year": 2021, "tags": ["myth", "crete"]},
    },
]


def _graph(**settings: Any) -> KnowledgeGraph:
    graph = IndexPipeline(embedding=FakeEmbedder(), config=ClewConfig(**settings)).run(MYTHS)
    assert isinstance(graph, KnowledgeGraph)
    return graph


def test_metadata_and_doc_id_reach_chunks_and_results() -> None:
    graph = _graph()
    chunk = next(chunk for chunk in graph.chunks if "Ariadne" in chunk.text)
    assert chunk.metadata["year"] == 2021
    found = RetrievePipeline(graph=graph, embedding=FakeEmbedder()).search(
        "Who gave Theseus thread?"
    )
    item = found.items[0]
    assert item.doc_id == "thread"
    assert item.title == "Ariadne"
    assert item.metadata["tags"] == ["myth", "crete"]
    assert item.content == chunk.text
    assert 0 <= item.score <= 1
    assert set(found.graph_stats) >= {"kus_retrieved", "kus_scored", "items_returned"}
    assert json.loads(found.to_json())["items"][0]["doc_id"] == "thread"


def test_a_lone_string_is_one_document() -> None:
    graph = IndexPipeline(embedding=FakeEmbedder()).run("Daedalus built the labyrinth.")
    assert graph.stats()["documents"] == 1
    assert graph.stats()["knowledge_units"] == 1


def test_a_bad_document_is_named_and_costs_the_others_nothing() -> None:
    pipeline = IndexPipeline(embedding=FakeEmbedder())
    with pytest.warns(UserWarning, match="document 2"):
        graph = pipeline.run(
            ["One fact stands here.", {"doc_id": "broken"}, "Another stands here."]
        )
    assert graph.stats()["documents"] == 2
    assert [item.status for item in pipeline.report.documents] == [
        Status.INSERTED,
        Status.FAILED,
        Status.INSERTED,
    ]


def test_the_same_name_twice_in_a_run_is_named() -> None:
    pipeline = IndexPipeline(embedding=FakeEmbedder())
    with pytest.warns(UserWarning, match="already used"):
        pipeline.run([{"text": "A.", "doc_id": "x"}, {"text": "B.", "doc_id": "x"}])


def test_methods_that_need_a_model_say_how_to_give_one() -> None:
    for method in ("llm", "vocabulary"):
        pipeline = IndexPipeline(
            embedding=FakeEmbedder(), config=ClewConfig(ku_extraction_method=method)
        )
        with pytest.raises(MissingModelError, match="pass llm="):
            pipeline.run(["Text."])


def test_with_a_model_the_default_method_is_llm() -> None:
    reply = json.dumps(
        {"units": [{"text": "Daedalus built the labyrinth.", "entities": [
            {"name": "Daedalus", "type": "PERSON"}]}]}
    )  # fmt: skip
    llm = ScriptedLLM([(".", reply)])
    pipeline = IndexPipeline(llm=llm, embedding=FakeEmbedder())
    graph = pipeline.run(["Daedalus built the labyrinth for King Minos."])
    assert pipeline.report.method == "llm"
    assert isinstance(graph, KnowledgeGraph)
    assert [unit.origin for unit in graph.knowledge_units] == ["llm"]


def test_report_says_which_method_and_embedder_were_used() -> None:
    pipeline = IndexPipeline(embedding=FakeEmbedder())
    pipeline.run(["Text stands here."])
    assert pipeline.report.method == "sentence"
    assert pipeline.report.embedder == FakeEmbedder().fingerprint
    assert any("no language model" in note for note in pipeline.report.notes)


def test_words_alone_is_said_and_works() -> None:
    config = ClewConfig(embedding_model="none")
    pipeline = IndexPipeline(config=config)
    graph = pipeline.run(MYTHS)
    assert any("words alone" in note for note in pipeline.report.notes)
    assert graph.embedding is None
    found = RetrievePipeline(graph=graph, config=config).search("Who gave Theseus thread?")
    assert found.items[0].doc_id == "thread"


def test_callbacks_are_called_in_order() -> None:
    chunks: list[tuple[int, int]] = []
    batches: list[tuple[int, int]] = []
    stages: list[tuple[int, int, str]] = []
    config = ClewConfig(
        on_chunk_processed=lambda *call: chunks.append(call),
        on_batch_complete=lambda *call: batches.append(call),
        on_progress=lambda *call: stages.append(call),
    )
    IndexPipeline(embedding=FakeEmbedder(), config=config).run(MYTHS)
    assert [done for done, _ in chunks] == list(range(1, len(chunks) + 1))
    assert chunks[-1][0] == chunks[-1][1] >= 2
    assert batches == [(1, 1)]
    assert stages[-1] == (2, 2, "index")


def test_input_order_does_not_change_the_graph() -> None:
    forth = IndexPipeline(embedding=FakeEmbedder()).run(MYTHS)
    back = IndexPipeline(embedding=FakeEmbedder()).run(list(reversed(MYTHS)))
    assert isinstance(forth, KnowledgeGraph)
    assert isinstance(back, KnowledgeGraph)
    assert {unit.id for unit in forth.knowledge_units} == {unit.id for unit in back.knowledge_units}
    assert {(e.id, e.name, e.aliases) for e in forth.entities} == {
        (e.id, e.name, e.aliases) for e in back.entities
    }
    assert forth.stats() == back.stats()


def test_graph_round_trips_through_json(tmp_path: Path) -> None:
    graph = _graph()
    path = tmp_path / "graph.json"
    graph.to_json(path)
    loaded = KnowledgeGraph.from_json(path)
    assert loaded.stats() == graph.stats()
    assert KnowledgeGraph.from_dict(graph.to_dict()).stats() == graph.stats()
    store = JSONStore(tmp_path / "store.json")
    assert not store.exists()
    store.save(graph)
    assert store.exists()
    for other in (loaded, store.load()):
        found = RetrievePipeline(graph=other, embedding=FakeEmbedder()).search("Theseus thread")
        before = RetrievePipeline(graph=graph, embedding=FakeEmbedder()).search("Theseus thread")
        assert found.to_dict() == before.to_dict()


class _PlainLLM:
    """What users bring: one method."""

    def generate(self, prompt: str) -> str:
        return '{"units": ["Daedalus built the labyrinth."]}'


class _PlainEmbedding:
    def embed_text(self, text: str) -> list[float]:
        return [float(len(text)), 1.0, float(text.count("a"))]

    def embed_batch(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_text(text) for text in texts]


def test_users_bring_their_own_models() -> None:
    graph = IndexPipeline(llm=_PlainLLM(), embedding=_PlainEmbedding()).run(
        ["Daedalus built the labyrinth for King Minos."]
    )
    assert graph.embedding is not None
    assert graph.embedding.dimensions == 3
    found = RetrievePipeline(graph=graph, llm=_PlainLLM(), embedding=_PlainEmbedding()).search(
        "Minos"
    )
    assert found.items
