"""Rerankers behind a server, against servers on this machine that speak each of the two forms."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from clew.config import ClewConfig, settings_from_environment
from clew.errors import ConfigError, ModelError
from clew.models.base import Reranker
from clew.models.default import default_reranker
from clew.models.reranking import as_reranker
from clew.models.server_reranker import ServerReranker
from clew.testing import FakeReranker

TEXTS = ["an old bridge", "the ferry", "a mill"]
QUESTION = "Which old bridge?"


class RerankServer(ThreadingHTTPServer):
    """``form`` is ``documents`` or ``texts``; ``answer`` replaces what is answered."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.form = "documents"
        self.answer: Any = None
        self.status = 200
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.paths: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def scored(self, body: dict[str, Any]) -> list[tuple[int, float]]:
        scores = FakeReranker().score(body["query"], body[self.form])
        return sorted(enumerate(scores), key=lambda pair: -pair[1])


class _Handler(BaseHTTPRequestHandler):
    server: RerankServer

    def do_POST(self) -> None:
        server = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server.requests.append(body)
        server.keys.append(self.headers.get("Authorization"))
        server.paths.append(self.path)
        if server.answer is not None:
            self._reply(server.status, server.answer)
        elif server.form not in body:
            self._reply(422, "Failed to deserialize the JSON body: missing field `texts`")
        elif server.form == "texts":
            self._reply(200, [{"index": at, "score": score} for at, score in server.scored(body)])
        else:
            results = [{"index": at, "relevance_score": one} for at, one in server.scored(body)]
            self._reply(200, {"model": body["model"], "results": results})

    def _reply(self, status: int, value: Any) -> None:
        data = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[RerankServer]:
    monkeypatch.delenv("CLEW_RERANKER_KEY", raising=False)
    made = RerankServer()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


@pytest.fixture
def make(server: RerankServer) -> Callable[..., ServerReranker]:
    def reranker(**options: Any) -> ServerReranker:
        return ServerReranker("bge-reranker", base_url=server.url, attempts=1, **options)

    return reranker


def test_scores_come_in_the_order_of_the_texts(
    server: RerankServer, make: Callable[..., ServerReranker]
) -> None:
    reranker = make()
    assert isinstance(reranker, Reranker)
    assert reranker.score(QUESTION, TEXTS) == [1.0, 0.0, 0.0]
    assert reranker.score(QUESTION, TEXTS[::-1]) == [0.0, 0.0, 1.0]
    assert server.requests[0] == {"query": QUESTION, "documents": TEXTS, "model": "bge-reranker"}
    assert server.paths == ["/v1/rerank"] * 2
    assert reranker.fingerprint == "rerank/bge-reranker"
    assert reranker.score(QUESTION, []) == []
    assert len(server.requests) == 2


def test_the_other_form_is_found_out_once(
    server: RerankServer, make: Callable[..., ServerReranker]
) -> None:
    server.form = "texts"
    reranker = make()
    assert reranker.score(QUESTION, TEXTS) == [1.0, 0.0, 0.0]
    assert reranker.score(QUESTION, TEXTS[:1]) == [1.0]
    assert ["texts" in body for body in server.requests] == [False, True, True]
    assert server.requests[1]["truncate"] is True
    assert server.requests[1]["raw_scores"] is False


def test_logits_become_shares(server: RerankServer, make: Callable[..., ServerReranker]) -> None:
    server.answer = {"results": [{"index": 0, "relevance_score": 0}, {"index": 1, "score": -900}]}
    first, second = make(logits=True).score(QUESTION, TEXTS[:2])
    assert first == 0.5
    assert 0.0 < second < 1e-20
    server.answer = {"results": [{"index": 0, "relevance_score": 4.2}]}
    with pytest.raises(ModelError, match=r"returned 4\.2 for .*a logit x becomes one"):
        as_reranker(make()).score(QUESTION, TEXTS[:1])


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"scores": []}, "no list of results"),
        ({"results": [{"index": 0}]}, "without index and score"),
        ({"results": [0.5]}, "without index and score"),
        ({"results": [{"index": 0, "relevance_score": 0.5}]}, r"numbered \[0\]… \(1 in all\)"),
        ([{"index": at, "score": 0.5} for at in (1, 2, 3)], r"not those from 0 to 2"),
    ],
)
def test_replies_of_another_shape_are_named(
    server: RerankServer, make: Callable[..., ServerReranker], answer: Any, message: str
) -> None:
    server.answer = answer
    with pytest.raises(ModelError, match=message):
        make().score(QUESTION, TEXTS)


def test_a_refusal_for_another_reason_is_told(
    server: RerankServer, make: Callable[..., ServerReranker]
) -> None:
    server.answer, server.status = {"message": "no such model"}, 400
    with pytest.raises(ModelError, match="HTTP 400: no such model"):
        make().score(QUESTION, TEXTS)
    assert len(server.requests) == 1


def test_the_key_is_that_of_rerankers(
    server: RerankServer, make: Callable[..., ServerReranker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "of-openai")
    make().score(QUESTION, TEXTS)
    monkeypatch.setenv("CLEW_RERANKER_KEY", "own")
    make().score(QUESTION, TEXTS)
    make(api_key="given").score(QUESTION, TEXTS)
    assert server.keys == [None, "Bearer own", "Bearer given"]
    assert settings_from_environment(environment={"CLEW_RERANKER_KEY": "k"}) == {}


def test_what_a_server_cannot_take_is_made_sendable(
    server: RerankServer, make: Callable[..., ServerReranker]
) -> None:
    make().score("a\ud800?", ["", "b\udfff"])
    assert server.requests[0]["query"] == "a??"
    assert server.requests[0]["documents"] == [" ", "b?"]


def test_the_configuration_names_a_server(server: RerankServer) -> None:
    config = ClewConfig(reranker_model=f"rerank:bge-reranker@{server.url}", reranker_batch_size=2)
    reranker = default_reranker(config)
    assert reranker is not None
    assert reranker.score(QUESTION, TEXTS) == [1.0, 0.0, 0.0]
    assert [len(body["documents"]) for body in server.requests] == [2, 1]


@pytest.mark.parametrize("text", ["rerank:m", "rerank:@http://h", "rerank:m@host", "rerank:"])
def test_a_server_must_be_named(text: str) -> None:
    with pytest.raises(ConfigError, match=r"write rerank:MODEL@http://HOST:PORT/v1"):
        ClewConfig(reranker_model=text)
    with pytest.raises(ConfigError, match="embedding_model"):
        ClewConfig(embedding_model=text)
