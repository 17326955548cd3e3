"""Models of providers by their names in the configuration, each asked over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew import ClewConfig, KnowledgeBase
from clew.errors import ConfigError, EmbeddingError
from clew.models.default import default_embedder, default_llm, is_local
from clew.testing.scripted_server import Reply, Request, ScriptedServer
from clew.testing.wires.gemini import GeminiWire
from clew.testing.wires.oci import OCIWire, write_configuration
from clew.testing.wires.ollama import OllamaWire


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch, server: ScriptedServer) -> None:
    for name in ("OLLAMA_HOST", "OLLAMA_API_KEY", "CLEW_LLM_KEY", "CLEW_EMBEDDING_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GEMINI_API_KEY", "k")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)


@pytest.fixture
def oci(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OCI_CONFIG_FILE", str(write_configuration(tmp_path)))
    monkeypatch.setenv("OCI_COMPARTMENT_ID", "ocid1.compartment.oc1..mill")


def _rows(texts: list[str], dimensions: int | None) -> list[list[float]]:
    return [[float(len(text)), 1.0, 2.0][:dimensions] for text in texts]


def _ollama(request: Request) -> Reply:
    return OllamaWire().embeddings(_rows(request.body["input"], request.body.get("dimensions")))


def _gemini(request: Request) -> Reply:
    asked = request.body["requests"]
    texts = [one["content"]["parts"][0]["text"] for one in asked]
    return GeminiWire().embeddings(_rows(texts, asked[0].get("outputDimensionality")))


def _embedder(server: ScriptedServer, name: str, **settings: Any) -> Any:
    config = ClewConfig(embedding_model=name.replace("URL", server.url), **settings)
    assert not is_local(config)
    embedder = default_embedder(config)
    assert embedder is not None
    return embedder


def test_an_embedder_of_gemini(server: ScriptedServer) -> None:
    server.script(_gemini)
    embedder = _embedder(
        server,
        "gemini:gemini-embedding-001",
        embedding_dimensions=2,
        embedding_batch_size=2,
        embedding_query_prefix="q: ",
    )
    assert embedder.embed(["a", "b", "c"]).shape == (3, 2)
    assert [len(request.body["requests"]) for request in server.requests] == [2, 1]
    embedder.embed(["a"], kind="query")
    [asked] = server.requests[-1].body["requests"]
    assert asked["content"]["parts"] == [{"text": "q: a"}]
    assert "dimensions=2" in embedder.fingerprint
    named = _embedder(server, "gemini:gemini-embedding-001@URL")
    named.embed(["a"])
    assert server.requests[-1].headers["x-goog-api-key"] == "none", "no key to a named address"


def test_an_embedder_of_ollama(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.script(_ollama)
    embedder = _embedder(server, "ollama:nomic-embed-text@URL", embedding_dimensions=2)
    assert embedder.embed(["a"], kind="query").shape == (1, 2)
    body = server.requests[-1].body
    assert (body["input"], body["dimensions"]) == (["search_query: a"], 2)
    plain = _embedder(
        server,
        "ollama:nomic-embed-text@URL",
        embedding_query_prefix="",
        embedding_document_prefix="p: ",
    )
    plain.embed(["a"], kind="query")
    assert server.requests[-1].body["input"] == ["a"]
    plain.embed(["a"])
    assert server.requests[-1].body["input"] == ["p: a"]
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    _embedder(server, "ollama:bge-m3:567m").embed(["a"])
    assert server.requests[-1].body["model"] == "bge-m3:567m"


@pytest.mark.usefixtures("oci")
def test_an_embedder_of_oci(server: ScriptedServer) -> None:
    server.script(Reply.of({"id": "1", "embeddings": [[1.0, 2.0]]}))
    embedder = _embedder(server, "oci:cohere.embed-v4.0@URL", embedding_document_prefix="p: ")
    assert embedder.embed(["a"]).shape == (1, 2)
    body = server.requests[-1].body
    assert (body["inputs"], body["servingMode"]["modelId"]) == (["p: a"], "cohere.embed-v4.0")
    with pytest.raises(EmbeddingError, match="embedding_dimensions=3"):
        _embedder(server, "oci:cohere.embed-v4.0@URL", embedding_dimensions=3).embed(["a"])


def test_a_knowledge_base_in_one_line(server: ScriptedServer, tmp_path: Path) -> None:
    server.script(_ollama)
    config = ClewConfig(embedding_model=f"ollama:all-minilm@{server.url}")
    with KnowledgeBase.open(tmp_path / "n.clew", config=config) as kb:
        kb.ingest_text("Orm Works was founded by Mira Vance.", name="orm")
        assert kb.search("Who founded Orm Works?").items[0].doc_id == "orm"


def _llm(server: ScriptedServer, name: str, **settings: Any) -> Any:
    llm = default_llm(ClewConfig(llm_model=name.replace("URL", server.url), **settings))
    assert llm is not None
    return llm


def test_a_language_model_of_gemini(server: ScriptedServer) -> None:
    server.script(GeminiWire().reply("ok"))
    llm = _llm(server, "gemini:gemini-2.5-flash", llm_temperature=0.5, llm_seed=7)
    assert llm.generate("Where?") == "ok"
    options = server.requests[0].body["generationConfig"]
    assert (options["temperature"], options["seed"]) == (0.5, 7)
    _llm(server, "gemini:gemini-2.5-pro@URL").generate("Where?")
    assert server.requests[-1].headers["x-goog-api-key"] == "none"


def test_a_language_model_of_ollama(server: ScriptedServer) -> None:
    server.script(OllamaWire().reply("ok"))
    llm = _llm(server, "ollama:llama3:8b@URL", llm_temperature=0.5, llm_seed=7)
    assert llm.generate("Where?") == "ok"
    body = server.requests[0].body
    assert (body["model"], body["options"]["temperature"], body["options"]["seed"]) == (
        "llama3:8b",
        0.5,
        7,
    )


@pytest.mark.usefixtures("oci")
def test_a_language_model_of_oci(server: ScriptedServer) -> None:
    server.script(OCIWire().reply("ok"))
    llm = _llm(server, "oci:meta.llama-3.3-70b-instruct@URL", llm_temperature=0.5, llm_seed=7)
    assert llm.generate("Where?") == "ok"
    chat = server.requests[0].body["chatRequest"]
    assert (chat["temperature"], chat["seed"]) == (0.5, 7)


def test_how_long_a_named_model_may_take(server: ScriptedServer) -> None:
    whole = OllamaWire().reply("late")
    server.script(Reply(body=whole.body, headers=whole.headers, delay_s=5.0))
    with pytest.raises(TimeoutError):
        _llm(server, "ollama:llama3@URL", llm_timeout_s=0.2).generate("Where?")


def test_what_names_no_provider_tells_the_forms() -> None:
    with pytest.raises(ConfigError, match=r"gemini:MODEL, ollama:MODEL\[@URL\], oci:MODEL"):
        ClewConfig(embedding_model="gemni:x")
