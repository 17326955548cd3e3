"""The contract of :class:`clew.models.base.LLM` as tests that any provider can be put to.

A provider joins with a wire (how its servers speak, see :mod:`clew.testing.wires.base`) and with a
function that makes its LLM for a server at ``url``::

    class TestMyLLM(LLMContract):
        @pytest.fixture
        def wire(self) -> Wire:
            return MyWire()

        @pytest.fixture
        def make_llm(self) -> MakeLLM:
            return lambda url, **options: MyLLM(base_url=url + "/v1", **options)

``make_llm`` is called with any of the options ``model``, ``api_key``, ``temperature``,
``timeout_s``; leave out those that the provider has not. A class attribute says what a provider
lacks: ``streams``, ``takes_schemas``, ``takes_keys``, ``takes_temperature``,
``has_system_messages``, ``bounds_replies`` (its SDK bounds each wait, and no whole reply).
"""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, ClassVar

import pytest

from clew.errors import (
    ModelError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitError,
)
from clew.models.adapters import as_llm
from clew.models.base import LLM, BaseLLM, Completion, Message, StreamingLLM
from clew.testing.scripted_server import Reply, Request, ScriptedServer
from clew.testing.wires.base import INPUT_TOKENS, OUTPUT_TOKENS, Wire

MakeLLM = Callable[..., Any]

KEY = "sk-a-key-that-nobody-may-see"
PATIENT_S = 20.0
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"units": {"type": "array", "items": {"type": "string"}, "minItems": 1}},
    "required": ["units"],
}
QUESTION = [
    Message(role="system", content="You keep to one word."),
    Message(role="user", content="Where does the ferry of Askvik land?"),
]


class LLMContract:
    """Everything that the protocol promises."""

    streams: ClassVar[bool] = True
    takes_schemas: ClassVar[bool] = True
    takes_keys: ClassVar[bool] = True
    takes_temperature: ClassVar[bool] = True
    has_system_messages: ClassVar[bool] = True
    bounds_replies: ClassVar[bool] = True

    @pytest.fixture
    def wire(self) -> Wire:
        raise NotImplementedError

    @pytest.fixture
    def make_llm(self) -> MakeLLM:
        raise NotImplementedError

    @pytest.fixture
    def server(self) -> Iterator[ScriptedServer]:
        with ScriptedServer() as server:
            yield server

    @pytest.fixture
    def llm(self, make_llm: MakeLLM, server: ScriptedServer) -> Any:
        return self._made(make_llm, server.url)

    def _made(self, make_llm: MakeLLM, url: str, **options: Any) -> Any:
        usual: dict[str, Any] = {"model": "small-1", "timeout_s": PATIENT_S}
        if self.takes_keys:
            usual["api_key"] = KEY
        return make_llm(url, **(usual | options))

    # --- one reply ------------------------------------------------------------------------------

    def test_it_is_an_llm_of_both_kinds(self, llm: Any) -> None:
        assert isinstance(llm, LLM)
        assert isinstance(llm, BaseLLM)
        assert isinstance(llm, StreamingLLM) == self.streams
        assert as_llm(llm) is llm

    def test_it_completes(self, llm: Any, server: ScriptedServer, wire: Wire) -> None:
        server.script(wire.reply("Norvik"))
        completion = llm.complete(QUESTION, max_tokens=64)
        assert completion.text == "Norvik"
        assert not completion.truncated
        assert completion.model
        usage = completion.usage
        assert (usage.calls, usage.cached_calls) == (1, 0)
        assert (usage.input_tokens, usage.output_tokens) == (INPUT_TOKENS, OUTPUT_TOKENS)
        [request] = server.requests
        asked = wire.asked(request)
        assert asked.model == "small-1"
        assert QUESTION[1].content in asked.user
        assert asked.max_tokens == 64
        assert not asked.schema
        assert not asked.stream
        if self.has_system_messages:
            assert (asked.system, asked.user) == tuple(part.content for part in QUESTION)
        if self.takes_keys:
            assert asked.key == KEY

    def test_a_prompt_is_enough(self, llm: Any, server: ScriptedServer, wire: Wire) -> None:
        server.script(wire.reply("Norvik"))
        assert llm.generate("Where does it land?") == "Norvik"
        assert wire.asked(server.requests[0]).user == "Where does it land?"

    def test_temperature_is_sent(
        self, make_llm: MakeLLM, server: ScriptedServer, wire: Wire
    ) -> None:
        if not self.takes_temperature:
            return
        server.script(wire.reply("Norvik"))
        self._made(make_llm, server.url).generate("Where?")
        self._made(make_llm, server.url, temperature=0.5).generate("Where?")
        assert [wire.asked(request).temperature for request in server.requests] == [0, 0.5]

    def test_a_reply_that_was_cut_at_its_limit_says_so(
        self, llm: Any, server: ScriptedServer, wire: Wire
    ) -> None:
        server.script(wire.reply("Nor", truncated=True))
        completion = llm.complete(QUESTION, max_tokens=1)
        assert (completion.text, completion.truncated) == ("Nor", True)

    def test_an_empty_reply_is_empty(self, llm: Any, server: ScriptedServer, wire: Wire) -> None:
        server.script(wire.reply(""))
        assert llm.complete(QUESTION).text == ""

    @pytest.mark.parametrize("text", ["żółw 🐢 海 \u202e\u0000", "a\ud800b", '"\\\n{"a": 1}', " "])
    def test_any_text_can_be_asked(
        self, llm: Any, server: ScriptedServer, wire: Wire, text: str
    ) -> None:
        server.script(wire.reply("说 🐢"))
        assert llm.generate(f"Say {text}.") == "说 🐢"
        sent = text.replace("\ud800", "?")
        assert wire.asked(server.requests[0]).user == f"Say {sent}."

    def test_many_may_ask_at_once(self, llm: Any, server: ScriptedServer, wire: Wire) -> None:
        server.script(lambda request: wire.reply(wire.asked(request).user))
        prompts = [f"question {number}" for number in range(24)]
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(llm.generate, prompts)) == prompts

    def test_it_works_inside_a_running_event_loop(
        self, llm: Any, server: ScriptedServer, wire: Wire
    ) -> None:
        server.script(wire.reply("Norvik"))

        async def ask() -> str:
            reply: str = llm.generate("Where?")
            return reply

        assert asyncio.run(ask()) == "Norvik"

    # --- schemas --------------------------------------------------------------------------------

    def test_a_schema_is_told_to_the_server(
        self, llm: Any, server: ScriptedServer, wire: Wire
    ) -> None:
        if not self.takes_schemas:
            return
        server.script(wire.reply('{"units": ["a"]}'))
        assert llm.complete(QUESTION, schema=SCHEMA).text == '{"units": ["a"]}'
        [request] = server.requests
        assert wire.asked(request).schema

    def test_a_server_that_takes_no_schema_is_asked_without_and_told_so_once(
        self, llm: Any, server: ScriptedServer, wire: Wire
    ) -> None:
        if not self.takes_schemas:
            return

        def answer(request: Request) -> Reply:
            if wire.asked(request).schema:
                return wire.failure(400, "this model does not support response formats")
            return wire.reply('{"units": ["a"]}')

        server.script(answer)
        for _ in range(2):
            asked_before = len(server.requests)
            assert llm.complete(QUESTION, schema=SCHEMA).text == '{"units": ["a"]}'
        assert len(server.requests) == asked_before + 1
        assert "units" in wire.asked(server.requests[-1]).user, "the prompt has the schema then"

    # --- failures -------------------------------------------------------------------------------

    @pytest.mark.parametrize("status", [429])
    def test_a_limit_says_how_long_to_wait(
        self, llm: Any, server: ScriptedServer, wire: Wire, status: int
    ) -> None:
        at = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
        for header, least, most in (("7", 7.0, 7.0), (at, 20.0, 30.0)):
            server.script(wire.failure(status, "slow down", headers={"Retry-After": header}))
            with pytest.raises(RateLimitError, match="slow down") as caught:
                llm.complete(QUESTION)
            assert least <= (caught.value.retry_after_s or 0.0) <= most
        server.script(wire.failure(status, "slow down"))
        with pytest.raises(RateLimitError) as caught:
            llm.complete(QUESTION)
        assert caught.value.retry_after_s is None
        assert len(server.requests) == 3, "asking again is for the wrapper that waits"

    @pytest.mark.parametrize("status", [500, 502, 503, 529])
    def test_a_server_that_fails_is_unavailable(
        self, llm: Any, server: ScriptedServer, wire: Wire, status: int
    ) -> None:
        server.script(wire.failure(status, "out of order", headers={"Retry-After": "3"}))
        with pytest.raises(ModelUnavailableError, match="out of order") as caught:
            llm.complete(QUESTION)
        assert caught.value.retry_after_s == 3.0
        assert len(server.requests) == 1

    @pytest.mark.parametrize("status", [400, 401, 403, 404])
    def test_what_is_refused_is_refused_for_good(
        self, llm: Any, server: ScriptedServer, wire: Wire, status: int
    ) -> None:
        server.script(wire.failure(status, f"no, not with {KEY}"))
        with pytest.raises(ModelRefusedError, match="no, not with") as caught:
            llm.complete(QUESTION)
        assert caught.value.status == status
        assert "small-1" in str(caught.value)
        assert KEY not in str(caught.value) or not self.takes_keys
        assert len(server.requests) == 1

    def test_a_prompt_that_is_too_long_is_refused_at_once(
        self, llm: Any, server: ScriptedServer, wire: Wire
    ) -> None:
        message = "prompt is too long: it exceeds the maximum context length of 8192 tokens"
        server.script(wire.failure(400, message))
        schema = SCHEMA if self.takes_schemas else None
        with pytest.raises(ModelRefusedError, match="maximum context length"):
            llm.complete(QUESTION, schema=schema)
        assert len(server.requests) == 1

    def test_a_server_that_is_down_is_not_taken_for_one_without_schemas(
        self, llm: Any, server: ScriptedServer, wire: Wire
    ) -> None:
        if not self.takes_schemas:
            return
        server.script(wire.failure(503, "starting"))
        with pytest.raises(ModelUnavailableError):
            llm.complete(QUESTION, schema=SCHEMA)
        server.script(wire.reply('{"units": ["a"]}'))
        llm.complete(QUESTION, schema=SCHEMA)
        assert wire.asked(server.requests[-1]).schema

    def test_a_silent_server_is_given_up(
        self, make_llm: MakeLLM, server: ScriptedServer, wire: Wire
    ) -> None:
        whole = wire.reply("late")
        server.script(Reply(body=whole.body, headers=whole.headers, delay_s=PATIENT_S))
        with pytest.raises(ModelTimeoutError, match="small-1"):
            self._made(make_llm, server.url, timeout_s=0.3).complete(QUESTION)
        assert len(server.requests) == 1

    def test_a_reply_that_drips_in_is_given_up(
        self, make_llm: MakeLLM, server: ScriptedServer, wire: Wire
    ) -> None:
        if not self.bounds_replies:
            return
        whole = wire.reply("late")
        drops = [b" "] * 200 + [whole.body]
        server.script(Reply(headers=whole.headers, chunks=drops, pause_s=0.1))
        with pytest.raises(ModelTimeoutError, match="small-1"):
            self._made(make_llm, server.url, timeout_s=0.5).complete(QUESTION)
        assert len(server.requests) == 1

    def test_no_server_is_unavailable(self, make_llm: MakeLLM) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(ModelUnavailableError, match="small-1"):
            self._made(make_llm, url).complete(QUESTION)

    def test_a_reply_that_breaks_off_is_no_reply(
        self, llm: Any, server: ScriptedServer, wire: Wire
    ) -> None:
        whole = wire.reply("Norvik")
        server.script(Reply(body=whole.body, headers=whole.headers, cut=True))
        with pytest.raises(ModelUnavailableError, match="small-1"):
            llm.complete(QUESTION)
        assert len(server.requests) == 1

    @pytest.mark.parametrize("kind", ["application/json", "text/html"])
    @pytest.mark.parametrize("body", [b'{"id": ', b"<html>busy</html>", b"", b"[]", b"{}"])
    def test_a_reply_of_another_shape_is_no_reply(
        self, llm: Any, server: ScriptedServer, kind: str, body: bytes
    ) -> None:
        server.script(Reply(body=body, headers={"Content-Type": kind}))
        with pytest.raises(ModelUnavailableError, match="small-1"):
            llm.complete(QUESTION)

    def test_a_failure_does_not_stay(self, llm: Any, server: ScriptedServer, wire: Wire) -> None:
        server.script(wire.failure(429, "slow down"), wire.failure(500, "x"), wire.reply("Norvik"))
        for _ in range(2):
            with pytest.raises(ModelError):
                llm.complete(QUESTION)
        assert llm.complete(QUESTION).text == "Norvik"

    # --- streams --------------------------------------------------------------------------------

    def test_it_streams(self, llm: Any, server: ScriptedServer, wire: Wire) -> None:
        if not self.streams:
            return
        server.script(wire.streamed(["Nor", "vik", " 🐢"]))
        *pieces, last = llm.stream(QUESTION, max_tokens=64)
        assert pieces == ["Nor", "vik", " 🐢"]
        assert isinstance(last, Completion)
        assert last.text == "Norvik 🐢"
        assert last.model
        assert last.usage.calls == 1
        assert (last.usage.input_tokens, last.usage.output_tokens) == (INPUT_TOKENS, OUTPUT_TOKENS)
        asked = wire.asked(server.requests[0])
        assert asked.stream
        assert asked.max_tokens == 64

    def test_a_stream_that_breaks_off_is_an_error_after_its_pieces(
        self, llm: Any, server: ScriptedServer, wire: Wire
    ) -> None:
        if not self.streams:
            return
        whole = wire.streamed(["Nor", "vik"], broken=True)
        for cut in (True, False):
            server.script(Reply(headers=whole.headers, chunks=whole.chunks, cut=cut))
            pieces: list[Any] = []
            with pytest.raises(ModelUnavailableError, match="small-1"):
                pieces.extend(llm.stream(QUESTION))
            assert pieces == ["Nor", "vik"]
        assert len(server.requests) == 2

    @pytest.mark.parametrize(
        ("status", "kind"),
        [(429, RateLimitError), (503, ModelUnavailableError), (401, ModelRefusedError)],
    )
    def test_a_stream_fails_like_a_reply(
        self,
        llm: Any,
        server: ScriptedServer,
        wire: Wire,
        status: int,
        kind: type[ModelError],
    ) -> None:
        if not self.streams:
            return
        server.script(wire.failure(status, f"no {KEY}"))
        with pytest.raises(kind, match="small-1") as caught:
            list(llm.stream(QUESTION))
        assert KEY not in str(caught.value) or not self.takes_keys
        assert len(server.requests) == 1

    def test_a_stream_may_be_left(self, llm: Any, server: ScriptedServer, wire: Wire) -> None:
        if not self.streams:
            return
        server.script(wire.streamed([f"piece {number} " for number in range(50)]))
        stream = llm.stream(QUESTION)
        assert next(stream) == "piece 0 "
        stream.close()
        del stream
        gc.collect()  # what SDKs leave open ends here, and not in the middle of another test
        server.script(wire.reply("Norvik"))
        assert llm.complete(QUESTION).text == "Norvik"

    # --- names ----------------------------------------------------------------------------------

    def test_the_fingerprint_names_what_changes_replies(
        self, make_llm: MakeLLM, server: ScriptedServer
    ) -> None:
        fingerprint = self._made(make_llm, server.url).fingerprint
        assert fingerprint == self._made(make_llm, server.url, timeout_s=1.0).fingerprint
        assert "small-1" in fingerprint
        assert fingerprint != self._made(make_llm, server.url, model="large-1").fingerprint
        if self.takes_temperature:
            warm = self._made(make_llm, server.url, temperature=0.7)
            assert warm.fingerprint != fingerprint

    def test_no_key_is_shown(self, make_llm: MakeLLM, server: ScriptedServer) -> None:
        if not self.takes_keys:
            return
        llm = self._made(make_llm, server.url)
        shown = f"{llm!r} {llm} {llm.fingerprint} {vars(llm)}"
        assert KEY not in shown
        assert "small-1" in repr(llm)
        assert llm.fingerprint == self._made(make_llm, server.url, api_key="other").fingerprint
