from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from threading import Event
from time import sleep
from typing import Any

import pytest

from clew.errors import ModelRefusedError, ReadOnlyStoreError, StoreError, StoreFullError
from clew.models.base import LLM, Completion, Message, PaidReply, StreamingLLM, Usage, UsageEntry
from clew.models.purpose import for_purpose
from clew.models.wrappers.cache import CacheLayer, request_key
from clew.models.wrappers.keeping import Keeping
from clew.models.wrappers.layers import Request, layered
from clew.stores.memory import KnowledgeGraph
from clew.testing import ScriptedLLM, StreamingScriptedLLM

_HELLO = [Message(role="user", content="hello")]
_CACHED = Usage(cached_calls=1)


def _cached(llm: LLM, store: Any) -> LLM:
    return layered(llm, CacheLayer(llm.fingerprint, Keeping(store)))


def test_a_call_is_paid_once() -> None:
    store, inner = KnowledgeGraph(), ScriptedLLM([(".*", "there")])
    first = _cached(inner, store).complete(_HELLO)
    again = _cached(inner, store).complete(_HELLO)
    assert (first.text, again.text) == ("there", "there")
    assert (first.usage.calls, again.usage) == (1, _CACHED)
    assert again.model == first.model
    assert len(inner.calls) == 1


@pytest.mark.parametrize(
    "other",
    [
        {"messages": (Message(role="user", content="hello!"),)},
        {"messages": (Message(role="system", content="hello"),)},
        {"max_tokens": 7},
        {"schema": {"type": "object"}},
    ],
)
def test_what_is_asked_otherwise_is_another_call(other: dict[str, Any]) -> None:
    base: dict[str, Any] = {"messages": tuple(_HELLO), "max_tokens": None, "schema": None}
    request, changed = Request(**base), Request(**base | other)
    assert request_key("m", request) == request_key("m", Request(**base))
    assert request_key("m", changed) != request_key("m", request)
    assert request_key("m/temperature=1", request) != request_key("m", request)


def test_the_reply_is_kept_before_anyone_sees_it() -> None:
    seen: list[str] = []

    class Store(KnowledgeGraph):
        def keep_replies(
            self, replies: Sequence[PaidReply], usage: Iterable[UsageEntry] = ()
        ) -> None:
            seen.append("kept")
            super().keep_replies(replies, usage)

    llm = layered(StreamingScriptedLLM([(".*", "one two")]), CacheLayer("m", Keeping(Store())))
    assert isinstance(llm, StreamingLLM)
    for item in llm.stream(_HELLO):
        seen.append("whole" if isinstance(item, Completion) else "piece")  # noqa: PERF401 - in turn
    assert seen == ["piece", "piece", "kept", "whole"]


def test_a_stream_and_a_call_share_their_replies() -> None:
    store, inner = KnowledgeGraph(), StreamingScriptedLLM([(".*", "one two")])
    llm = _cached(inner, store)
    assert isinstance(llm, StreamingLLM)
    list(llm.stream(_HELLO))
    assert llm.complete(_HELLO).usage == _CACHED
    items = list(llm.stream(_HELLO))
    assert items[0] == "one two"
    assert isinstance(items[1], Completion)
    assert items[1].usage == _CACHED
    assert len(inner.calls) == 1


def test_two_equal_calls_at_once_are_one() -> None:
    begun, finish = Event(), Event()

    def reply(_: str) -> str:
        begun.set()
        finish.wait(10)
        return "there"

    inner = ScriptedLLM([(".*", reply)])
    llm = _cached(inner, KnowledgeGraph())
    with ThreadPoolExecutor(5) as pool:
        calls = [pool.submit(llm.complete, _HELLO) for _ in range(5)]
        assert begun.wait(10)
        finish.set()
        done = [call.result() for call in calls]
    assert {completion.text for completion in done} == {"there"}
    paid = Usage(calls=1, input_tokens=1, output_tokens=1)
    assert sum((completion.usage for completion in done), Usage()) == paid + Usage(cached_calls=4)
    assert len(inner.calls) == 1


def test_who_is_answered_from_memory_is_told() -> None:
    told: list[int] = []
    begun, finish = Event(), Event()

    def reply(_: str) -> str:
        begun.set()
        finish.wait(10)
        return "there"

    keeping = Keeping(KnowledgeGraph())
    llm = layered(ScriptedLLM([(".*", reply)]), CacheLayer("m", keeping, lambda: told.append(1)))
    with ThreadPoolExecutor(3) as pool:
        calls = [pool.submit(llm.complete, _HELLO) for _ in range(3)]
        assert begun.wait(10)
        assert told == []
        finish.set()
        for call in calls:
            call.result()
    assert len(told) == 2, "those that waited for the first"
    llm.complete(_HELLO)
    assert len(told) == 3


def test_a_reply_that_was_cut_is_kept_as_that() -> None:
    class Cut(ScriptedLLM):
        def complete(self, *args: Any, **options: Any) -> Completion:
            return replace(super().complete(*args, **options), truncated=True)

    store, inner = KnowledgeGraph(), Cut([(".*", "the")])
    assert [_cached(inner, store).complete(_HELLO).truncated for _ in range(2)] == [True, True]
    assert len(inner.calls) == 1


def test_what_another_process_brought_meanwhile_is_not_asked() -> None:
    inner = ScriptedLLM([(".*", "mine")])

    class Shared(KnowledgeGraph):
        @contextmanager
        def claimed(self, key: str) -> Iterator[None]:
            _cached(ScriptedLLM([(".*", "theirs")], fingerprint=inner.fingerprint), graph).complete(
                _HELLO
            )
            yield

        def remembered(self, keys: Sequence[str]) -> dict[str, str]:
            return graph.remembered(keys)

    graph = KnowledgeGraph()
    completion = _cached(inner, Shared()).complete(_HELLO)
    assert (completion.text, completion.usage) == ("theirs", _CACHED)
    assert inner.calls == []


def test_a_failure_is_not_kept() -> None:
    inner = ScriptedLLM([(".*", [ModelRefusedError("no"), "there"])])
    llm = _cached(inner, KnowledgeGraph())
    with pytest.raises(ModelRefusedError):
        llm.complete(_HELLO)
    assert llm.complete(_HELLO).text == "there"


def test_an_empty_reply_is_asked_for_again() -> None:
    inner = ScriptedLLM([(".*", [" \n", "there"])])
    llm = _cached(inner, KnowledgeGraph())
    assert llm.complete(_HELLO).text == " \n"
    assert llm.complete(_HELLO).text == "there"


def test_a_reader_who_stops_half_way_hinders_nobody() -> None:
    inner = StreamingScriptedLLM([(".*", "one two")])
    llm = _cached(inner, KnowledgeGraph())
    assert isinstance(llm, StreamingLLM)
    half = llm.stream(_HELLO)
    assert next(half) == "one"
    assert llm.complete(_HELLO).text == "one two"


def test_what_is_kept_goes_with_the_first_of_its_documents() -> None:
    """A reply may tell of each document whose text it was made from."""
    store, inner = KnowledgeGraph(), ScriptedLLM([(".*", "there")])
    with for_purpose(documents=["d1", "d2"]):
        _cached(inner, store).complete(_HELLO)
    assert _cached(inner, store).complete(_HELLO).usage == _CACHED
    store.commit(delete=["d1"])
    assert _cached(inner, store).complete(_HELLO).usage.calls == 1


class _Unwritable(KnowledgeGraph):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def keep_replies(self, replies: Sequence[PaidReply], usage: Iterable[UsageEntry] = ()) -> None:
        raise self.error


def test_a_question_has_its_answer_where_nothing_can_be_written() -> None:
    inner = ScriptedLLM([(".*", "there")])
    llm = _cached(inner, _Unwritable(ReadOnlyStoreError("read only")))
    assert llm.complete(_HELLO).text == "there"
    assert llm.complete(_HELLO).usage == _CACHED, "this process has it"
    with for_purpose(documents=["d1"], question="What is d1 about?"):
        assert llm.complete([Message(role="user", content="evidence")]).text == "there"
    with for_purpose(documents=["d1"]), pytest.raises(ReadOnlyStoreError):
        llm.complete([Message(role="user", content="a document")])


def test_a_full_disk_is_said() -> None:
    llm = _cached(ScriptedLLM([(".*", "there")]), _Unwritable(StoreFullError("full")))
    with pytest.raises(StoreFullError):
        llm.complete(_HELLO)


# --- writing together -----------------------------------------------------------------------------


class _Slow(KnowledgeGraph):
    """Says how many replies each write had; the first one waits until told."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[int] = []
        self.begun, self.go = Event(), Event()

    def keep_replies(self, replies: Sequence[PaidReply], usage: Iterable[UsageEntry] = ()) -> None:
        self.writes.append(len(replies))
        self.begun.set()
        assert self.go.wait(10)
        super().keep_replies(replies, usage)


def _reply(number: int) -> PaidReply:
    return PaidReply(key=f"k{number}", text=str(number))


def test_what_comes_during_a_write_is_written_by_the_next() -> None:
    store = _Slow()
    keeping = Keeping(store)
    with ThreadPoolExecutor(10) as pool:
        first = pool.submit(keeping.keep, _reply(0))
        assert store.begun.wait(10)
        others = [pool.submit(keeping.keep, _reply(number)) for number in range(1, 10)]
        while len(keeping._jobs) < 9:
            sleep(0.001)
        assert not any(other.done() for other in [first, *others])
        store.go.set()
    assert store.writes == [1, 9]
    assert len(store.remembered([f"k{number}" for number in range(10)])) == 10


def test_a_write_that_fails_fails_for_all_who_wait_for_it() -> None:
    keeping = Keeping(_Unwritable(StoreFullError("full")))
    with ThreadPoolExecutor(4) as pool:
        kept = [pool.submit(keeping.keep, _reply(number)) for number in range(4)]
    assert all(isinstance(one.exception(), StoreFullError) for one in kept)


def test_a_write_that_is_broken_off_holds_up_nobody() -> None:
    class Interrupted(_Slow):
        def keep_replies(
            self, replies: Sequence[PaidReply], usage: Iterable[UsageEntry] = ()
        ) -> None:
            super().keep_replies([], usage)
            if len(self.writes) == 1:
                raise KeyboardInterrupt

    store = Interrupted()
    keeping = Keeping(store)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(keeping.keep, _reply(0))
        assert store.begun.wait(10)
        second = pool.submit(keeping.keep, _reply(1))
        while not keeping._jobs:
            sleep(0.001)
        store.go.set()
    assert isinstance(first.exception(), KeyboardInterrupt)
    assert isinstance(second.exception(), StoreError)
    keeping.keep(_reply(2))
