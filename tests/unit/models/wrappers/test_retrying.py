from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Lock
from typing import Any

import pytest

from clew.config import ClewConfig
from clew.errors import (
    BudgetExceededError,
    ModelError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitError,
)
from clew.models.base import LLM, Completion, Message, StreamingLLM
from clew.models.wrappers.concurrency import ConcurrencyLayer
from clew.models.wrappers.giving_up import GivingUpLayer
from clew.models.wrappers.layers import layered
from clew.models.wrappers.pause import Pause, PauseLayer
from clew.models.wrappers.reply_limit import ReplyLimitLayer
from clew.models.wrappers.retry import RetryLayer
from clew.models.wrappers.stack import patient
from clew.models.wrappers.stopping import is_stopping
from clew.testing import FakeClock, ScriptedLLM, StreamingScriptedLLM

_HELLO = [Message(role="user", content="hello")]


def _patient(llm: LLM, clock: FakeClock, *, attempts: int = 5, longest_wait_s: float = 300) -> LLM:
    pause = Pause(clock)
    retry = RetryLayer(
        attempts, pause=pause, clock=clock, longest_wait_s=longest_wait_s, chance=lambda: 1.0
    )
    return layered(llm, retry, PauseLayer(pause))


def _busy(retry_after_s: float | None = None) -> RateLimitError:
    return RateLimitError("busy", retry_after_s=retry_after_s)


def test_it_waits_as_long_as_it_is_told() -> None:
    clock = FakeClock()
    llm = ScriptedLLM([(".*", [_busy(1.0), _busy(7.5), "there"])])
    assert _patient(llm, clock).complete(_HELLO).text == "there"
    assert clock.sleeps == [1.0, 7.5]
    assert len(llm.calls) == 3


def test_without_being_told_the_waits_grow() -> None:
    clock = FakeClock()
    llm = ScriptedLLM([(".*", [*[ModelUnavailableError("500")] * 4, "there"])])
    assert _patient(llm, clock).complete(_HELLO).text == "there"
    assert clock.sleeps == [0.5, 1.0, 2.0, 4.0]


def test_chance_shortens_a_wait_by_half_at_most() -> None:
    clock = FakeClock()
    pause = Pause(clock)
    retry = RetryLayer(3, pause=pause, clock=clock, chance=lambda: 0.0)
    llm = ScriptedLLM([(".*", [_busy(), _busy(0.3), "there"])])
    layered(llm, retry).complete(_HELLO)
    assert clock.sleeps == [0.25, 0.5]


@pytest.mark.parametrize(
    "error", [_busy(2.0), ModelUnavailableError("503"), ModelTimeoutError("slow")]
)
def test_it_gives_up_with_the_same_kind_of_error(error: ModelError) -> None:
    llm = ScriptedLLM([(".*", error)])
    with pytest.raises(type(error), match=f"{error} .given up after 3 attempts") as caught:
        _patient(llm, FakeClock(), attempts=3).complete(_HELLO)
    assert caught.value.__cause__ is error
    assert len(llm.calls) == 3


def test_what_the_provider_refuses_is_not_asked_again() -> None:
    clock = FakeClock()
    llm = ScriptedLLM([(".*", ModelRefusedError("wrong key", status=401))])
    with pytest.raises(ModelRefusedError):
        _patient(llm, clock).complete(_HELLO)
    assert (len(llm.calls), clock.sleeps) == (1, [])


def test_one_attempt_means_one() -> None:
    llm = ScriptedLLM([(".*", _busy(1.0))])
    with pytest.raises(RateLimitError, match=r"^busy$"):
        _patient(llm, FakeClock(), attempts=1).complete(_HELLO)


def test_a_wait_of_an_hour_is_not_waited_for() -> None:
    clock = FakeClock()
    llm = ScriptedLLM([(".*", _busy(3600.0))])
    with pytest.raises(RateLimitError, match="wait of 3600 s, and llm_longest_wait_s is 300"):
        _patient(llm, clock).complete(_HELLO)
    assert clock.sleeps == []


def test_when_one_is_told_to_wait_all_others_wait() -> None:
    clock = FakeClock()
    pause = Pause(clock)
    llm = ScriptedLLM([("first", [_busy(9.0), "one"]), ("second", "two")])
    layers = (RetryLayer(3, pause=pause, clock=clock), PauseLayer(pause))
    pause.at_least(4.0)
    assert layered(llm, *layers).complete([Message(role="user", content="second")]).text == "two"
    assert clock.now() == 4.0
    assert layered(llm, *layers).complete([Message(role="user", content="first")]).text == "one"
    assert clock.now() == 13.0
    pause.at_least(2.0)
    pause.at_least(1.0)
    pause.wait()
    assert clock.now() == 15.0, "a shorter pause does not cut a longer one short"


def test_the_waits_that_nobody_asked_for_do_not_grow_for_ever() -> None:
    clock = FakeClock()
    llm = ScriptedLLM([(".*", [*[ModelUnavailableError("500")] * 9, "there"])])
    _patient(llm, clock, attempts=10).complete(_HELLO)
    assert clock.sleeps == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]


@pytest.mark.parametrize("error", [_busy(9.0), ModelUnavailableError("503", retry_after_s=9.0)])
def test_who_is_told_to_wait_says_so_to_all_others(error: ModelError) -> None:
    clock = FakeClock()
    pause = Pause(clock)
    seen: list[float] = []

    def answer(_: str) -> str:
        seen.append(pause._until)
        if len(seen) == 1:
            raise error
        return "there"

    retry = RetryLayer(2, pause=pause, clock=clock)
    assert layered(ScriptedLLM([(".*", answer)]), retry).complete(_HELLO).text == "there"
    assert seen == [0.0, 9.0]


def test_the_last_error_tells_still_how_long_to_wait() -> None:
    llm = ScriptedLLM([(".*", _busy(2.0))])
    with pytest.raises(RateLimitError) as caught:
        _patient(llm, FakeClock(), attempts=2).complete(_HELLO)
    assert caught.value.retry_after_s == 2.0


def test_a_broken_call_alone_waits_alone() -> None:
    clock = FakeClock()
    pause = Pause(clock)
    llm = ScriptedLLM([(".*", [ModelUnavailableError("500"), "there"])])
    layered(llm, RetryLayer(2, pause=pause, clock=clock)).complete(_HELLO)
    before = clock.now()
    pause.wait()
    assert clock.now() == before


# --- streams --------------------------------------------------------------------------------------


def test_a_model_streams_behind_layers_if_it_did_before() -> None:
    clock = FakeClock()
    streaming = _patient(StreamingScriptedLLM([(".*", "one two three")]), clock)
    assert isinstance(streaming, StreamingLLM)
    items = list(streaming.stream(_HELLO))
    assert items[:-1] == ["one", " two", " three"]
    assert isinstance(items[-1], Completion)
    assert not isinstance(_patient(ScriptedLLM([]), clock), StreamingLLM)


def test_a_stream_is_begun_again_only_before_its_first_piece() -> None:
    clock = FakeClock()
    llm = StreamingScriptedLLM([(".*", [_busy(1.0), "one two"])])
    streaming = _patient(llm, clock)
    assert isinstance(streaming, StreamingLLM)
    assert len(list(streaming.stream(_HELLO))) == 3
    assert clock.sleeps == [1.0]
    llm.breaks = ModelUnavailableError("it broke off")
    pieces = streaming.stream(_HELLO)
    assert next(pieces) == "one"
    with pytest.raises(ModelUnavailableError, match=r"^it broke off$"):
        next(pieces)


def test_a_stream_without_its_whole_is_an_error() -> None:
    class Short(StreamingScriptedLLM):
        def stream(self, messages: Any, *, max_tokens: int | None = None) -> Any:
            yield "one"

    streaming = layered(Short([]))
    assert isinstance(streaming, StreamingLLM)
    with pytest.raises(ModelError, match="without the whole"):
        list(streaming.stream(_HELLO))


# --- the small layers -----------------------------------------------------------------------------


def test_no_more_calls_at_a_time_than_allowed() -> None:
    lock, most, now = Lock(), 0, 0
    together = Barrier(2, timeout=10)

    def reply(_: str) -> str:
        nonlocal most, now
        with lock:
            now += 1
            most = max(most, now)
        together.wait()
        with lock:
            now -= 1
        return "there"

    llm = layered(ScriptedLLM([(".*", reply)]), ConcurrencyLayer(2))
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: llm.complete(_HELLO), range(6)))
    assert most == 2


def test_a_failing_call_gives_its_place_back() -> None:
    llm = layered(ScriptedLLM([(".*", _busy())]), ConcurrencyLayer(1))
    for _ in range(3):
        with pytest.raises(RateLimitError):
            llm.complete(_HELLO)


def test_replies_are_no_longer_than_allowed() -> None:
    inner = ScriptedLLM([(".*", "there")])
    llm = layered(inner, ReplyLimitLayer(100))
    for asked in (None, 50, 500):
        llm.complete(_HELLO, max_tokens=asked)
    assert [call.max_tokens for call in inner.calls] == [100, 50, 100]


def test_a_model_that_never_answers_is_given_up() -> None:
    inner = ScriptedLLM([(".*", ModelRefusedError("wrong key", status=401))], fingerprint="mine")
    llm = layered(inner, GivingUpLayer("mine", patience=3))
    for _ in range(3):
        with pytest.raises(ModelRefusedError):
            llm.complete(_HELLO)
    with pytest.raises(ModelError, match="not asked: mine failed 3 times and never replied"):
        llm.complete(_HELLO)
    assert len(inner.calls) == 3


@pytest.mark.parametrize(("status", "asked"), [(0, 64), (400, 64), (413, 64), (401, 8), (404, 8)])
def test_prompts_that_are_refused_do_not_give_up_the_others(status: int, asked: int) -> None:
    inner = ScriptedLLM([("good", "fine"), (".*", ModelRefusedError("no", status=status))])
    llm = layered(inner, GivingUpLayer("m"))
    for _ in range(70):
        with pytest.raises(ModelError):
            llm.complete(_HELLO)
    assert len(inner.calls) == asked
    llm = layered(inner, GivingUpLayer("m"))
    for _ in range(7):
        with pytest.raises(ModelError):
            llm.complete(_HELLO)
    llm.complete([Message(role="user", content="good")])
    for _ in range(70):
        with pytest.raises(ModelRefusedError):
            llm.complete(_HELLO)


def test_a_model_that_answered_once_is_never_given_up() -> None:
    inner = ScriptedLLM([(".*", ["there", *[ModelRefusedError("no")] * 5, "there again"])])
    llm = layered(inner, GivingUpLayer("mine", patience=2))
    llm.complete(_HELLO)
    for _ in range(5):
        with pytest.raises(ModelRefusedError):
            llm.complete(_HELLO)
    assert llm.complete(_HELLO).text == "there again"


@pytest.mark.parametrize("error", [_busy(250.0), ModelUnavailableError("500", retry_after_s=99.0)])
def test_a_run_that_is_stopped_waits_no_longer(error: ModelError) -> None:
    asked, times = Event(), list[int]()

    def reply(_: str) -> str:
        times.append(1)
        asked.set()
        raise error

    giving_up = GivingUpLayer("m")
    llm = layered(patient(ScriptedLLM([(".*", reply)]), ClewConfig()), giving_up)
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(llm.complete, _HELLO)
        assert asked.wait(10)
        giving_up.stop()
        with pytest.raises(ModelError, match="not asked: the run was stopped"):
            call.result(timeout=60)
    assert len(times) == 1


def test_a_run_that_is_stopped_waits_for_no_minute() -> None:
    inner, first, other = ScriptedLLM([(".*", "there")]), GivingUpLayer("m"), GivingUpLayer("m")
    shared = patient(inner, ClewConfig(llm_requests_per_minute=1))
    layered(shared, first).complete(_HELLO)
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(layered(shared, other).complete, _HELLO)
        other.stop()
        with pytest.raises(ModelError, match="not asked: the run was stopped"):
            call.result(timeout=50)
    assert len(inner.calls) == 1
    assert not is_stopping()


def test_a_budget_that_is_used_up_is_no_failure_of_the_model() -> None:
    llm = layered(ScriptedLLM([(".*", BudgetExceededError("used up"))]), GivingUpLayer("m"))
    for _ in range(20):
        with pytest.raises(BudgetExceededError):
            llm.complete(_HELLO)


def test_layers_hand_on_all_that_is_asked() -> None:
    inner = ScriptedLLM([(".*", "there")])
    layered(inner, ReplyLimitLayer(9)).complete(_HELLO, schema={"type": "object"}, max_tokens=7)
    assert (inner.calls[0].schema, inner.calls[0].max_tokens) == ({"type": "object"}, 7)


def test_a_stopped_run_begins_no_call() -> None:
    inner = ScriptedLLM([(".*", "there")])
    layer = GivingUpLayer("mine")
    layer.stop()
    with pytest.raises(ModelError, match="stopped"):
        layered(inner, layer).complete(_HELLO)
    assert inner.calls == []
