"""Code that users of graph-RAG pipelines write elsewhere runs here, with clew's names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew import (
    ClewConfig,
    IndexPipeline,
    JSONStore,
    KnowledgeBase,
    KnowledgeGraph,
    RetrievePipeline,
)
from clew.testing import FakeEmbedder, ScriptedLLM

DOCUMENTS: list[Any] = [
    {
        "text": (
            "Halden Vault is a storage service made by Sund Holdings. "
            "Halden Vault holds the ISO 27001 certificate since 2019. "
            "Sund Holdings was founded by Greta Lind in Arlo."
        ),
        "doc_id": "doc-001",
        "metadata": {"department": "sales"},
    },
    {
        "text": "Halden Vault 3 added key rotation. Key rotation was designed by Otto Brand.",
        "doc_id": "doc-002",
    },
]


SHORT = ["Your document text stands here.", "Another document stands here."]


def _units(prompt: str) -> str:
    """A model that repeats the sentences it is shown, and keeps every term it is asked about."""
    if '"terms"' in prompt:
        return json.dumps({"terms": [{"name": "Halden Vault", "type": "PRODUCT"}]})
    known = ["Text {x} of %s here.", *SHORT]
    known += [
        sentence + "."
        for document in DOCUMENTS
        for sentence in document["text"].rstrip(".").split(". ")
    ]
    units = [
        {"text": sentence, "entities": [{"name": "Halden Vault", "type": "PRODUCT"}]}
        for sentence in known
        if sentence in prompt
    ]
    return json.dumps({"units": units})


@pytest.fixture
def llm() -> ScriptedLLM:
    return ScriptedLLM([(".", _units)])


@pytest.fixture
def embedding() -> FakeEmbedder:
    return FakeEmbedder()


def test_build_and_query_in_five_lines(llm: ScriptedLLM, embedding: FakeEmbedder) -> None:
    graph = IndexPipeline(llm=llm, embedding=embedding).run(SHORT)
    results = RetrievePipeline(graph=graph, llm=llm, embedding=embedding).search(
        "What is in another document?"
    )
    assert results.items[0].content == "Another document stands here."
    for item in results.items:
        assert 0 <= item.score <= 1


@pytest.mark.parametrize("method", ["llm", "vocabulary", "sentence"])
def test_three_extraction_methods(llm: ScriptedLLM, embedding: FakeEmbedder, method: str) -> None:
    config = ClewConfig(ku_extraction_method=method)
    pipeline = IndexPipeline(llm=llm, embedding=embedding, config=config)
    graph = pipeline.run([document["text"] for document in DOCUMENTS])
    assert pipeline.report.method == method
    assert graph.stats()["knowledge_units"] == 5
    assert graph.stats()["edges"] > 5


def test_concurrency_changes_nothing(embedding: FakeEmbedder) -> None:
    graphs = []
    for concurrency in (1, 10):
        config = ClewConfig(
            ku_concurrency=concurrency,
            embedding_concurrency=concurrency,
            embedding_batch_size=2,
            ku_batch_size=1,
        )
        model = ScriptedLLM([(".", _units)])
        graph = IndexPipeline(llm=model, embedding=embedding, config=config).run(DOCUMENTS)
        assert isinstance(graph, KnowledgeGraph)
        graphs.append([unit.id for unit in graph.knowledge_units])
    assert graphs[0] == graphs[1]


def test_step_by_step(llm: ScriptedLLM, embedding: FakeEmbedder, tmp_path: Path) -> None:
    config = ClewConfig(chunk_size=800, ku_concurrency=10)
    graph = IndexPipeline(llm=llm, embedding=embedding, config=config).run(DOCUMENTS)
    assert set(graph.stats()) >= {"documents", "chunks", "knowledge_units", "entities", "edges"}

    assert isinstance(graph, KnowledgeGraph)
    graph.to_json(tmp_path / "my_knowledge_graph.json")
    loaded = KnowledgeGraph.from_json(tmp_path / "my_knowledge_graph.json")

    retriever = RetrievePipeline(graph=loaded, llm=llm, embedding=embedding, config=config)
    results = retriever.search("Which certificate does Halden Vault hold?")
    item = results.items[0]
    assert "ISO 27001" in item.content
    assert "Halden Vault" in item.entity_names
    assert item.metadata["department"] == "sales"
    assert item.doc_id == "doc-001"
    assert item.source_chunk_id in {chunk.id for chunk in loaded.chunks}
    assert set(item.knowledge_unit_ids) <= {unit.id for unit in loaded.knowledge_units}

    data = results.to_dict()
    assert json.loads(results.to_json()) == json.loads(json.dumps(data))
    results.to_json(tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text("utf-8"))["query"] == results.query
    assert results.entities_extracted == ("Halden Vault",)


class OwnLLM:
    """No base class: one method is enough."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint

    def generate(self, prompt: str) -> str:
        return _units(prompt)


class OwnEmbedding:
    def embed_text(self, text: str) -> list[float]:
        return self.embed_batch([text])[0]

    def embed_batch(self, texts: list[str]) -> list[list[float]]:
        return [[float(text.count(letter)) + 0.1 for letter in "aeioustr"] for text in texts]


class AsyncLLM:
    async def generate(self, prompt: str) -> str:
        return _units(prompt)


@pytest.mark.parametrize("model", [OwnLLM("http://localhost/v1"), AsyncLLM()])
def test_own_models(model: object) -> None:
    graph = IndexPipeline(llm=model, embedding=OwnEmbedding()).run(DOCUMENTS)
    found = RetrievePipeline(graph=graph, llm=model, embedding=OwnEmbedding()).search("Otto Brand")
    assert found.items[0].doc_id == "doc-002"


def test_custom_prompts_reach_the_model_with_their_braces(embedding: FakeEmbedder) -> None:
    llm = ScriptedLLM([(".", _units)])
    config = ClewConfig(
        ku_extraction_prompt='Answer {"units": [...]}, 100 % of: {text_chunk}',
        query_entity_prompt='Names as {"entities": []} in: {query}',
    )
    graph = IndexPipeline(llm=llm, embedding=embedding, config=config).run(["Text {x} of %s here."])
    assert llm.calls[0].prompt == 'Answer {"units": [...]}, 100 % of: Text {x} of %s here.'
    asked = ScriptedLLM([(".", '{"entities": ["Text"]}')])
    RetrievePipeline(graph=graph, llm=asked, embedding=embedding, config=config).search(
        "Where {y}?"
    )
    assert [call.prompt for call in asked.calls] == ['Names as {"entities": []} in: Where {y}?']


def test_search_calls_no_model_without_its_prompt(embedding: FakeEmbedder) -> None:
    graph = IndexPipeline(embedding=embedding).run(DOCUMENTS)
    llm = ScriptedLLM([(".", "{}")])
    RetrievePipeline(graph=graph, llm=llm, embedding=embedding).search("Who designed key rotation?")
    assert llm.calls == []


def test_storage_adapters(tmp_path: Path, embedding: FakeEmbedder) -> None:
    graph = IndexPipeline(embedding=embedding).run(DOCUMENTS)
    assert isinstance(graph, KnowledgeGraph)
    storage = JSONStore(tmp_path / "my_graph.json")
    assert not storage.exists()
    storage.save(graph)
    assert storage.exists()
    assert storage.load().stats() == graph.stats()
    assert KnowledgeGraph.from_dict(graph.to_dict()).stats() == graph.stats()


def test_facade_with_quality_modes_and_snippets(embedding: FakeEmbedder) -> None:
    with KnowledgeBase.in_memory(embedding=embedding) as kb:
        kb.ingest_text(
            "Ines Falk directed The Long Quay. The Long Quay was filmed in Arlo and Birk."
        )
        answer = kb.ask(
            "Where was the film directed by Ines Falk filmed?",
            include_source_text=True,
            max_source_chars=1200,
            quality_mode="quality",
        )
        assert "Arlo" in answer.answer
        assert any("filmed in Arlo" in source.text for source in answer.sources)
        assert answer.has_contradictions is False
        assert kb.stats()["documents"] == 1
