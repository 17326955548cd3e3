"""Embeddings over HTTP, against a server on this machine that speaks the real protocol."""

from __future__ import annotations

import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from clew.config import ClewConfig, settings_from_environment
from clew.errors import (
    EmbeddingError,
    FingerprintMismatchError,
    MissingModelError,
    ModelError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitError,
)
from clew.knowledge_base import KnowledgeBase
from clew.models.adapters import as_embedder
from clew.models.base import BaseEmbedding, Embedder
from clew.models.default import default_embedder
from clew.models.json_server import JSONServer
from clew.models.openai_embedding import OpenAIEmbedding

if TYPE_CHECKING:
    from pathlib import Path

BUSY: dict[str, Any] = {"error": {"message": "Rate limit reached", "code": "rate_limit_exceeded"}}


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "CLEW_EMBEDDING_KEY"):
        monkeypatch.delenv(name, raising=False)


def _embedder(server: Any, **options: Any) -> OpenAIEmbedding:
    return OpenAIEmbedding(model="bge-m3", base_url=server.url, **options)


def test_vectors_come_in_the_order_of_the_texts_and_of_length_one(embedding_server: Any) -> None:
    embedder = _embedder(embedding_server)
    texts = ["the ferry", "an old bridge", "a mill"]
    vectors = embedder.embed(texts)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, embedding_server.embedder.embed(texts), atol=1e-6)
    assert embedding_server.requests == [
        {"model": "bge-m3", "input": texts, "encoding_format": "float"}
    ]
    assert embedding_server.paths == ["/v1/embeddings"]
    assert embedder.fingerprint == "openai/bge-m3"
    assert isinstance(embedder, Embedder)
    assert isinstance(embedder, BaseEmbedding)
    np.testing.assert_allclose(embedder.embed_batch(texts), vectors, atol=1e-6)
    np.testing.assert_allclose(embedder.embed_text(texts[0]), vectors[0], atol=1e-6)


def test_dimensions_are_asked_of_the_server_only_when_nobody_knows_them(
    embedding_server: Any,
) -> None:
    embedder = _embedder(embedding_server)
    assert embedder.embed([]).shape == (0, 64)
    assert embedder.dimensions == 64
    assert len(embedding_server.requests) == 1
    shorter = _embedder(embedding_server, dimensions=16)
    assert shorter.dimensions == 16
    assert len(embedding_server.requests) == 1
    assert shorter.embed(["a"]).shape == (1, 16)
    assert embedding_server.requests[-1]["dimensions"] == 16
    assert shorter.fingerprint == "openai/bge-m3/16"


def test_vectors_in_base64_are_read(embedding_server: Any) -> None:
    embedding_server.in_base64 = True
    vectors = _embedder(embedding_server).embed(["a mill"])
    np.testing.assert_allclose(vectors, embedding_server.embedder.embed(["a mill"]), atol=1e-6)


def test_what_a_server_cannot_take_is_made_sendable(embedding_server: Any) -> None:
    _embedder(embedding_server).embed(["", "a\ud800b"])
    assert embedding_server.requests[0]["input"] == [" ", "a?b"]


@pytest.mark.parametrize(
    ("status", "headers"),
    [(429, {"Retry_After": "0"}), (503, {"Retry_After": "0"}), (500, {"Retry_After": "0.0"})],
)
def test_a_server_that_is_busy_is_asked_again(
    embedding_server: Any, fault: Any, status: int, headers: dict[str, str]
) -> None:
    embedding_server.faults = [fault(status, BUSY, **headers), fault(status, "busy", **headers)]
    assert _embedder(embedding_server).embed(["a"]).shape == (1, 64)
    assert len(embedding_server.requests) == 3


@pytest.mark.parametrize("body", [None, "<html>"])
def test_an_answer_that_breaks_off_or_is_none_is_asked_for_again(
    embedding_server: Any, fault: Any, body: str | None
) -> None:
    waits: list[float] = []
    server = JSONServer(embedding_server.url, sleep=waits.append)
    embedding_server.faults = [fault(200, body), fault(200, body)]
    reply = server.post("embeddings", {"model": "m", "input": ["a"]})
    assert len(reply["data"]) == 1
    assert waits == [0.5, 1.0]


def test_retry_after_is_honoured_in_seconds_and_as_a_date(
    embedding_server: Any, fault: Any
) -> None:
    waits: list[float] = []
    server = JSONServer(embedding_server.url, sleep=waits.append)
    at = format_datetime(datetime.now(UTC) + timedelta(seconds=30))
    embedding_server.faults = [
        fault(429, BUSY, Retry_After="7"),
        fault(429, BUSY, Retry_After=at),
        fault(429, BUSY, Retry_After="soon"),
    ]
    server.post("embeddings", {"model": "m", "input": ["a"]})
    assert waits[0] == 7.0
    assert 20.0 < waits[1] <= 30.0
    assert waits[2] == 2.0


def test_a_wait_that_is_too_long_is_an_error_at_once(embedding_server: Any, fault: Any) -> None:
    waits: list[float] = []
    server = JSONServer(embedding_server.url, sleep=waits.append)
    embedding_server.faults = [fault(429, BUSY, Retry_After="3600")]
    with pytest.raises(ModelError, match=r"Rate limit reached; the server asks to wait 3600 s"):
        server.post("embeddings", {"model": "m", "input": ["a"]})
    assert waits == []


def test_attempts_end(embedding_server: Any, fault: Any) -> None:
    waits: list[float] = []
    server = JSONServer(embedding_server.url, attempts=3, sleep=waits.append)
    embedding_server.faults = [fault(502, "bad gateway") for _ in range(9)]
    with pytest.raises(ModelError, match=r"HTTP 502: bad gateway \(3 attempts\)"):
        server.post("embeddings", {"model": "m", "input": ["a"]})
    assert waits == [0.5, 1.0]


def test_no_server_is_not_waited_for_long() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    waits: list[float] = []
    server = JSONServer(f"http://127.0.0.1:{port}", sleep=waits.append)
    with pytest.raises(ModelError, match=r"no connection: .*refused.* \(3 attempts\)"):
        server.post("embeddings", {"model": "m", "input": []})
    assert waits == [0.5, 1.0]


def test_a_silent_server_is_given_up(embedding_server: Any) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        server = JSONServer(url, timeout_s=0.05, attempts=2, sleep=lambda _: None)
        with pytest.raises(ModelTimeoutError, match=r"did not answer in time \(2 attempts\)"):
            server.post("embeddings", {})


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (400, {"error": {"message": "no such model", "code": "bad"}}, "HTTP 400: no such model"),
        (404, {"detail": "Not Found"}, "HTTP 404: Not Found"),
        (401, {"error": {"message": "Incorrect key"}}, r"Incorrect key \(is the key set"),
        (403, "forbidden", "HTTP 403: forbidden"),
        (
            429,
            {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}},
            "HTTP 429: You exceeded",
        ),
        (500, ["odd"], r"HTTP 500: \['odd'\] \(one attempt\)"),
    ],
)
def test_what_is_refused_for_good_is_said_at_once(
    embedding_server: Any, fault: Any, status: int, body: Any, message: str
) -> None:
    embedding_server.faults = [fault(status, body)]
    with pytest.raises(ModelError, match=message):
        _embedder(embedding_server, attempts=1).embed(["a"])
    assert len(embedding_server.requests) == 1


def test_a_quota_that_is_used_up_is_asked_for_once(embedding_server: Any, fault: Any) -> None:
    error = {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}
    embedding_server.faults = [fault(429, error, Retry_After="0")]
    with pytest.raises(ModelError, match="HTTP 429: You exceeded"):
        _embedder(embedding_server).embed(["a"])
    assert len(embedding_server.requests) == 1


def test_a_redirect_is_refused_so_that_no_key_goes_astray(
    embedding_server: Any, fault: Any
) -> None:
    embedding_server.faults = [fault(307, "", Location="http://127.0.0.1:9/v1")]
    with pytest.raises(ModelError, match=r"HTTP 307 to http://127\.0\.0\.1:9/v1: name that"):
        _embedder(embedding_server, api_key="secret").embed(["a"])


def test_a_batch_that_is_too_large_is_sent_in_halves(embedding_server: Any) -> None:
    embedding_server.most_texts = 2
    texts = [f"mill {number}" for number in range(7)]
    vectors = _embedder(embedding_server).embed(texts)
    np.testing.assert_allclose(vectors, embedding_server.embedder.embed(texts), atol=1e-6)
    embedding_server.most_texts = 0
    with pytest.raises(ModelError, match="HTTP 422: batch size 1 > maximum 0"):
        _embedder(embedding_server).embed(["a"])


@pytest.mark.parametrize(
    "message",
    [
        "'$.input' is too long. The maximum number of inputs is 2048.",
        "Requested 312000 tokens, max 300000 tokens per request",
    ],
)
def test_a_batch_that_openai_calls_too_large_is_sent_in_halves(
    embedding_server: Any, fault: Any, message: str
) -> None:
    embedding_server.faults = [fault(400, {"error": {"message": message}})]
    assert _embedder(embedding_server).embed(["a", "b", "c"]).shape == (3, 64)
    assert [len(body["input"]) for body in embedding_server.requests] == [3, 1, 2]


@pytest.mark.parametrize(("status", "kind"), [(429, RateLimitError), (503, ModelUnavailableError)])
def test_what_remains_after_all_attempts_has_its_kind(
    embedding_server: Any, fault: Any, status: int, kind: type[ModelError]
) -> None:
    embedding_server.faults = [fault(status, BUSY, Retry_After="7")]
    with pytest.raises(kind) as caught:
        _embedder(embedding_server, attempts=1).embed(["a"])
    assert getattr(caught.value, "retry_after_s", None) == 7.0


def test_the_short_calls_of_simple_embedders(embedding_server: Any) -> None:
    embedder = _embedder(embedding_server)
    assert embedder.embed_batch(["a", "b"]) == [embedder.embed_text("a"), embedder.embed_text("b")]


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ({"embeddings": []}, "no list 'data'"),
        ({"data": [1]}, "no list 'data'"),
        ({"data": []}, "returned 0 embeddings, numbered"),
        ({"data": [{"index": 1, "embedding": [1.0]}]}, "returned 1 embeddings, numbered"),
        ({"data": [{"index": 0, "embedding": None}]}, "an embedding is NoneType"),
        ({"data": [{"index": 0, "embedding": []}]}, "an embedding is list, not a list"),
    ],
)
def test_replies_of_another_shape_are_named(
    embedding_server: Any, fault: Any, reply: Any, message: str
) -> None:
    embedding_server.faults = [fault(200, reply)]
    with pytest.raises(EmbeddingError, match=message):
        _embedder(embedding_server).embed(["a"])


def test_no_proxy_stands_before_this_machine(
    embedding_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    assert _embedder(embedding_server, attempts=1).embed(["a"]).shape == (1, 64)


def test_a_key_goes_only_where_it_belongs(
    embedding_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "of-openai")
    _embedder(embedding_server).embed(["a"])
    monkeypatch.setenv("CLEW_EMBEDDING_KEY", "of-this-server")
    _embedder(embedding_server).embed(["a"])
    _embedder(embedding_server, api_key="given").embed(["a"])
    monkeypatch.delenv("CLEW_EMBEDDING_KEY")
    monkeypatch.setenv("OPENAI_BASE_URL", embedding_server.url)
    OpenAIEmbedding().embed(["a"])
    assert embedding_server.keys == [
        None,
        "Bearer of-this-server",
        "Bearer given",
        "Bearer of-openai",
    ]


def test_openai_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MissingModelError, match="needs a key: set OPENAI_API_KEY"):
        OpenAIEmbedding()
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert OpenAIEmbedding().fingerprint == "openai/text-embedding-3-small"
    with pytest.raises(MissingModelError, match="must begin with http"):
        OpenAIEmbedding(base_url="file:///etc/passwd")


def test_the_variable_of_the_key_is_no_misspelt_setting() -> None:
    assert settings_from_environment(environment={"CLEW_EMBEDDING_KEY": "k"}) == {}


def test_batches_and_places_are_those_of_the_configuration(
    embedding_server: Any, fault: Any
) -> None:
    config = ClewConfig(
        embedding_model=f"openai:bge-m3@{embedding_server.url}", embedding_batch_size=2
    )
    embedder = default_embedder(config)
    assert embedder is not None
    assert embedder.embed(["a", "b", "c"]).shape == (3, 64)
    assert [len(body["input"]) for body in embedding_server.requests if body["input"]][:2] == [2, 1]
    embedding_server.faults = [fault(400, "no such model")]
    with pytest.raises(ModelError, match=r"embedding texts 0 to 1 \(first: 'a'\) failed: .*400"):
        embedder.embed(["a", "b"])


def test_vectors_that_are_none_are_found_by_the_check(embedding_server: Any, fault: Any) -> None:
    embedding_server.faults = [fault(200, {"data": [{"index": 0, "embedding": [0.0] * 64}]})]
    with pytest.raises(EmbeddingError, match="zero vector"):
        as_embedder(_embedder(embedding_server, dimensions=64)).embed(["a"])


def test_a_refusal_tells_its_status(embedding_server: Any, fault: Any) -> None:
    embedding_server.faults = [fault(418, "teapot")]
    with pytest.raises(ModelRefusedError) as caught:
        JSONServer(embedding_server.url).post("embeddings", {})
    assert caught.value.status == 418


def test_a_knowledge_base_in_one_line(embedding_server: Any, tmp_path: Path) -> None:
    config = ClewConfig(
        embedding_model=f"openai:e5@{embedding_server.url}",
        embedding_query_prefix="query: ",
        embedding_document_prefix="passage: ",
    )
    with KnowledgeBase.open(tmp_path / "n.clew", config=config) as kb:
        kb.ingest_text("Orm Works was founded by Mira Vance.", name="orm", title="Orm")
        assert kb.search("Who founded Orm Works?").items[0].doc_id == "orm"
    texts = [text for body in embedding_server.requests for text in body["input"]]
    assert "query: Who founded Orm Works?" in texts
    assert all(text.startswith(("query: ", "passage: ")) for text in texts if text != "dimensions")
    other = config.replace(embedding_document_prefix="doc: ")
    with KnowledgeBase.open(tmp_path / "n.clew", config=other) as kb:
        with pytest.raises(FingerprintMismatchError, match=r"openai/e5/prefixes-.*embedding_model"):
            kb.search("Who founded Orm Works?")
        kb.reembed()
        assert kb.search("Who founded Orm Works?").items[0].doc_id == "orm"
