"""Gemini over both of Google's SDKs, against a server on this machine that speaks its protocol.

What every language model promises is tested in ``tests/contract/test_gemini_contract.py``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from clew.errors import (
    ConfigError,
    EmbeddingError,
    MissingExtraError,
    MissingModelError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitError,
)
from clew.models.base import BaseEmbedding, Completion, Embedder, Message
from clew.models.providers.gemini import GeminiLLM
from clew.models.providers.gemini_embedding import GeminiEmbedding
from clew.testing.scripted_server import Reply, Request, ScriptedServer
from clew.testing.wires.gemini import GeminiWire

MakeLLM = Callable[..., GeminiLLM]
KEY = "AIza-of-the-tests"
ASKED = [Message(role="user", content="Where?")]


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        *("GEMINI_API_KEY", "GOOGLE_API_KEY", "CLEW_LLM_KEY", "CLEW_EMBEDDING_KEY"),
        *("GOOGLE_GEMINI_BASE_URL", "GOOGLE_GENAI_API_VERSION"),
    ):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(params=["genai", "generativeai"])
def sdk(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def wire(sdk: str) -> GeminiWire:
    return GeminiWire(sse=sdk == "genai")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def make(server: ScriptedServer, sdk: str) -> MakeLLM:
    def make(**options: Any) -> GeminiLLM:
        return GeminiLLM(**({"api_key": KEY, "base_url": server.url, "sdk": sdk} | options))

    return make


def _body(server: ScriptedServer) -> dict[str, Any]:
    body: dict[str, Any] = server.requests[-1].body
    return body


def test_a_conversation_keeps_its_roles(
    make: MakeLLM, server: ScriptedServer, wire: GeminiWire
) -> None:
    server.script(wire.reply("ok"))
    make().complete(
        [
            Message(role="system", content="Be brief."),
            Message(role="user", content="Hi"),
            Message(role="assistant", content="Hello"),
            Message(role="user", content=""),
        ]
    )
    turns = [(one["role"], one["parts"][0]["text"]) for one in _body(server)["contents"]]
    assert turns == [("user", "Hi"), ("model", "Hello"), ("user", " ")]
    assert _body(server)["systemInstruction"]["parts"] == [{"text": "Be brief."}]
    make().complete([Message(role="system", content="Sing.")])
    assert _body(server)["contents"] == [{"role": "user", "parts": [{"text": "Sing."}]}]
    assert server.requests[-1].path.startswith("/v1beta/models/gemini-2.5-flash:generateContent")


def test_parameters_are_sent_and_named(
    make: MakeLLM, server: ScriptedServer, wire: GeminiWire
) -> None:
    server.script(wire.reply("ok"))
    llm = make(
        model="models/gemini-2.0-flash",
        temperature=0.25,
        top_p=0.5,
        max_tokens=99,
        safety_settings={"HARM_CATEGORY_HARASSMENT": "BLOCK_NONE"},
    )
    llm.complete(ASKED)
    options = _body(server)["generationConfig"]
    assert options == {"temperature": 0.25, "topP": 0.5, "maxOutputTokens": 99}
    assert [(one["category"], one["threshold"]) for one in _body(server)["safetySettings"]] in [
        [("HARM_CATEGORY_HARASSMENT", "BLOCK_NONE")],
        [(7, 4)],
    ]  # by number through the older
    for part in ("gemini-2.0-flash", "temperature=0.25", "top_p=0.5", "max_tokens=99", "BLOCK_N"):
        assert part in llm.fingerprint
    make(model="gemini-2.0-flash", temperature=None).complete(ASKED, max_tokens=3)
    assert _body(server)["generationConfig"] == {"maxOutputTokens": 3}


def _budget(options: dict[str, Any]) -> Any:
    """In either of the forms that Google reads."""
    [budget] = options["thinkingConfig"].values()
    return budget


def test_seed_and_thinking_of_the_newer_sdk(server: ScriptedServer) -> None:
    server.script(GeminiWire().reply("ok"))

    def config(**options: Any) -> dict[str, Any]:
        llm = GeminiLLM("k", base_url=server.url, sdk="genai", temperature=None, **options)
        llm.complete(ASKED)
        return dict(_body(server).get("generationConfig", {}), print=llm.fingerprint)

    plain = config()
    assert _budget(plain) == 0
    assert "thinking_budget=0" in plain["print"]
    assert _budget(config(thinking_budget=-1)) == -1
    assert "thinkingConfig" not in config(model="gemini-2.5-pro")
    assert "thinkingConfig" not in config(model="gemini-2.0-flash")
    seeded = config(seed=7)
    assert seeded["seed"] == 7
    assert "seed=7" in seeded["print"]


def test_what_the_older_sdk_does_not_know_is_said(server: ScriptedServer) -> None:
    server.script(GeminiWire().reply("ok"))
    for options in ({"seed": 7}, {"thinking_budget": 10}):
        llm = GeminiLLM("k", base_url=server.url, sdk="generativeai", **options)  # type: ignore[arg-type]
        with pytest.raises(ConfigError, match=r"no seed .*pip install 'clew\[gemini\]'"):
            llm.complete(ASKED)
    assert server.requests == []


def test_settings_that_mean_nothing_are_no_failure_of_the_server(
    make: MakeLLM, server: ScriptedServer, sdk: str
) -> None:
    with pytest.raises(ConfigError, match=r"gemini-2\.5-flash: .*"):
        make(top_p="much").complete(ASKED)
    assert server.requests == []


def test_thoughts_are_dropped_and_paid_for(server: ScriptedServer) -> None:
    usage = {"promptTokenCount": 5, "candidatesTokenCount": 2, "thoughtsTokenCount": 40}
    parts: list[dict[str, Any]] = [
        {"text": "Hmm, a ferry.", "thought": True},
        {"text": "Nor"},
        {"text": "vik"},
    ]
    server.script(GeminiWire().reply_of(parts, usageMetadata=usage | {"totalTokenCount": 47}))
    completion = GeminiLLM("k", base_url=server.url, sdk="genai").complete(ASKED)
    assert completion.text == "Norvik"
    assert (completion.usage.input_tokens, completion.usage.output_tokens) == (5, 42)
    server.script(GeminiWire().reply_of(parts, usageMetadata=usage))
    assert (
        GeminiLLM("k", base_url=server.url, sdk="genai").complete(ASKED).usage == completion.usage
    )
    server.script(GeminiWire().reply_of(parts, usageMetadata=usage | {"totalTokenCount": 47}))
    older = GeminiLLM("k", base_url=server.url, sdk="generativeai").complete(ASKED)
    assert (older.usage.input_tokens, older.usage.output_tokens) == (5, 42)


def test_a_blocked_prompt_is_a_refusal(
    make: MakeLLM, server: ScriptedServer, wire: GeminiWire
) -> None:
    rating = {"category": "HARM_CATEGORY_HATE_SPEECH", "probability": "HIGH", "blocked": True}
    feedback = {"blockReason": "SAFETY", "safetyRatings": [rating]}
    server.script(Reply.of({"promptFeedback": feedback, "usageMetadata": {"promptTokenCount": 3}}))
    with pytest.raises(ModelRefusedError, match=r"blocks the prompt: SAFETY \(HARM_CATEGORY_HATE"):
        make().complete(ASKED)
    with pytest.raises(ModelRefusedError, match="blocks the prompt"):
        make().complete(ASKED, schema={"type": "object", "properties": {"a": {"type": "string"}}})
    assert len(server.requests) == 2, "the schema is not to blame"
    server.script(wire.chunks([{"promptFeedback": feedback}]))
    with pytest.raises(ModelRefusedError, match="blocks the prompt"):
        list(make().stream(ASKED))


@pytest.mark.parametrize("finish", ["SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST"])
def test_a_reply_that_is_stopped_is_a_refusal(
    make: MakeLLM, server: ScriptedServer, wire: GeminiWire, finish: str
) -> None:
    server.script(wire.reply_of([{"text": "Once"}], finish))
    with pytest.raises(ModelRefusedError, match=f"stopped its reply: {finish}.*safety_settings"):
        make().complete(ASKED)


def test_a_reply_without_reason_for_its_end_may_be_asked_again(
    make: MakeLLM, server: ScriptedServer, wire: GeminiWire
) -> None:
    server.script(wire.reply_of([{"text": "Once"}], "OTHER"))
    with pytest.raises(ModelUnavailableError, match="OTHER"):
        make().complete(ASKED)
    server.script(wire.reply_of([{"text": "Once"}], None))
    with pytest.raises(ModelUnavailableError, match="broke off"):
        make().complete(ASKED)


@pytest.mark.parametrize("listed", [False, True])
def test_retry_info_says_how_long_to_wait(
    make: MakeLLM, server: ScriptedServer, wire: GeminiWire, listed: bool
) -> None:
    quota = {"quotaId": "GenerateRequestsPerDayPerProject", "quotaMetric": "x"}
    details: list[dict[str, Any]] = [
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [quota]},
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"},
    ]
    server.script(
        wire.failure(
            429, "Quota exceeded", details=details, listed=listed, headers={"Retry-After": "9"}
        )
    )
    with pytest.raises(
        RateLimitError, match=r"Quota exceeded \(quota GenerateRequestsPerDay"
    ) as one:
        make().complete(ASKED)
    assert one.value.retry_after_s == 34.5
    with pytest.raises(RateLimitError) as other:
        list(make().stream(ASKED))
    assert other.value.retry_after_s == 34.5
    assert len(server.requests) == 2


@pytest.mark.parametrize("delay", ["soon", 5, None, ""])
def test_a_delay_that_means_nothing_is_none(
    make: MakeLLM, server: ScriptedServer, wire: GeminiWire, delay: Any
) -> None:
    server.script(wire.failure(429, "slow", details=[{"retryDelay": delay}, {"violations": [1]}]))
    with pytest.raises(RateLimitError) as caught:
        make().complete(ASKED)
    assert caught.value.retry_after_s == (5.0 if delay == 5 else None)


def test_a_wrong_key_says_which_variable(
    make: MakeLLM, server: ScriptedServer, wire: GeminiWire
) -> None:
    server.script(wire.failure(400, "API key not valid.", details=[{"reason": "API_KEY_INVALID"}]))
    with pytest.raises(
        ModelRefusedError, match=r"\(GEMINI_API_KEY\) \(is the key set, and the right one"
    ):
        make().complete(ASKED, schema={"type": "object", "properties": {"a": {"type": "string"}}})
    assert len(server.requests) == 1


def test_a_deadline_of_the_server_is_a_timeout(
    make: MakeLLM, server: ScriptedServer, wire: GeminiWire
) -> None:
    server.script(wire.failure(504, "Deadline expired"))
    with pytest.raises(ModelTimeoutError, match="Deadline"):
        make().complete(ASKED)


def test_no_redirect_carries_the_key_away(make: MakeLLM, server: ScriptedServer) -> None:
    with ScriptedServer() as other:
        server.script(Reply(status=307, headers={"Location": other.url}))
        with pytest.raises(ModelRefusedError) as caught:
            make().complete(ASKED)
        assert caught.value.status == 307
        assert other.requests == []


def test_no_proxy_stands_before_this_machine(
    make: MakeLLM, server: ScriptedServer, wire: GeminiWire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    server.script(wire.reply("ok"))
    assert make().generate("Where?") == "ok"


def test_keys_and_the_address_come_from_the_environment(
    server: ScriptedServer, wire: GeminiWire, sdk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script(wire.reply("ok"))
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
    monkeypatch.setenv("GOOGLE_API_KEY", "of-google")
    GeminiLLM(sdk=sdk).complete(ASKED)
    monkeypatch.setenv("GEMINI_API_KEY", "of-gemini")
    GeminiLLM(sdk=sdk).complete(ASKED)
    GeminiLLM(sdk=sdk, base_url=server.url).complete(ASKED)
    monkeypatch.setenv("CLEW_LLM_KEY", "of-this-server")
    GeminiLLM(sdk=sdk, base_url=server.url).complete(ASKED)
    GeminiLLM("given", sdk=sdk).complete(ASKED)
    keys = [request.headers["x-goog-api-key"] for request in server.requests]
    assert keys == ["of-google", "of-gemini", "none", "of-this-server", "given"]


def test_keys_of_embedders_come_from_the_environment(
    server: ScriptedServer, sdk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script(_vectors)
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
    monkeypatch.setenv("CLEW_LLM_KEY", "of-another-server")
    for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY", "CLEW_EMBEDDING_KEY"):
        monkeypatch.setenv(name, name)
        GeminiEmbedding(sdk=sdk).embed(["a"])
        assert server.requests[-1].headers["x-goog-api-key"] == name


def test_the_version_of_the_protocol_comes_from_the_environment(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script(GeminiWire().reply("ok"))
    GeminiLLM("k", base_url=server.url, sdk="genai").complete(ASKED)
    monkeypatch.setenv("GOOGLE_GENAI_API_VERSION", "v1alpha")
    GeminiLLM("k", base_url=server.url, sdk="genai").complete(ASKED)
    versions = [request.path.split("/")[1] for request in server.requests]
    assert versions == ["v1beta", "v1alpha"]


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MissingModelError, match="needs a key: set GEMINI_API_KEY or GOOGLE_API"):
        GeminiLLM()
    with pytest.raises(MissingModelError, match="needs a key"):
        GeminiEmbedding()
    with pytest.raises(ConfigError, match=r"sdk='genia' is not one of genai, gen.*mean 'genai'"):
        GeminiLLM("k", sdk="genia")
    with pytest.raises(ConfigError, match="must be an address"):
        GeminiLLM("k", base_url="file:///etc/passwd")
    with pytest.raises(ConfigError, match="names no model"):
        GeminiLLM("k", "models/")
    monkeypatch.setitem(sys.modules, "google.genai", None)
    monkeypatch.setitem(sys.modules, "google.ai.generativelanguage", None)
    for options in ({}, {"sdk": "genai"}):
        with pytest.raises(MissingExtraError, match=r"pip install 'clew\[gemini\]'"):
            GeminiLLM("k", **options)  # type: ignore[arg-type]
    with pytest.raises(MissingExtraError, match=r"pip install 'clew\[gemini-legacy\]'"):
        GeminiEmbedding("k", sdk="generativeai")


def test_the_sdk_that_is_installed_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert GeminiLLM("k").client.sdk == "genai"
    monkeypatch.setitem(sys.modules, "google.genai", None)
    assert GeminiLLM("k").client.sdk == "generativeai"
    assert GeminiEmbedding("k").client.sdk == "generativeai"


def test_a_schema_is_sent_in_the_dialect_of_gemini(
    make: MakeLLM, server: ScriptedServer, wire: GeminiWire, sdk: str
) -> None:
    schema = {
        "type": "object",
        "properties": {
            "kind": {"enum": ["relation", "event"], "type": "string"},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "units": {"type": "array", "items": {"$ref": "#/$defs/Unit"}},
        },
        "required": ["kind"],
        "additionalProperties": False,
        "$defs": {"Unit": {"type": "object", "properties": {"n": {"type": "integer"}}}},
    }
    server.script(wire.reply("{}"))
    make().complete(ASKED, schema=schema)
    options = _body(server)["generationConfig"]
    assert options["responseMimeType"] == "application/json"
    sent = options["responseSchema"]
    assert set(sent["properties"]) == {"kind", "note", "units"}
    assert sent["required"] == ["kind"]
    assert sent["properties"]["kind"]["enum"] == ["relation", "event"]
    assert sent["properties"]["note"]["nullable"] is True
    types = {"STRING": 1, "INTEGER": 3, "ARRAY": 5, "OBJECT": 6}  # the older SDK sends numbers
    unit = sent["properties"]["units"]["items"]
    for given, name in ((sent, "OBJECT"), (unit, "OBJECT"), (unit["properties"]["n"], "INTEGER")):
        assert given["type"] in {name, types[name]}


def test_what_the_dialect_cannot_say_is_said_in_the_prompt(
    make: MakeLLM, server: ScriptedServer, wire: GeminiWire
) -> None:
    server.script(wire.reply("{}"))
    make().complete(ASKED, schema={"type": "object", "additionalProperties": {"type": "string"}})
    options = _body(server)["generationConfig"]
    assert options["responseMimeType"] == "application/json"
    assert "responseSchema" not in options
    assert "additionalProperties" in wire.asked(server.requests[-1]).user


def test_a_failure_in_the_middle_of_a_stream(server: ScriptedServer) -> None:
    error = {"error": {"code": 503, "message": "The model is overloaded", "status": "UNAVAILABLE"}}
    piece = {"candidates": [{"content": {"parts": [{"text": "Nor"}]}}]}
    server.script(GeminiWire().chunks([piece, error]))
    stream = GeminiLLM("k", base_url=server.url, sdk="genai").stream(ASKED)
    assert next(stream) == "Nor"
    with pytest.raises(ModelUnavailableError, match="gemini-2"):
        next(stream)


def test_a_stream_in_which_only_thoughts_come_says_nothing_of_them(server: ScriptedServer) -> None:
    def chunk(*parts: dict[str, Any], **fields: Any) -> dict[str, Any]:
        return {"candidates": [{"content": {"parts": list(parts)}} | fields]}

    server.script(
        GeminiWire().chunks(
            [
                chunk({"text": "Hmm", "thought": True}),
                chunk({"text": "Norvik"}),
                chunk(finishReason="STOP"),
            ]
        )
    )
    llm = GeminiLLM("k", base_url=server.url, sdk="genai")
    pieces = list(llm.stream(ASKED))
    assert pieces[:-1] == ["Norvik"]
    assert isinstance(pieces[-1], Completion)
    assert pieces[-1].text == "Norvik"


# --- embeddings -----------------------------------------------------------------------------------


@pytest.fixture
def make_embedder(server: ScriptedServer, sdk: str) -> Callable[..., GeminiEmbedding]:
    def make(**options: Any) -> GeminiEmbedding:
        return GeminiEmbedding(**({"api_key": KEY, "base_url": server.url, "sdk": sdk} | options))

    return make


def _vectors(request: Request) -> Reply:
    rows = [
        [float(len(one["content"]["parts"][0]["text"])), 1.0, -2.0, 0.5][
            : one.get("outputDimensionality")
        ]
        for one in request.body["requests"]
    ]
    return GeminiWire().embeddings(rows)


def test_vectors_come_in_order_by_hundreds_and_of_length_one(
    make_embedder: Callable[..., GeminiEmbedding], server: ScriptedServer
) -> None:
    server.script(_vectors)
    embedder = make_embedder()
    texts = [f"mill {'x' * number}" for number in range(230)]
    vectors = embedder.embed(texts)
    assert vectors.dtype == np.float32
    expected = np.array([[len(text), 1.0, -2.0, 0.5] for text in texts])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(vectors, expected, atol=1e-6)
    assert [len(request.body["requests"]) for request in server.requests] == [100, 100, 30]
    request = server.requests[0]
    assert request.path.startswith("/v1beta/models/gemini-embedding-001:batchEmbedContents")
    assert request.headers["x-goog-api-key"] == KEY
    assert {one["model"] for one in request.body["requests"]} == {"models/gemini-embedding-001"}
    assert isinstance(embedder, Embedder)
    assert isinstance(embedder, BaseEmbedding)
    assert embedder.dimensions == 4


def _tasks(server: ScriptedServer) -> set[Any]:
    return {one["taskType"] for one in server.requests[-1].body["requests"]}


def test_questions_and_passages_are_embedded_in_their_ways(
    make_embedder: Callable[..., GeminiEmbedding], server: ScriptedServer
) -> None:
    server.script(_vectors)
    embedder = make_embedder()
    embedder.embed(["a"], kind="query")
    assert _tasks(server) in ({"RETRIEVAL_QUERY"}, {1})
    embedder.embed(["a"])
    assert _tasks(server) in ({"RETRIEVAL_DOCUMENT"}, {2})
    one = embedder.embed_text("a")
    assert _tasks(server) in ({"RETRIEVAL_QUERY"}, {1})
    assert embedder.embed_batch(["a"])[0] == one
    assert _tasks(server) in ({"RETRIEVAL_DOCUMENT"}, {2})
    other = make_embedder(query_task="QUESTION_ANSWERING", document_task="SEMANTIC_SIMILARITY")
    other.embed(["a"], kind="query")
    assert _tasks(server) in ({"QUESTION_ANSWERING"}, {6})
    other.embed(["a"])
    assert _tasks(server) in ({"SEMANTIC_SIMILARITY"}, {3})
    assert embedder.fingerprint == "gemini/gemini-embedding-001"
    assert "query=QUESTION_ANSWERING" in other.fingerprint


def test_shorter_vectors_are_asked_for_and_scaled(
    make_embedder: Callable[..., GeminiEmbedding], server: ScriptedServer
) -> None:
    server.script(_vectors)
    embedder = make_embedder(dimensions=2, model="models/gemini-embedding-001")
    assert embedder.dimensions == 2
    assert server.requests == []
    vectors = embedder.embed(["a mill"])
    assert server.requests[0].body["requests"][0]["outputDimensionality"] == 2
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    assert embedder.fingerprint == "gemini/gemini-embedding-001/dimensions=2"
    assert embedder.embed([]).shape == (0, 2)


def test_texts_of_a_model_that_reads_pictures_stay_apart(server: ScriptedServer) -> None:
    server.script(_vectors)
    embedder = GeminiEmbedding("k", "gemini-embedding-2", base_url=server.url, sdk="genai")
    assert embedder.embed(["one", "two", ""]).shape == (3, 4)
    texts = [one["content"]["parts"] for one in server.requests[0].body["requests"]]
    assert texts == [[{"text": "one"}], [{"text": "two"}], [{"text": " "}]]


@pytest.mark.parametrize("rows", [[], [[1.0, 2.0]], [[1.0], [1.0, 2.0]], [[1.0], []]])
def test_replies_of_another_count_or_shape_are_named(
    make_embedder: Callable[..., GeminiEmbedding], server: ScriptedServer, rows: Any
) -> None:
    server.script(GeminiWire().embeddings(rows))
    with pytest.raises(EmbeddingError, match="gemini-embedding-001"):
        make_embedder(dimensions=2).embed(["a", "b"])


def test_failures_of_embeddings_are_those_of_replies(
    make_embedder: Callable[..., GeminiEmbedding],
    server: ScriptedServer,
    wire: GeminiWire,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server.script(wire.failure(429, "slow", headers={"Retry-After": "4"}))
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    with pytest.raises(RateLimitError) as caught:
        make_embedder().embed(["a"])
    assert caught.value.retry_after_s == 4.0
    assert waits == [4.0] * 5
    with pytest.raises(RateLimitError):
        make_embedder(attempts=1).embed(["a"])
    assert len(server.requests) == 7
    server.script(wire.failure(404, "no such model"))
    with pytest.raises(ModelRefusedError, match="no such model"):
        make_embedder().embed(["a"])
    server.script(Reply(body=b"{"))
    with pytest.raises(ModelUnavailableError, match="broke off or is none"):
        make_embedder().embed(["a"])


def test_no_key_of_an_embedder_is_shown(
    make_embedder: Callable[..., GeminiEmbedding], server: ScriptedServer, wire: GeminiWire
) -> None:
    embedder = make_embedder(api_key="hidden-thing")
    assert "hidden-thing" not in f"{embedder!r} {vars(embedder)}"
    server.script(wire.failure(403, "hidden-thing may not"))
    with pytest.raises(ModelRefusedError) as caught:
        embedder.embed(["a"])
    assert "hidden-thing" not in str(caught.value)
