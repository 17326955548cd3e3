"""A language model that a setting names, from the command line to the server and back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.models.base import Message
from clew.testing import TellingLLM
from clew.testing.scripted_server import Reply, Request, ScriptedServer
from clew.testing.wires.openai import OpenAIWire

WIRE = OpenAIWire()
TEXT = "Norr Works was founded by Greta Lind in Sundby. Tveit Yard was bought by Norr Works.\n"
KEY = "sk-of-this-server"


def clew(*arguments: str, cwd: Path, **environment: str) -> Any:
    inherited = {name: value for name, value in os.environ.items() if "_API_KEY" not in name}
    return subprocess.run(
        [sys.executable, "-m", "clew", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**inherited, "NO_COLOR": "1", "COLUMNS": "100", **environment},
        timeout=120,
        check=False,
    )


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    telling = TellingLLM()

    def answer(request: Request) -> Reply:
        prompt = Message(role="user", content=WIRE.asked(request).user)
        return WIRE.reply(telling.complete([prompt]).text)

    with ScriptedServer() as server:
        server.script(answer)
        yield server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "yard.txt").write_text(TEXT, encoding="utf-8")
    return tmp_path


def _ingested(folder: Path, *arguments: str, **environment: str) -> Any:
    done = clew("ingest", "yard.txt", "--json", *arguments, cwd=folder, **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_model_is_named_on_the_command_line(folder: Path, server: ScriptedServer) -> None:
    model = f"llm_model=openai:small-1@{server.url}/v1"
    report = _ingested(folder, "--set", model, "--set", "llm_seed=7", CLEW_LLM_KEY=KEY)
    assert report["method"] == "llm"
    assert report["usage"]["calls"] == len(server.requests) >= 1
    request = server.requests[0]
    assert request.path == "/v1/chat/completions"
    assert (request.body["model"], request.body["seed"]) == ("small-1", 7)
    asked = WIRE.asked(request)
    assert asked.key == KEY
    assert asked.schema
    assert "Greta Lind" in asked.user
    found = clew("search", "Who founded Norr Works?", "--json", "--set", model, cwd=folder)
    assert json.loads(found.stdout)["items"][0]["doc_id"] == "yard.txt"


def test_a_model_is_named_in_the_environment(folder: Path, server: ScriptedServer) -> None:
    report = _ingested(folder, CLEW_LLM_MODEL=f"openai:small-1@{server.url}/v1")
    assert report["method"] == "llm"
    assert server.requests[0].body["model"] == "small-1"


def test_a_model_is_named_in_a_file(folder: Path, server: ScriptedServer) -> None:
    settings = {"llm_model": f"openai:small-1@{server.url}/v1", "llm_temperature": 0.5}
    (folder / "clew.json").write_text(json.dumps(settings), encoding="utf-8")
    report = _ingested(folder, "--config", "clew.json")
    assert report["method"] == "llm"
    assert server.requests[0].body["temperature"] == 0.5


def test_a_method_without_a_model_asks_none(folder: Path) -> None:
    report = _ingested(
        folder, "--set", "llm_model=openai:small-1", "--set", "ku_extraction_method=sentence"
    )
    assert report["method"] == "sentence"


@pytest.mark.parametrize(
    ("model", "said", "status"),
    [
        ("openai:small-1", "set OPENAI_API_KEY", 1),
        ("gpt-4o-mini", "did you mean 'openai:gpt-4o-mini'?", 2),
        ("opnai:gpt-4o-mini", "did you mean 'openai'?", 2),
    ],
)
def test_what_is_wrong_is_said_with_its_remedy(
    folder: Path, model: str, said: str, status: int
) -> None:
    done = clew("ingest", "yard.txt", "--set", f"llm_model={model}", cwd=folder)
    assert done.returncode == status, done.stderr
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_wrong_key_is_told_and_not_shown(folder: Path, server: ScriptedServer) -> None:
    server.script(WIRE.failure(401, f"Incorrect API key provided: {KEY}"))
    done = clew(
        "ingest", "yard.txt", "--json",
        "--set", f"llm_model=openai:small-1@{server.url}/v1",
        cwd=folder, CLEW_LLM_KEY=KEY,
    )  # fmt: skip
    assert done.returncode == 3, "indexed by sentences all the same"
    assert "is the key set, and the right one?" in done.stdout
    assert KEY not in done.stdout + done.stderr
    assert len(server.requests) == 1
