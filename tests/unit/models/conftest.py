"""A model server on this machine that speaks the protocol of OpenAI's embeddings."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from clew.testing import FakeEmbedder


@dataclass
class Fault:
    """What the server says instead of an answer; ``body`` None hangs up half way."""

    status: int = 500
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


class EmbeddingServer(ThreadingHTTPServer):
    """Gives the vectors of a :class:`FakeEmbedder`, in reverse order, after the ``faults``.
    ``requests`` holds the bodies that came, ``keys`` the authorisations.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.embedder = FakeEmbedder()
        self.faults: list[Fault] = []
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.paths: list[str] = []
        self.most_texts = 1000
        self.in_base64 = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: EmbeddingServer

    def do_POST(self) -> None:
        server = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server.requests.append(body)
        server.keys.append(self.headers.get("Authorization"))
        server.paths.append(self.path)
        if server.faults:
            self._fail(server.faults.pop(0))
        elif len(body["input"]) > server.most_texts:
            message = f"batch size {len(body['input'])} > maximum {server.most_texts}"
            self._reply(422, {"error": message, "error_type": "Validation"})
        else:
            self._reply(200, self._embeddings(body))

    def _embeddings(self, body: Mapping[str, Any]) -> dict[str, Any]:
        vectors = 3 * self.server.embedder.embed(body["input"])[:, : body.get("dimensions")]
        data = [
            {"object": "embedding", "index": index, "embedding": self._form(vector)}
            for index, vector in enumerate(vectors)
        ]
        return {"object": "list", "data": data[::-1], "model": body["model"], "usage": {}}

    def _form(self, vector: Any) -> Any:
        if self.server.in_base64:
            return base64.b64encode(vector.astype(np.float32).tobytes()).decode()
        return vector.tolist()

    def _fail(self, fault: Fault) -> None:
        if fault.body is None:
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"data": [')
            return
        self._reply(fault.status, fault.body, fault.headers)

    def _reply(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def fault() -> Callable[..., Fault]:
    """Make a fault; headers are written with underscores."""

    def make(status: int = 500, body: Any = None, **headers: str) -> Fault:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return Fault(status=status, body=body, headers=named)

    return make


@pytest.fixture
def embedding_server() -> Iterator[EmbeddingServer]:
    server = EmbeddingServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()
