"""clew over HTTP: what is asked, what is refused, and the real server on this machine."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from clew.chunking.registry import STRATEGIES
from clew.server.application import make_app

TEXT = "# Orm Mill\n\n" + "The mill grinds corn. It stands at the brook.\n\n" * 30


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(make_app(most_bytes=20_000)) as client:
        yield client


def test_a_text_is_chunked(client: TestClient) -> None:
    answer = client.post("/chunk", json={"text": TEXT, "document_id": "mill", "chunk_size": 300})
    assert answer.status_code == 200
    result = answer.json()
    assert result["document_id"] == "mill"
    assert result["strategy_name"] in STRATEGIES
    assert len(result["chunks"]) > 3
    for chunk in result["chunks"]:
        assert TEXT[chunk["start"] : chunk["end"]] == chunk["text"]
        assert len(chunk["text"]) <= 300
    assert "candidates" not in result


def test_candidates_are_told_on_request(client: TestClient) -> None:
    asked = {"text": TEXT, "strategies": ["sentence", "fixed-window"], "include_candidates": True}
    result = client.post("/chunk", json=asked).json()
    names = {candidate["strategy_name"] for candidate in result["candidates"]}
    assert names == {"sentence", "fixed-window"}
    assert all(candidate["metrics"] for candidate in result["candidates"])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "text"),
        ({"text": TEXT, "strategies": ["sentences"]}, "sentences"),
        ({"text": TEXT, "chunk_size": 0}, "chunk_size"),
        ({"text": TEXT, "chunk_size": 100, "chunk_overlap": 100}, "chunk_overlap"),
        ({"text": TEXT, "weights": "mine"}, "weights"),
        ({"text": TEXT, "strategy": "sentence"}, "strategy"),
    ],
)
def test_what_cannot_be_done_is_said(client: TestClient, asked: dict[str, Any], said: str) -> None:
    answer = client.post("/chunk", json=asked)
    assert answer.status_code == 422
    assert said in json.dumps(answer.json()["detail"])


def test_a_body_that_is_no_json(client: TestClient) -> None:
    answer = client.post("/chunk", content=b"{", headers={"content-type": "application/json"})
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b'{"text": "a \\ud800 b"}', 422, "character 2 is half a surrogate pair"),
        (b'{"text": "a", "document_id": "\\udfff"}', 422, "document_id"),
        (b'{"text": "a", "\\ud800": "\\ud800"}', 422, "valid string"),
        (b'{"text": "a", "strategies": ["\\ud800"]}', 422, "is not one of"),
        (b'{"text": "a", "chunk_size": NaN}', 422, "chunk_size"),
        (b'{"text": "a", "chunk_size": 1e999}', 422, "chunk_size"),
        (b'{"text": "a", "chunk_size": ' + b"9" * 5000 + b"}", 400, "parsing"),
        (b'{"text": "\xff"}', 400, "parsing"),
        (b"[" * 10_000, 400, "parsing"),
    ],
)
def test_strange_requests_are_refused_and_break_nothing(
    client: TestClient, body: bytes, status: int, said: str
) -> None:
    answer = client.post("/chunk", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == status
    assert said in json.dumps(answer.json()["detail"])


def test_what_is_refused_is_not_sent_back(client: TestClient) -> None:
    answer = client.post("/chunk", json={"text": TEXT, "texts": TEXT})
    assert answer.status_code == 422
    assert "grinds" not in answer.text


def test_a_large_request_is_refused_whatever_it_says_of_its_length(client: TestClient) -> None:
    announced = client.post("/chunk", json={"text": "x" * 30_000})
    assert announced.status_code == 413
    assert "20,000 bytes" in announced.json()["detail"]

    def parts() -> Iterator[bytes]:
        yield b'{"text": "'
        for _ in range(30):
            yield b"x" * 1000
        yield b'"}'

    unannounced = client.post("/chunk", content=parts())
    assert unannounced.status_code == 413


def test_an_empty_text_has_no_chunks(client: TestClient) -> None:
    assert client.post("/chunk", json={"text": " \n"}).json()["chunks"] == []


def test_the_strategies_are_listed(client: TestClient) -> None:
    listed = client.get("/strategies").json()["strategies"]
    assert [item["name"] for item in listed][: len(STRATEGIES)] == list(STRATEGIES)
    assert all(item["summary"] for item in listed)
    assert client.get("/health").json()["status"] == "ok"


def test_the_command_serves() -> None:
    command = [sys.executable, "-m", "clew", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        address = next(
            line.split("running on ")[1].split()[0]
            for line in server.stderr
            if "running on http://127.0.0.1" in line
        )
        request = urllib.request.Request(
            f"{address}/chunk",
            json.dumps({"text": TEXT}).encode(),
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            assert json.load(answer)["chunks"]
        assert httpx.get(f"{address}/strategies").status_code == 200
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=30) in {0, 130}
