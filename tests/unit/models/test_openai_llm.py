"""Chat completions as servers differ in them, over a real connection with the real SDK."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from clew.errors import (
    ModelError,
    ModelRefusedError,
    ModelUnavailableError,
    RateLimitError,
)
from clew.models import GroqLLM, OpenAILLM
from clew.models.base import Completion, Message
from clew.testing.scripted_server import Reply, Request, ScriptedServer
from clew.testing.wires.openai import USAGE, OpenAIWire

WIRE = OpenAIWire()
QUESTION = [
    Message(role="system", content="Be brief."),
    Message(role="user", content="Which mills?"),
]
CLOSED: dict[str, Any] = {
    "type": "object",
    "properties": {"mills": {"type": "array", "items": {"type": "string"}}},
    "required": ["mills"],
}
OPEN: dict[str, Any] = {"type": "object", "properties": {"mills": {"type": "string"}}}
MILLS = '{"mills": ["Askvik"]}'


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.script(WIRE.reply(MILLS))
        yield server


@pytest.fixture
def llm(server: ScriptedServer) -> OpenAILLM:
    return OpenAILLM("k", "m", base_url=f"{server.url}/v1", seed=7)


def _formats(server: ScriptedServer) -> list[str]:
    """The forms in which schemas came, in order."""
    found = [request.body.get("response_format", {"type": "none"}) for request in server.requests]
    return [form["type"] + ("+schema" if "schema" in form else "") for form in found]


def _refusing(is_refused: Callable[[dict[str, Any]], bool], status: int, message: str) -> Any:
    def answer(request: Request) -> Reply:
        refused = is_refused(request.body)
        return WIRE.failure(status, message) if refused else WIRE.reply(MILLS)

    return answer


def test_a_schema_that_all_can_keep_is_strict(llm: OpenAILLM, server: ScriptedServer) -> None:
    llm.complete(QUESTION, schema=CLOSED)
    llm.complete(QUESTION, schema=OPEN)
    strict, loose = (request.body["response_format"]["json_schema"] for request in server.requests)
    assert strict["strict"] is True
    assert strict["schema"] == CLOSED | {"additionalProperties": False}
    assert loose["strict"] is False, "what may be left out cannot be kept to strictly"


def test_a_server_that_fails_on_one_form_is_given_the_next_and_that_is_remembered(
    llm: OpenAILLM, server: ScriptedServer
) -> None:
    def fails(body: dict[str, Any]) -> bool:
        return bool(body.get("response_format", {}).get("type") == "json_schema")

    server.script(_refusing(fails, 500, "Internal Server Error"))
    for _ in range(3):
        assert llm.complete(QUESTION, schema=CLOSED).text == MILLS
    assert llm.complete(QUESTION, schema=OPEN).text == MILLS
    twice = ["json_schema", "json_object+schema"] * 2
    assert _formats(server) == [*twice, *["json_object+schema"] * 2]
    assert server.requests[-1].body["response_format"]["schema"] == OPEN


def test_one_failure_may_be_chance_and_costs_no_strict_form(
    llm: OpenAILLM, server: ScriptedServer
) -> None:
    server.script(WIRE.failure(500, "out of order"), WIRE.reply(MILLS))
    for _ in range(3):
        assert llm.complete(QUESTION, schema=CLOSED).text == MILLS
    assert _formats(server) == ["json_schema", "json_object+schema", *["json_schema"] * 2]


def test_a_server_that_always_fails_is_asked_once_a_call(
    llm: OpenAILLM, server: ScriptedServer
) -> None:
    server.script(WIRE.failure(500, "out of order"))
    for _ in range(6):
        with pytest.raises(ModelUnavailableError, match="out of order"):
            llm.complete(QUESTION, schema=CLOSED)
    assert len(server.requests) == 4 + 5
    server.script(WIRE.reply(MILLS))
    for _ in range(2):
        assert llm.complete(QUESTION, schema=CLOSED).text == MILLS
    assert _formats(server)[-1] == "json_schema"


def test_a_server_that_fails_and_then_on_schemas_alone_is_understood(
    llm: OpenAILLM, server: ScriptedServer
) -> None:
    server.script(WIRE.failure(500, "loading"))
    with pytest.raises(ModelUnavailableError):
        llm.complete(QUESTION, schema=CLOSED)
    server.script(_refusing(lambda body: "response_format" in body, 500, "no schemas"))
    patience = 4
    for _ in range(patience):
        with contextlib.suppress(ModelUnavailableError):
            llm.complete(QUESTION, schema=CLOSED)
    for _ in range(3):
        assert llm.complete(QUESTION, schema=CLOSED).text == MILLS
    before = len(server.requests)
    llm.complete(QUESTION, schema=CLOSED)
    assert len(server.requests) == before + 1


def test_the_last_form_is_the_prompt(llm: OpenAILLM, server: ScriptedServer) -> None:
    server.script(_refusing(lambda body: "response_format" in body, 400, "unavailable now"))
    assert llm.complete(QUESTION, schema=CLOSED).text == MILLS
    assert _formats(server) == ["json_schema", "json_object+schema", "json_object", "none"]
    for request in server.requests[2:]:
        told = request.body["messages"][1]["content"]
        assert told.startswith("Which mills?\n\nReply with JSON")
        assert json.dumps(CLOSED) in told
    assert "JSON" not in server.requests[1].body["messages"][1]["content"]
    llm.complete(QUESTION)
    assert server.requests[-1].body["messages"][1]["content"] == "Which mills?"


def test_where_nothing_helps_the_first_refusal_is_told(
    llm: OpenAILLM, server: ScriptedServer
) -> None:
    server.script(WIRE.failure(400, "first"), WIRE.failure(400, "then"))
    with pytest.raises(ModelRefusedError, match="first"):
        llm.complete(QUESTION, schema=CLOSED)
    assert len(server.requests) == 4
    server.script(WIRE.reply(MILLS))
    llm.complete(QUESTION, schema=CLOSED)
    assert _formats(server)[-1] == "json_schema", "what failed altogether taught nothing"


def test_a_form_that_worked_is_not_given_up_for_a_failure(
    llm: OpenAILLM, server: ScriptedServer
) -> None:
    llm.complete(QUESTION, schema=CLOSED)
    server.script(WIRE.failure(500, "out of order"))
    with pytest.raises(ModelUnavailableError):
        llm.complete(QUESTION, schema=CLOSED)
    assert _formats(server) == ["json_schema"] * 2


def test_an_unlucky_reply_is_asked_for_otherwise_this_once(server: ScriptedServer) -> None:
    llm = GroqLLM("k", "m", base_url=server.url)
    error = {"message": "Failed to validate JSON", "code": "json_validate_failed"}
    server.script(Reply.of({"error": error}, status=400), WIRE.reply(MILLS))
    for _ in range(2):
        assert llm.complete(QUESTION, schema=CLOSED).text == MILLS
    assert _formats(server) == ["json_schema", "json_object", "json_schema"]


@pytest.mark.parametrize(
    ("field", "message", "instead"),
    [
        (
            "max_tokens",
            "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            {"max_completion_tokens": 50},
        ),
        ("temperature", "Unsupported value: 'temperature' does not support 0 with this model.", {}),
        ("seed", "Extra inputs are not permitted: seed", {}),
    ],
)
def test_what_a_model_does_not_take_is_left_out_from_then_on(
    llm: OpenAILLM, server: ScriptedServer, field: str, message: str, instead: dict[str, Any]
) -> None:
    server.script(_refusing(lambda body: field in body, 400, message))
    for _ in range(2):
        assert llm.complete(QUESTION, max_tokens=50).text == MILLS
    assert len(server.requests) == 3
    last = server.requests[-1].body
    assert field not in last
    assert instead.items() <= last.items()
    assert server.requests[0].body[field] == {"max_tokens": 50, "temperature": 0, "seed": 7}[field]


def test_several_things_may_be_refused_one_after_the_other(
    llm: OpenAILLM, server: ScriptedServer
) -> None:
    def answer(request: Request) -> Reply:
        for field in ("max_tokens", "temperature", "response_format"):
            if field in request.body:
                return WIRE.failure(400, f"Unsupported parameter: {field}")
        return WIRE.reply(MILLS)

    server.script(answer)
    for _ in range(2):
        llm.complete(QUESTION, max_tokens=50, schema=CLOSED)
    assert len(server.requests) == 7


def test_a_temperature_that_somebody_chose_is_not_dropped(server: ScriptedServer) -> None:
    llm = OpenAILLM("k", "m", base_url=f"{server.url}/v1", temperature=0.7)
    server.script(WIRE.failure(400, "'temperature' does not support 0.7 with this model"))
    with pytest.raises(ModelRefusedError, match=r"does not support 0\.7"):
        llm.complete(QUESTION)
    assert len(server.requests) == 1
    server.script(WIRE.reply("yes"))
    OpenAILLM("k", "m", base_url=f"{server.url}/v1", temperature=None).generate("?")
    assert "temperature" not in server.requests[-1].body


def test_a_model_without_a_system_role_reads_it_before_the_question(
    llm: OpenAILLM, server: ScriptedServer
) -> None:
    def has_system(body: dict[str, Any]) -> bool:
        return any(message["role"] == "system" for message in body["messages"])

    server.script(_refusing(has_system, 400, "System role not supported"))
    for _ in range(2):
        llm.complete(QUESTION)
    assert len(server.requests) == 3
    assert server.requests[-1].body["messages"] == [
        {"role": "user", "content": "Be brief.\n\nWhich mills?"}
    ]
    llm.complete([QUESTION[0]])
    assert server.requests[-1].body["messages"] == [{"role": "user", "content": "Be brief."}]


def test_a_server_that_cannot_count_a_stream_streams_all_the_same(
    llm: OpenAILLM, server: ScriptedServer
) -> None:
    whole = WIRE.streamed(["Ask", "vik"])
    chunks = [chunk for chunk in whole.chunks or [] if b"usage" not in chunk]

    def answer(request: Request) -> Reply:
        if "stream_options" in request.body:
            return WIRE.failure(400, "stream_options: Extra inputs are not permitted")
        return Reply(headers=whole.headers, chunks=chunks)

    server.script(answer)
    for _ in range(2):
        *pieces, last = llm.stream(QUESTION)
        assert pieces == ["Ask", "vik"]
        assert isinstance(last, Completion)
        assert (last.usage.calls, last.usage.output_tokens) == (1, 0)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("message", "finish", "kind", "said"),
    [
        ({"content": None, "refusal": "I cannot."}, "stop", ModelRefusedError, "I cannot"),
        ({"content": "half"}, "content_filter", ModelRefusedError, "content filter"),
        ({"content": "half"}, "error", ModelUnavailableError, "ended with an error"),
        (None, "stop", ModelUnavailableError, "no message"),
    ],
)
def test_what_is_no_reply_is_an_error(
    llm: OpenAILLM,
    server: ScriptedServer,
    message: Any,
    finish: str,
    kind: type[ModelError],
    said: str,
) -> None:
    server.script(WIRE.reply_of(message, finish))
    with pytest.raises(kind, match=said):
        llm.complete(QUESTION)


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"choices": []}, ModelUnavailableError),
        ({"choices": None}, ModelUnavailableError),
        ({"choices": [], "error": {"message": "slow", "code": 429}}, RateLimitError),
        ({"choices": None, "error": {"message": "gone", "code": 502}}, ModelUnavailableError),
        ({"choices": None, "error": "odd"}, ModelUnavailableError),
    ],
)
def test_a_success_without_a_reply_is_none(
    llm: OpenAILLM, server: ScriptedServer, fields: Any, kind: type[ModelError]
) -> None:
    server.script(WIRE.reply_of({"content": "x"}, "stop", **fields))
    with pytest.raises(kind):
        llm.complete(QUESTION)


def test_replies_of_other_servers_are_read(llm: OpenAILLM, server: ScriptedServer) -> None:
    parts = [{"type": "text", "text": "Ask"}, {"type": "text", "text": "vik"}]
    server.script(WIRE.reply_of({"role": "assistant", "content": parts}, None, usage=None))
    completion = llm.complete(QUESTION)
    assert (completion.text, completion.truncated) == ("Askvik", False)
    assert (completion.usage.calls, completion.usage.input_tokens) == (1, 0)
    server.script(WIRE.reply_of({"content": None}, "length", model=None))
    completion = llm.complete(QUESTION)
    assert (completion.text, completion.truncated, completion.model) == ("", True, "m")


def test_tokens_of_caches_and_reasoning_are_counted_once(
    llm: OpenAILLM, server: ScriptedServer
) -> None:
    details = {
        "prompt_tokens_details": {"cached_tokens": 8},
        "completion_tokens_details": {"reasoning_tokens": 5},
    }
    server.script(WIRE.reply_of({"content": "x"}, "stop", usage=USAGE | details))
    usage = llm.complete(QUESTION).usage
    assert (usage.input_tokens, usage.output_tokens) == (11, 7)


def test_a_quota_that_is_used_up_is_not_waited_for(llm: OpenAILLM, server: ScriptedServer) -> None:
    error = {"message": "You exceeded your quota", "type": "x", "code": "insufficient_quota"}
    server.script(Reply.of({"error": error}, status=429, headers={"Retry-After": "1"}))
    with pytest.raises(ModelRefusedError, match=r"exceeded your quota \(insufficient_quota\)"):
        llm.complete(QUESTION)


def test_a_redirect_is_not_followed(llm: OpenAILLM, server: ScriptedServer) -> None:
    server.script(Reply(status=307, headers={"Location": "http://127.0.0.1:9/v1"}))
    with pytest.raises(ModelRefusedError, match=r"it is at http://127\.0\.0\.1:9/v1: name that"):
        llm.complete(QUESTION)


def test_an_error_inside_a_stream_is_told_by_its_kind(
    llm: OpenAILLM, server: ScriptedServer
) -> None:
    whole = WIRE.streamed(["Ask"], broken=True)
    for code, kind in (("rate_limit_exceeded", RateLimitError), ("odd", ModelUnavailableError)):
        error = json.dumps({"error": {"message": "no more", "code": code}}).encode()
        chunks = [*(whole.chunks or []), b"data: " + error + b"\n\n"]
        server.script(Reply(headers=whole.headers, chunks=chunks))
        pieces: list[Any] = []
        with pytest.raises(kind, match="no more"):
            pieces.extend(llm.stream(QUESTION))
        assert pieces == ["Ask"]


def test_a_stream_that_was_cut_at_its_limit_says_so_and_is_asked_what_it_used(
    llm: OpenAILLM, server: ScriptedServer
) -> None:
    whole = WIRE.streamed(["Ask"])
    chunks = [chunk.replace(b'"stop"', b'"length"') for chunk in whole.chunks or []]
    server.script(Reply(headers=whole.headers, chunks=chunks))
    *_, last = llm.stream(QUESTION)
    assert isinstance(last, Completion)
    assert last.truncated
    assert server.requests[0].body["stream_options"] == {"include_usage": True}


def test_a_refusal_in_a_stream_is_a_refusal(llm: OpenAILLM, server: ScriptedServer) -> None:
    event = {
        "object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": {"refusal": "I cannot."}, "finish_reason": "stop"}],
    }
    server.script(
        Reply(
            headers={"Content-Type": "text/event-stream"},
            chunks=[b"data: " + json.dumps(event).encode() + b"\n\n", b"data: [DONE]\n\n"],
        )
    )
    with pytest.raises(ModelRefusedError, match="I cannot"):
        list(llm.stream(QUESTION))


def test_options_are_sent_along_and_named(server: ScriptedServer) -> None:
    options = {"reasoning_effort": "low", "provider": {"order": ["x"]}}
    llm = OpenAILLM("k", "m", base_url=f"{server.url}/v1", options=options)
    llm.generate("?")
    body = server.requests[0].body
    assert (body["reasoning_effort"], body["provider"]) == ("low", {"order": ["x"]})
    other = OpenAILLM("k", "m", base_url=f"{server.url}/v1", options=options | {"top_p": 0.5})
    plain = OpenAILLM("k", "m", base_url=f"{server.url}/v1")
    assert len({llm.fingerprint, other.fingerprint, plain.fingerprint}) == 3


def test_openai_itself_is_given_the_newer_name_of_the_limit() -> None:
    assert OpenAILLM("k").limits[0] == "max_completion_tokens"
    assert OpenAILLM("k").model == "gpt-4o-mini"
    assert OpenAILLM("k").fingerprint == "openai/gpt-4o-mini/temperature=0.0"
    assert OpenAILLM("k", base_url="http://127.0.0.1:9/v1").limits[0] == "max_tokens"


def test_an_organization_and_a_project_are_named(server: ScriptedServer) -> None:
    OpenAILLM("k", "m", base_url=server.url, organization="org-1", project="p-2").generate("?")
    headers = server.requests[0].headers
    assert (headers["openai-organization"], headers["openai-project"]) == ("org-1", "p-2")


@pytest.mark.parametrize(
    ("url", "is_sent"),
    [
        ("https://mine.openai.azure.com/openai/v1?api-version=preview", True),
        ("https://azure.com.example.org/v1", False),
        ("http://127.0.0.1:9/v1", False),
    ],
)
def test_azure_gets_the_key_in_its_own_header(url: str, *, is_sent: bool) -> None:
    client = OpenAILLM("of-azure", "m", base_url=url)._client
    assert (client.default_headers.get("api-key") == "of-azure") is is_sent


def test_groq_has_a_usual_model(server: ScriptedServer) -> None:
    GroqLLM("k", base_url=server.url).generate("?")
    assert server.requests[0].body["model"] == "llama-3.3-70b-versatile"


# --- servers without streams ----------------------------------------------------------------------


@pytest.mark.parametrize("model", ["OpenAI", "Groq"])
def test_a_whole_reply_in_place_of_a_stream_is_taken_and_not_paid_for_again(
    server: ScriptedServer, model: str
) -> None:
    llm = (
        OpenAILLM("k", "m", base_url=f"{server.url}/v1")
        if model == "OpenAI"
        else GroqLLM("k", "m", base_url=server.url)
    )
    piece, whole = llm.stream(QUESTION)
    assert piece == MILLS
    assert isinstance(whole, Completion)
    assert (whole.text, whole.usage.calls) == (MILLS, 1)
    assert whole.usage.input_tokens == USAGE["prompt_tokens"]
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply.of({"error": {"message": "too many", "code": 429}}), ModelError),
        (Reply.of({"choices": []}), ModelUnavailableError),
        (Reply.of([1]), ModelUnavailableError),
        (
            Reply(body=b'{"choi', headers={"Content-Type": "application/json"}),
            ModelUnavailableError,
        ),
    ],
)
def test_a_body_that_is_no_reply_fails_like_any(
    llm: OpenAILLM, server: ScriptedServer, reply: Reply, kind: type[ModelError]
) -> None:
    server.script(reply)
    with pytest.raises(kind):
        list(llm.stream(QUESTION))
