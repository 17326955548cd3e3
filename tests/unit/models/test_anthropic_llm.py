"""Messages of Anthropic, over a real connection with the real SDK."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from clew.errors import ModelError, ModelRefusedError, ModelUnavailableError, RateLimitError
from clew.models import AnthropicLLM
from clew.models.base import Completion, Message
from clew.testing.scripted_server import Reply, Request, ScriptedServer
from clew.testing.wires.anthropic import AnthropicWire

WIRE = AnthropicWire()
QUESTION = [Message(role="user", content="Which mills?")]
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"mills": {"type": "array", "items": {"type": "string"}}},
    "required": ["mills"],
}


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.script(WIRE.reply("Askvik"))
        yield server


@pytest.fixture
def llm(server: ScriptedServer) -> AnthropicLLM:
    return AnthropicLLM("k", "m", base_url=server.url)


def _refusing(is_refused: Callable[[dict[str, Any]], bool], message: str, reply: Reply) -> Any:
    def answer(request: Request) -> Reply:
        return WIRE.failure(400, message) if is_refused(request.body) else reply

    return answer


def test_there_is_always_a_limit(llm: AnthropicLLM, server: ScriptedServer) -> None:
    llm.complete(QUESTION)
    AnthropicLLM("k", "m", base_url=server.url, max_tokens=99).complete(QUESTION)
    AnthropicLLM("k", "m", base_url=server.url, max_tokens=99).complete(QUESTION, max_tokens=9)
    assert [request.body["max_tokens"] for request in server.requests] == [4096, 99, 9]


def test_the_fingerprint_names_what_is_not_usual(server: ScriptedServer) -> None:
    assert AnthropicLLM("k").fingerprint == "anthropic/claude-haiku-4-5/temperature=0.0"
    other = AnthropicLLM("k", temperature=None, max_tokens=99, options={"top_k": 1})
    assert other.fingerprint == 'anthropic/claude-haiku-4-5/max_tokens=99/options={"top_k": 1}'
    assert server.url in AnthropicLLM("k", base_url=server.url).fingerprint


def test_options_are_sent_along(server: ScriptedServer) -> None:
    llm = AnthropicLLM("k", "m", base_url=server.url, options={"top_k": 3, "metadata": {"a": "b"}})
    llm.complete(QUESTION)
    body = server.requests[0].body
    assert (body["top_k"], body["metadata"]) == (3, {"a": "b"})


def test_a_schema_is_the_format_of_the_output(llm: AnthropicLLM, server: ScriptedServer) -> None:
    llm.complete(QUESTION, schema=SCHEMA)
    assert server.requests[0].body["output_config"] == {
        "format": {"type": "json_schema", "schema": SCHEMA | {"additionalProperties": False}}
    }


def test_a_model_without_formats_calls_a_tool(llm: AnthropicLLM, server: ScriptedServer) -> None:
    called = {"type": "tool_use", "id": "t", "name": "reply", "input": {"mills": ["Ås"]}}
    server.script(
        _refusing(
            lambda body: "output_config" in body,
            "output_config: Extra inputs are not permitted",
            WIRE.reply_of([called], "tool_use"),
        )
    )
    for _ in range(2):
        completion = llm.complete(QUESTION, schema=SCHEMA)
        assert json.loads(completion.text) == {"mills": ["Ås"]}
        assert not completion.truncated
    assert len(server.requests) == 3
    last = server.requests[-1].body
    assert last["tool_choice"] == {"type": "tool", "name": "reply"}
    assert last["tools"][0]["input_schema"] == SCHEMA


def test_a_model_without_tools_reads_the_schema(llm: AnthropicLLM, server: ScriptedServer) -> None:
    def formal(body: dict[str, Any]) -> bool:
        return "output_config" in body or "tools" in body

    server.script(_refusing(formal, "not supported", WIRE.reply('{"mills": []}')))
    assert llm.complete(QUESTION, schema=SCHEMA).text == '{"mills": []}'
    assert json.dumps(SCHEMA) in server.requests[-1].body["messages"][0]["content"]


def test_turns_alternate_and_none_is_empty(llm: AnthropicLLM, server: ScriptedServer) -> None:
    said = [
        ("system", "Be brief."),
        ("user", "First"),
        ("user", " "),
        ("user", "second"),
        ("assistant", "Yes"),
        ("system", "Be kind."),
        ("user", "third"),
    ]
    llm.complete([Message(role=role, content=text) for role, text in said])  # type: ignore[arg-type]
    body = server.requests[0].body
    assert body["system"] == "Be brief.\n\nBe kind."
    assert body["messages"] == [
        {"role": "user", "content": "First\n\nsecond"},
        {"role": "assistant", "content": "Yes"},
        {"role": "user", "content": "third"},
    ]


def test_somebody_always_speaks_first(llm: AnthropicLLM, server: ScriptedServer) -> None:
    llm.complete([Message(role="system", content="Say a mill.")])
    llm.complete([Message(role="assistant", content="Well")])
    alone, answered = (request.body for request in server.requests)
    assert "system" not in alone
    assert alone["messages"] == [{"role": "user", "content": "Say a mill."}]
    assert [turn["role"] for turn in answered["messages"]] == ["user", "assistant"]


def test_a_model_without_a_temperature_is_asked_without(
    llm: AnthropicLLM, server: ScriptedServer
) -> None:
    message = "temperature: this model does not support sampling parameters"
    answer = _refusing(lambda body: "temperature" in body, message, WIRE.reply("Askvik"))
    server.script(answer)
    for _ in range(2):
        assert llm.complete(QUESTION).text == "Askvik"
    assert len(server.requests) == 3
    warm = AnthropicLLM("k", "m", base_url=server.url, temperature=0.5)
    with pytest.raises(ModelRefusedError, match="does not support sampling"):
        warm.complete(QUESTION)


def test_tokens_of_the_cache_are_among_those_of_the_prompt(
    llm: AnthropicLLM, server: ScriptedServer
) -> None:
    tokens = {
        "input_tokens": 3,
        "cache_creation_input_tokens": 5,
        "cache_read_input_tokens": 7,
        "output_tokens": 2,
    }
    server.script(WIRE.reply_of([{"type": "text", "text": "x"}], "end_turn", usage=tokens))
    usage = llm.complete(QUESTION).usage
    assert (usage.input_tokens, usage.output_tokens) == (15, 2)


def test_thoughts_are_no_part_of_the_reply(llm: AnthropicLLM, server: ScriptedServer) -> None:
    thought = {"type": "thinking", "thinking": "mills…", "signature": "s"}
    server.script(WIRE.reply_of([thought, {"type": "text", "text": "Askvik"}], "end_turn"))
    assert llm.complete(QUESTION).text == "Askvik"


@pytest.mark.parametrize("stop", ["max_tokens", "model_context_window_exceeded"])
def test_both_limits_cut(llm: AnthropicLLM, server: ScriptedServer, stop: str) -> None:
    server.script(WIRE.reply_of([{"type": "text", "text": "Ask"}], stop))
    assert llm.complete(QUESTION).truncated


def test_a_refusal_is_one(llm: AnthropicLLM, server: ScriptedServer) -> None:
    server.script(WIRE.reply_of([], "refusal"))
    with pytest.raises(ModelRefusedError, match="refuses to reply"):
        llm.complete(QUESTION)


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("overloaded_error", ModelUnavailableError),
        ("api_error", ModelUnavailableError),
        ("rate_limit_error", RateLimitError),
        ("invalid_request_error", ModelRefusedError),
    ],
)
def test_an_error_inside_a_stream_is_told_by_its_kind(
    llm: AnthropicLLM, server: ScriptedServer, kind: str, error: type[ModelError]
) -> None:
    piece = {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": "Ask"},
    }
    failure = {"type": "error", "error": {"type": kind, "message": "no more"}}
    server.script(WIRE.events([piece, failure]))
    pieces: list[str | Completion] = []
    with pytest.raises(error, match="no more"):
        pieces.extend(llm.stream(QUESTION))
    assert pieces == ["Ask"]
