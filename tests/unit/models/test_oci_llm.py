"""Language models of OCI Generative AI: the real SDK against a server on this machine.

What every language model promises is tested in ``tests/contract/test_oci_contract.py``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.errors import (
    ConfigError,
    MissingExtraError,
    MissingModelError,
    ModelRefusedError,
    ModelUnavailableError,
)
from clew.models import OCIGenAILLM
from clew.models.base import Completion, Message
from clew.testing.scripted_server import Reply, Request, ScriptedServer
from clew.testing.wires.oci import OCICohereWire, OCIWire, write_configuration

COMPARTMENT = "ocid1.compartment.oc1..mill"
ASKED = [
    Message(role="system", content="Be brief."),
    Message(role="user", content="Hi"),
    Message(role="assistant", content="Hello"),
    Message(role="user", content="Where?"),
]
SCHEMA = {"type": "object", "properties": {"units": {"type": "array"}}, "required": ["units"]}


@pytest.fixture(scope="module")
def config_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_configuration(tmp_path_factory.mktemp("oci"))


@pytest.fixture(autouse=True)
def _access(config_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OCI_CONFIG_FILE", str(config_file))
    monkeypatch.delenv("OCI_CONFIG_PROFILE", raising=False)
    monkeypatch.setenv("OCI_COMPARTMENT_ID", COMPARTMENT)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.script(OCIWire().reply("ok"))
        yield server


def _chat(server: ScriptedServer) -> dict[str, Any]:
    chat: dict[str, Any] = server.requests[-1].body["chatRequest"]
    return chat


def test_most_models_share_a_form(server: ScriptedServer) -> None:
    llm = OCIGenAILLM(base_url=server.url, seed=7, max_tokens=99, options={"top_p": 0.5})
    assert llm.complete(ASKED).text == "ok"
    request = server.requests[0]
    assert request.path.endswith("/actions/chat")
    assert request.headers["authorization"].startswith("Signature ")
    assert request.body["compartmentId"] == COMPARTMENT
    assert request.body["servingMode"] == {
        "servingType": "ON_DEMAND",
        "modelId": "meta.llama-3.3-70b-instruct",
    }
    chat = _chat(server)
    roles = [(one["role"], one["content"][0]["text"]) for one in chat["messages"]]
    assert roles == [
        ("SYSTEM", "Be brief."),
        ("USER", "Hi"),
        ("ASSISTANT", "Hello"),
        ("USER", "Where?"),
    ]
    assert chat["apiFormat"] == "GENERIC"
    sent = {name: chat[name] for name in ("temperature", "seed", "maxTokens", "topP")}
    assert sent == {"temperature": 0.0, "seed": 7, "maxTokens": 99, "topP": 0.5}
    for part in ("meta.llama", "temperature=0.0", "seed=7", "max_tokens=99", "top_p=0.5"):
        assert part in llm.fingerprint
    OCIGenAILLM(base_url=server.url, temperature=None).complete(ASKED)
    assert "temperature" not in _chat(server)


def test_models_of_cohere_have_their_own(server: ScriptedServer) -> None:
    server.script(OCICohereWire().reply("ok"))
    llm = OCIGenAILLM(model="cohere.command-r-plus", base_url=server.url)
    assert llm.complete(ASKED, schema=SCHEMA).text == "ok"
    chat = _chat(server)
    assert chat["apiFormat"] == "COHERE"
    assert (chat["preambleOverride"], chat["message"]) == ("Be brief.", "Where?")
    assert chat["chatHistory"] == [
        {"role": "USER", "message": "Hi"},
        {"role": "CHATBOT", "message": "Hello"},
    ]
    assert chat["responseFormat"] == {"type": "JSON_OBJECT", "schema": SCHEMA}
    llm.complete([Message(role="system", content="Sing.")])
    assert _chat(server)["message"] == "Sing."


def test_a_schema_is_told_and_conceded(server: ScriptedServer) -> None:
    forms: list[str] = []

    def answer(request: Request) -> Reply:
        form = request.body["chatRequest"].get("responseFormat", {}).get("type", "none")
        forms.append(form)
        if form != "none":
            return OCIWire().failure(400, f"responseFormat {form} is not supported")
        return OCIWire().reply("{}")

    server.script(answer)
    llm = OCIGenAILLM(base_url=server.url)
    for _ in range(2):
        assert llm.complete(ASKED, schema=SCHEMA).text == "{}"
    assert forms == ["JSON_SCHEMA", "JSON_OBJECT", "none", "none"]
    assert "units" in OCIWire().asked(server.requests[-1]).user


def test_what_a_model_does_not_take_is_found_out(server: ScriptedServer) -> None:
    def answer(request: Request) -> Reply:
        if "maxTokens" in request.body["chatRequest"]:
            return OCIWire().failure(400, "Unsupported parameter: 'max_tokens'")
        for name in ("temperature", "seed"):
            if name in request.body["chatRequest"]:
                return OCIWire().failure(400, f"Unsupported value: '{name}'")
        return OCIWire().reply("ok")

    server.script(answer)
    llm = OCIGenAILLM(model="openai.gpt-5", base_url=server.url, seed=7)
    assert llm.complete(ASKED, max_tokens=9).text == "ok"
    assert _chat(server)["maxCompletionTokens"] == 9
    assert not {"temperature", "seed"} & set(_chat(server))
    assert len(server.requests) == 4
    llm.complete(ASKED, max_tokens=9)
    assert len(server.requests) == 5, "what was conceded is remembered"


def test_a_stream_leaves_out_what_a_model_does_not_take(server: ScriptedServer) -> None:
    def answer(request: Request) -> Reply:
        if "temperature" in request.body["chatRequest"]:
            return OCIWire().failure(400, "Unsupported value: 'temperature'")
        return OCIWire().streamed(["Nor", "vik"])

    server.script(answer)
    *pieces, last = OCIGenAILLM(base_url=server.url).stream(ASKED)
    assert pieces == ["Nor", "vik"]
    assert isinstance(last, Completion)
    assert last.text == "Norvik"


def test_a_model_that_does_not_stream_gives_its_reply_in_one_piece(server: ScriptedServer) -> None:
    pieces = list(OCIGenAILLM(base_url=server.url).stream(ASKED))
    assert pieces[0] == "ok"
    assert isinstance(pieces[1], Completion)
    server.script(Reply(body=b"<html>", headers={"Content-Type": "text/html"}))
    with pytest.raises(ModelUnavailableError):
        list(OCIGenAILLM(base_url=server.url).stream(ASKED))


def test_a_dedicated_model(server: ScriptedServer) -> None:
    llm = OCIGenAILLM(endpoint_id="ocid1.endpoint.oc1..x", base_url=server.url)
    llm.complete(ASKED)
    assert server.requests[0].body["servingMode"] == {
        "servingType": "DEDICATED",
        "endpointId": "ocid1.endpoint.oc1..x",
    }
    assert "ocid1.endpoint" in llm.fingerprint


def test_a_reply_that_is_stopped_is_a_refusal(server: ScriptedServer) -> None:
    server.script(OCIWire().reply_of([{"type": "TEXT", "text": "On"}], "content_filter"))
    with pytest.raises(ModelRefusedError, match="stopped its reply: content_filter"):
        OCIGenAILLM(base_url=server.url).complete(ASKED)
    server.script(
        OCICohereWire().reply_with(text="", finishReason="ERROR_TOXIC", errorMessage="no")
    )
    with pytest.raises(ModelRefusedError, match="ERROR_TOXIC no"):
        OCIGenAILLM(model="cohere.command-r", base_url=server.url).complete(ASKED)
    server.script(OCIWire().reply_of([], None))
    with pytest.raises(ModelUnavailableError, match="broke off"):
        OCIGenAILLM(base_url=server.url).complete(ASKED)


def test_a_refusal_says_what_to_do(server: ScriptedServer) -> None:
    server.script(OCIWire().failure(404, "Authorization failed or requested resource not found"))
    with pytest.raises(ModelRefusedError, match=r"oci:meta.*check the names; without permission"):
        OCIGenAILLM(base_url=server.url).complete(ASKED)


def test_what_is_missing_or_wrong_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match=r"api_format='coher' is not .*mean 'cohere'"):
        OCIGenAILLM(api_format="coher")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="nonsense"):
        OCIGenAILLM(options={"nonsense": 1}).complete(ASKED)
    monkeypatch.delenv("OCI_COMPARTMENT_ID")
    with pytest.raises(MissingModelError, match="set OCI_COMPARTMENT_ID"):
        OCIGenAILLM()
    monkeypatch.setitem(sys.modules, "oci", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'clew\[oci\]'"):
        OCIGenAILLM(COMPARTMENT)
