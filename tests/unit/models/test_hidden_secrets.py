"""Keys and passwords are in no message, fingerprint or report, wherever they stood."""

from __future__ import annotations

import gzip
import json
import traceback
from collections.abc import Iterator
from typing import Any

import pytest

from clew.config import ClewConfig
from clew.errors import (
    ConfigError,
    MissingModelError,
    ModelError,
    ModelRefusedError,
    ModelTimeoutError,
)
from clew.models import AnthropicLLM, GeminiLLM, OllamaLLM, OpenAILLM
from clew.models.openai_embedding import OpenAIEmbedding
from clew.models.providers.pages import in_words
from clew.models.providers.secrets import hidden, secrets_of, shown_address
from clew.testing.scripted_server import Reply, ScriptedServer
from clew.testing.wires.openai import OpenAIWire

KEY = "sk-of-the-tests-1"
PASSWORD = "hush-hush-2"
PARAMETER = "in-the-query-3"
ECHO = f"no such key {KEY}, {PASSWORD} or {PARAMETER}"
ROWS = {"data": [{"index": 0, "embedding": [3.0, 4.0]}]}


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def address(server: ScriptedServer) -> str:
    place = f"127.0.0.1:{server.server_port}"
    return f"http://me:{PASSWORD}@{place}/v1/?api-version=7&api_key={PARAMETER}"


def _shows_none(text: str) -> None:
    for secret in (KEY, PASSWORD, PARAMETER):
        assert secret not in text


def _all_said(call: Any) -> str:
    with pytest.raises(ModelError) as caught:
        call()
    return str(caught.value) + "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://host/v1?api-version=1", "http://host/v1?api-version=1"),
        ("openai:m@http://me:x@host", "openai:m@http://***@host"),
        ("http://me:p@ss@host/a@b?x=1&sig=y", "http://***@host/a@b?x=1&sig=***"),
        ("http://h/?x-token=a&my-key=b#c", "http://h/?x-token=***&my-key=***#c"),
        ("http://h/?design=a&decoded=b", "http://h/?design=a&decoded=b"),
    ],
)
def test_an_address_is_shown_without_what_is_secret(text: str, shown: str) -> None:
    assert shown_address(text) == shown
    assert shown_address(shown) == shown


def test_short_words_are_no_secrets() -> None:
    found = secrets_of("http://me:a%40b@host/v1?key=none", "EMPTY", None)
    assert found == ("EMPTY", "a%40b", "none", "a@b")
    assert hidden("none is EMPTY", found) == "none is EMPTY"


STATUSES = [(401, {}), (500, {}), (307, {"Location": f"http://elsewhere/?token=x&k={KEY}"})]


@pytest.mark.parametrize(("status", "headers"), STATUSES)
@pytest.mark.parametrize("kind", [OpenAILLM, AnthropicLLM, GeminiLLM, OllamaLLM])
def test_no_error_of_a_language_model_shows_one(
    server: ScriptedServer, address: str, kind: Any, status: int, headers: dict[str, str]
) -> None:
    plain = address.partition("?")[0]  # nobody asks Ollama with parameters
    options = {"host": plain} if kind is OllamaLLM else {"base_url": address}
    error = {"error": {"message": ECHO.replace(PARAMETER, "") if kind is OllamaLLM else ECHO}}
    server.script(Reply.of(error, status=status, headers=headers))
    llm = kind(api_key=KEY, model="m", **options)
    _shows_none(_all_said(lambda: llm.generate("?")))
    _shows_none(f"{llm!r} {llm.fingerprint}")


def test_a_fingerprint_keeps_what_of_an_address_is_no_secret(address: str) -> None:
    llm = OpenAILLM(KEY, "m", base_url=address)
    assert "?api-version=7&api_key=***" in llm.fingerprint


@pytest.mark.parametrize(("status", "headers"), STATUSES)
def test_no_error_of_an_embedder_shows_one(
    server: ScriptedServer, address: str, status: int, headers: dict[str, str]
) -> None:
    server.script(Reply.of({"error": {"message": ECHO}}, status=status, headers=headers))
    embedder = OpenAIEmbedding(KEY, "m", base_url=address, attempts=1)
    _shows_none(_all_said(lambda: embedder.embed(["a"])))


def test_an_address_with_all_of_it_is_asked(server: ScriptedServer, address: str) -> None:
    server.script(Reply.of(ROWS))
    assert OpenAIEmbedding(None, "m", base_url=address).embed(["a"]).shape == (1, 2)
    [request] = server.requests
    assert request.path == f"/v1/embeddings?api-version=7&api_key={PARAMETER}"
    assert request.headers["authorization"].startswith("Basic ")


def test_a_key_as_a_file_holds_it_is_sent_without_its_line_break(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script(Reply.of(ROWS))
    monkeypatch.setenv("CLEW_EMBEDDING_KEY", f"{KEY}\n")
    OpenAIEmbedding(model="m", base_url=server.url).embed(["a"])
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_key_that_no_header_carries_is_refused_and_not_shown() -> None:
    with pytest.raises(MissingModelError, match="characters that no key has") as caught:
        OpenAIEmbedding(f"{KEY}\nX: y", "m", base_url="http://127.0.0.1:9")
    _shows_none(str(caught.value))


def test_settings_are_shown_without_it_and_not_read_again_like_that(address: str) -> None:
    config = ClewConfig(
        llm_model=f"openai:m@{address}",
        embedding_model=f"openai:m@{address}",
        reranker_model=f"rerank:m@{address}",
    )
    shown = config.shown(changed=True)
    assert set(shown) == {"llm_model", "embedding_model", "reranker_model"}
    _shows_none(json.dumps(shown))
    assert PASSWORD in config.to_json()
    for name, value in shown.items():
        with pytest.raises(ConfigError, match="a secret was hidden; write it again"):
            ClewConfig.from_dict({name: value})


@pytest.mark.parametrize("name", ["llm_model", "embedding_model", "reranker_model"])
def test_a_setting_that_cannot_be_read_is_told_without_it(name: str) -> None:
    with pytest.raises(ConfigError) as caught:
        ClewConfig.from_dict({name: f"opneai:m@http://me:{PASSWORD}@host/v1"})
    _shows_none(str(caught.value))


# --- what a proxy says ------------------------------------------------------------------------

PAGE = (
    "<!DOCTYPE html>\n<html><head><style>b {x: y}</style><title>502 Bad Gateway</title></head>"
    "<body><h1>502  Bad Gateway</h1><!-- no --><hr>nginx</body></html>"
)


def test_a_page_is_told_in_words() -> None:
    assert in_words(PAGE) == "a web page: 502 Bad Gateway, nginx"
    assert in_words("<html></html>") == "a web page: without words"
    assert in_words("a < b\n and c") == "a < b and c"


@pytest.mark.parametrize("status", [200, 404, 502])
def test_errors_tell_pages_in_words(server: ScriptedServer, status: int) -> None:
    server.script(Reply(status=status, body=PAGE.encode(), headers={"Content-Type": "text/html"}))
    for call in (
        lambda: OpenAILLM("k", "m", base_url=server.url).generate("?"),
        lambda: OpenAIEmbedding("k", "m", base_url=server.url, attempts=1).embed(["a"]),
        lambda: OllamaLLM(server.url, "m").generate("?") if status > 200 else _raise(PAGE),
    ):
        with pytest.raises(ModelError) as caught:
            call()
        assert "502 Bad Gateway" in str(caught.value)
        assert "<" not in str(caught.value)


def _raise(page: str) -> None:
    raise ModelError(in_words(page))


# --- embedders over HTTP ------------------------------------------------------------------------


@pytest.mark.parametrize("code", [429, "503", None])
def test_a_success_that_holds_a_passing_error_is_asked_again(
    server: ScriptedServer, code: Any
) -> None:
    embedder = OpenAIEmbedding("k", "m", base_url=server.url)
    embedder.server._sleep = lambda _: None
    server.script(Reply.of({"error": {"message": "busy", "code": code}}), Reply.of(ROWS))
    assert embedder.embed(["a"]).shape == (1, 2)
    assert len(server.requests) == 2


def test_a_success_that_holds_a_refusal_tells_it(server: ScriptedServer) -> None:
    server.script(Reply.of({"error": {"message": "no model m", "code": 404}}))
    with pytest.raises(ModelError, match="it answers with an error: no model m"):
        OpenAIEmbedding("k", "m", base_url=server.url).embed(["a"])
    assert len(server.requests) == 1


def test_an_error_that_breaks_off_is_asked_again(server: ScriptedServer) -> None:
    embedder = OpenAIEmbedding("k", "m", base_url=server.url)
    embedder.server._sleep = lambda _: None
    body = json.dumps({"error": {"message": "out of memory"}}).encode()
    server.script(Reply(status=500, body=body, cut=True), Reply.of(ROWS))
    assert embedder.embed(["a"]).shape == (1, 2)


def test_an_answer_that_drips_in_is_given_up(server: ScriptedServer) -> None:
    server.script(Reply(chunks=[b" "] * 200 + [json.dumps(ROWS).encode()], pause_s=0.1))
    embedder = OpenAIEmbedding("k", "m", base_url=server.url, timeout_s=0.5, attempts=1)
    with pytest.raises(ModelTimeoutError, match="did not answer in time"):
        embedder.embed(["a"])


def test_a_packed_answer_is_unpacked(server: ScriptedServer) -> None:
    body, packed = json.dumps(ROWS).encode(), {"Content-Encoding": "gzip"}
    embedder = OpenAIEmbedding("k", "m", base_url=server.url, attempts=1)
    server.script(Reply(body=gzip.compress(body), headers=packed), Reply(body=body, headers=packed))
    assert embedder.embed(["a"]).shape == (1, 2)
    with pytest.raises(ModelError, match="broke off"):
        embedder.embed(["a"])


def test_embeddings_without_numbers_are_in_the_order_of_the_texts(server: ScriptedServer) -> None:
    rows = [{"index": None, "embedding": [1.0, 0.0]}, {"index": None, "embedding": [0.0, 1.0]}]
    server.script(Reply.of({"data": rows}))
    vectors = OpenAIEmbedding("k", "m", base_url=server.url).embed(["a", "b"])
    assert vectors.tolist() == [[1.0, 0.0], [0.0, 1.0]]


# --- what a reply used --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "tokens"),
    [(-5, 0), ("12", 12), (3.0, 3), ("n/a", 0), (None, 0), ([], 0), (float("inf"), 0)],
)
def test_what_is_no_count_of_tokens_costs_neither_a_reply_nor_money(
    server: ScriptedServer, stated: Any, tokens: int
) -> None:
    usage = {"prompt_tokens": stated, "completion_tokens": stated, "total_tokens": 1}
    server.script(OpenAIWire().reply_of({"content": "x"}, "stop", usage=usage))
    found = OpenAILLM("k", "m", base_url=server.url).complete([])
    assert (found.usage.input_tokens, found.usage.output_tokens) == (tokens, tokens)
    assert isinstance(found.usage.input_tokens, int)


def test_where_nothing_is_found_it_is_said_what_may_be_wrong(server: ScriptedServer) -> None:
    server.script(Reply.of({"detail": "Not Found"}, status=404))
    with pytest.raises(ModelRefusedError, match=r"Not Found \(is the model's name right, .*/v1"):
        OpenAILLM("k", "m", base_url=server.url).generate("?")
    assert len(server.requests) == 1
