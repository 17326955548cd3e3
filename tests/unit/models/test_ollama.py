"""Ollama's SDK against a server on this machine that speaks its protocol.

What every language model promises is tested in ``tests/contract/test_ollama_contract.py``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from clew.errors import (
    ConfigError,
    EmbeddingError,
    MissingExtraError,
    ModelRefusedError,
    ModelUnavailableError,
    RateLimitError,
)
from clew.models.base import BaseEmbedding, Completion, Embedder, Message
from clew.models.providers.ollama import OllamaLLM
from clew.models.providers.ollama_access import address_of
from clew.models.providers.ollama_embedding import OllamaEmbedding
from clew.testing.scripted_server import Reply, Request, ScriptedServer
from clew.testing.wires.ollama import OllamaWire

ASKED = [Message(role="user", content="Where?")]
WIRE = OllamaWire()


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OLLAMA_HOST", "OLLAMA_API_KEY", "CLEW_LLM_KEY", "CLEW_EMBEDDING_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.script(WIRE.reply("ok"))
        yield server


def _body(server: ScriptedServer) -> dict[str, Any]:
    body: dict[str, Any] = server.requests[-1].body
    return body


def test_the_usual_model_is_asked_with_a_context_that_holds_a_prompt(
    server: ScriptedServer,
) -> None:
    OllamaLLM(server.url).complete(ASKED)
    assert server.requests[0].path == "/api/chat"
    assert _body(server)["model"] == "llama3"
    assert _body(server)["options"] == {"temperature": 0.0, "num_ctx": 8192}
    assert "keep_alive" not in _body(server)
    assert "think" not in _body(server)


def test_every_parameter_is_sent_and_named(server: ScriptedServer) -> None:
    llm = OllamaLLM(
        server.url,
        "qwen3:8b",
        temperature=0.5,
        seed=7,
        max_tokens=99,
        num_ctx=2048,
        keep_alive="10m",
        think=False,
        options={"top_k": 3, "repeat_penalty": 1.1},
    )
    llm.complete(ASKED)
    body = _body(server)
    assert (body["model"], body["keep_alive"], body["think"]) == ("qwen3:8b", "10m", False)
    assert body["options"] == {
        "temperature": 0.5,
        "seed": 7,
        "num_ctx": 2048,
        "num_predict": 99,
        "top_k": 3,
        "repeat_penalty": 1.1,
    }
    for part in ("qwen3:8b", "=0.5", "seed=7", "num_ctx=2048", "think=False", "top_k=3", "=99"):
        assert part in llm.fingerprint
    assert "10m" not in llm.fingerprint, "how long it stays loaded changes no reply"
    llm.complete(ASKED, max_tokens=5)
    assert _body(server)["options"]["num_predict"] == 5
    OllamaLLM(server.url, temperature=None, num_ctx=None).complete(ASKED)
    assert _body(server)["options"] == {}


def test_a_schema_is_the_format(server: ScriptedServer) -> None:
    schema = {"type": "object", "properties": {"units": {"type": "array"}}}
    OllamaLLM(server.url).complete(ASKED, schema=schema)
    assert _body(server)["format"] == schema


def test_an_older_server_is_asked_for_plain_json(server: ScriptedServer) -> None:
    def answer(request: Request) -> Reply:
        if isinstance(request.body.get("format"), dict):
            return WIRE.failure(400, "json: cannot unmarshal object into Go struct field")
        return WIRE.reply("{}")

    server.script(answer)
    llm = OllamaLLM(server.url)
    schema = {"type": "object", "properties": {"units": {"type": "array"}}}
    for expected in (2, 3):
        assert llm.complete(ASKED, schema=schema).text == "{}"
        assert len(server.requests) == expected
    assert _body(server)["format"] == "json"
    assert "units" in WIRE.asked(server.requests[-1]).user


def test_thoughts_are_dropped(server: ScriptedServer) -> None:
    server.script(WIRE.reply_of({"content": "Norvik", "thinking": "Hm, a ferry."}))
    assert OllamaLLM(server.url).complete(ASKED).text == "Norvik"
    server.script(WIRE.reply("<think>\nHm, a ferry.\n</think>\n\nNorvik"))
    assert OllamaLLM(server.url).complete(ASKED).text == "Norvik"
    server.script(WIRE.streamed(["<th", "ink>Hm,", " a</thi", "nk>", "\n", "Nor", " vik"]))
    *pieces, last = OllamaLLM(server.url).stream(ASKED)
    assert pieces == ["Nor", " vik"]
    assert isinstance(last, Completion)
    assert last.text == "Nor vik"
    server.script(WIRE.streamed(["<thi"]))
    assert next(iter(OllamaLLM(server.url).stream(ASKED))) == "<thi"


def test_a_model_that_is_not_there_can_be_pulled(server: ScriptedServer) -> None:
    server.script(WIRE.failure(404, "model 'llama3' not found"))
    for call in (
        OllamaLLM(server.url).complete,
        lambda told: list(OllamaLLM(server.url).stream(told)),
    ):
        with pytest.raises(ModelRefusedError, match="get it with `ollama pull llama3`") as caught:
            call(ASKED)
        assert caught.value.status == 404
    server.script(WIRE.failure(404, 'model "nomic-embed-text" not found, try pulling it first'))
    with pytest.raises(ModelRefusedError, match="`ollama pull nomic-embed-text`"):
        OllamaEmbedding(server.url).embed(["a"])


def test_no_server_says_how_to_start_it() -> None:
    with pytest.raises(ModelUnavailableError, match=r"ollama serve.*OLLAMA_HOST"):
        OllamaLLM("127.0.0.1:9").complete(ASKED)
    with pytest.raises(ModelUnavailableError, match="ollama serve"):
        list(OllamaLLM("127.0.0.1:9").stream(ASKED))
    with pytest.raises(ModelUnavailableError, match="ollama serve"):
        OllamaEmbedding("127.0.0.1:9", attempts=1).embed(["a"])


def test_a_failure_in_the_middle_of_a_stream(server: ScriptedServer) -> None:
    pieces = [{"message": {"role": "assistant", "content": "Nor"}, "done": False}]
    server.script(WIRE.lines([*pieces, {"error": "model runner has stopped"}]))
    stream = OllamaLLM(server.url).stream(ASKED)
    assert next(stream) == "Nor"
    with pytest.raises(ModelUnavailableError, match=r"llama3.*model runner has stopped"):
        next(stream)


def test_a_reply_that_is_not_done_broke_off(server: ScriptedServer) -> None:
    server.script(WIRE.reply_of({"content": "Nor"}, done=False))
    with pytest.raises(ModelUnavailableError, match="broke off"):
        OllamaLLM(server.url).complete(ASKED)


def test_no_redirect_and_no_proxy(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    assert OllamaLLM(server.url).generate("Where?") == "ok"
    with ScriptedServer() as other:
        server.script(Reply(status=307, headers={"Location": other.url}))
        with pytest.raises(ModelRefusedError, match=r"it is at http://127.*name that address"):
            OllamaLLM(server.url, api_key="hidden").complete(ASKED)
        assert other.requests == []


def test_the_address_comes_from_the_environment(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", server.url.removeprefix("http://"))
    assert OllamaLLM().generate("Where?") == "ok"
    assert server.url in OllamaLLM().fingerprint
    assert "http" not in OllamaLLM("localhost").fingerprint
    assert "http" not in OllamaLLM("http://localhost:11434").fingerprint
    monkeypatch.delenv("OLLAMA_HOST")
    assert "http" not in OllamaLLM().fingerprint


def test_a_key_goes_only_where_it_belongs(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def key_of(**options: Any) -> str | None:
        OllamaLLM(**options).complete(ASKED)
        return server.requests[-1].headers.get("authorization")

    monkeypatch.setenv("OLLAMA_API_KEY", "of-ollama")
    assert key_of(host=server.url) is None
    assert key_of(host=server.url, api_key="given") == "Bearer given"
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    assert key_of() == "Bearer of-ollama"
    monkeypatch.setenv("CLEW_LLM_KEY", "of-this-server")
    assert key_of(host=server.url) == "Bearer of-this-server"
    server.script(WIRE.embeddings([[1.0]]))
    monkeypatch.setenv("CLEW_EMBEDDING_KEY", "of-that-server")
    OllamaEmbedding(server.url).embed(["a"])
    assert server.requests[-1].headers["authorization"] == "Bearer of-that-server"


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("example.com", "http://example.com:11434"),
        (":56", "http://127.0.0.1:56"),
        ("1.2.3.4:56", "http://1.2.3.4:56"),
        ("http://1.2.3.4", "http://1.2.3.4:80"),
        ("https://example.com/path/", "https://example.com:443/path"),
        ("example.com:56/path", "http://example.com:56/path"),
        ("[::1]:56", "http://[::1]:56"),
        ("http://[::1]", "http://[::1]:80"),
    ],
)
def test_addresses_are_read_as_ollama_reads_them(host: str, url: str) -> None:
    assert address_of(host or "127.0.0.1") == url
    from ollama._client import _parse_host

    assert _parse_host(host or None) == url


@pytest.mark.parametrize("host", ["ftp://h", "http://", "h:port", "http://h:99999", "//"])
def test_what_is_no_address_is_named(host: str) -> None:
    with pytest.raises(ConfigError, match="is no address"):
        OllamaLLM(host)


def test_passwords_in_addresses_are_not_shown(server: ScriptedServer) -> None:
    url = server.url.replace("http://", "http://me:hidden@")
    llm = OllamaLLM(url)
    assert llm.generate("Where?") == "ok"
    assert "hidden" not in f"{llm!r} {llm.fingerprint}"
    server.script(WIRE.failure(500, "no"))
    with pytest.raises(ModelUnavailableError) as caught:
        llm.complete(ASKED)
    assert "hidden" not in str(caught.value)


def test_without_the_package_the_install_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ollama", None)
    for kind in (OllamaLLM, OllamaEmbedding):
        with pytest.raises(MissingExtraError, match=r"pip install 'clew\[ollama\]'"):
            kind()


# --- embeddings -----------------------------------------------------------------------------------


def _vectors(request: Request) -> Reply:
    rows = [[float(len(text)), 1.0, -2.0] for text in request.body["input"]]
    return WIRE.embeddings([row[: request.body.get("dimensions")] for row in rows])


def test_vectors_come_in_order_and_of_length_one(server: ScriptedServer) -> None:
    server.script(_vectors)
    embedder = OllamaEmbedding(server.url, "bge-m3")
    texts = ["a mill", "the ferry of Askvik", "a\ud800"]
    vectors = embedder.embed(texts)
    expected = np.array([[len(text), 1.0, -2.0] for text in texts])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(vectors, expected, atol=1e-6)
    assert vectors.dtype == np.float32
    assert server.requests[0].path == "/api/embed"
    assert _body(server) == {"model": "bge-m3", "input": ["a mill", "the ferry of Askvik", "a?"]}
    assert isinstance(embedder, Embedder)
    assert isinstance(embedder, BaseEmbedding)
    assert embedder.fingerprint == "ollama/bge-m3"
    assert embedder.embed([]).shape == (0, 3)
    np.testing.assert_allclose(embedder.embed_batch(["a mill"])[0], vectors[0], atol=1e-6)


def test_every_parameter_of_an_embedder_is_sent(server: ScriptedServer) -> None:
    server.script(_vectors)
    embedder = OllamaEmbedding(
        server.url, "bge-m3", dimensions=2, keep_alive=60, options={"num_ctx": 512}
    )
    assert embedder.dimensions == 2
    assert server.requests == []
    assert embedder.embed([""]).shape == (1, 2)
    assert _body(server) == {
        "model": "bge-m3",
        "input": [" "],
        "dimensions": 2,
        "keep_alive": 60,
        "options": {"num_ctx": 512},
    }
    assert embedder.fingerprint == "ollama/bge-m3/dimensions=2"


def test_known_models_get_the_words_that_they_were_trained_with(server: ScriptedServer) -> None:
    server.script(_vectors)

    def sent(kind: Any, *arguments: Any, **options: Any) -> str:
        OllamaEmbedding(server.url, *arguments, **options).embed(["mill"], kind=kind)
        text: str = _body(server)["input"][0]
        return text

    assert sent("query") == "search_query: mill"
    assert sent("document") == "search_document: mill"
    assert sent("query", "me/nomic-embed-text:v1.5") == "search_query: mill"
    assert sent("query", "all-minilm") == "mill"
    assert sent("query", "all-minilm", query_prefix="q: ") == "q: mill"
    assert sent("document", document_prefix="") == "mill"
    given: list[dict[str, Any]] = [
        {},
        {"query_prefix": ""},
        {"query_prefix": "", "document_prefix": ""},
    ]
    prints = {OllamaEmbedding(server.url, **options).fingerprint for options in given}
    assert len(prints) == 3
    assert OllamaEmbedding(server.url).embed_text("mill") == pytest.approx(
        OllamaEmbedding(server.url).embed(["mill"], kind="query")[0].tolist()
    )
    assert _body(server)["input"] == ["search_query: mill"]


@pytest.mark.parametrize("rows", [[], [[1.0]], [[1.0], [1.0, 2.0]], [[], []]])
def test_replies_of_another_count_or_shape_are_named(server: ScriptedServer, rows: Any) -> None:
    server.script(WIRE.embeddings(rows))
    with pytest.raises(EmbeddingError, match="nomic-embed-text"):
        OllamaEmbedding(server.url, dimensions=1).embed(["a", "b"])


def test_failures_of_embeddings_are_those_of_replies(server: ScriptedServer) -> None:
    embedder = OllamaEmbedding(server.url, attempts=1)
    server.script(WIRE.failure(429, "slow", headers={"Retry-After": "4"}))
    with pytest.raises(RateLimitError) as caught:
        embedder.embed(["a"])
    assert caught.value.retry_after_s == 4.0
    for body in (b"{", b"[]", b"{}", b""):
        server.script(Reply(body=body))
        with pytest.raises(ModelUnavailableError, match="nomic-embed-text"):
            embedder.embed(["a"])
