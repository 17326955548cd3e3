from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier, Event, Lock
from time import sleep
from typing import Any

import pytest

from clew.config import ClewConfig
from clew.errors import (
    BudgetExceededError,
    ConfigError,
    ModelUnavailableError,
    RateLimitError,
    StoreLockedError,
)
from clew.models.base import Completion, Message, PaidReply, StreamingLLM, Usage, UsageEntry
from clew.models.purpose import for_purpose
from clew.models.wrappers.budget import BudgetLayer
from clew.models.wrappers.estimates import Estimates
from clew.models.wrappers.keeping import Keeping
from clew.models.wrappers.layers import Request, layered
from clew.models.wrappers.ledger import LedgerLayer
from clew.models.wrappers.prices import Price, PriceTable
from clew.models.wrappers.rates import RateLayer
from clew.models.wrappers.stack import patient, wrapped
from clew.stores.memory import KnowledgeGraph
from clew.testing import FakeClock, ScriptedLLM, StreamingScriptedLLM

_EURO = Price(input=1_000_000, output=2_000_000, currency="EUR")
"""A euro for each token of a prompt, two for each of a reply."""


def _words(text: str) -> int:
    return len(text.split())


def _ask(text: str) -> list[Message]:
    return [Message(role="user", content=text)]


def _request(text: str, max_tokens: int | None = None) -> Request:
    return Request(messages=tuple(_ask(text)), max_tokens=max_tokens)


# --- estimates ------------------------------------------------------------------------------------


def test_an_estimate_learns_from_what_was_used() -> None:
    estimates = Estimates(_words, ratio=0.5)
    first = estimates.of(_request("word " * 100))
    assert (first.counted, first.input_tokens, first.output_tokens) == (100, 100, 50)
    estimates.told(first, "", Usage(calls=1, input_tokens=120, output_tokens=24))
    second = estimates.of(_request("word " * 200))
    assert (second.counted, second.input_tokens, second.output_tokens) == (200, 240, 48)
    estimates.told(second, "", Usage(calls=1, input_tokens=240, output_tokens=120))
    assert estimates.of(_request("word " * 100)).output_tokens == 60, "the longest counts"
    estimates.told(
        estimates.of(_request("word " * 100)), "", Usage(calls=1, input_tokens=120, output_tokens=6)
    )
    assert estimates.of(_request("word " * 100)).output_tokens == 60, "also when it was not last"
    assert estimates.of(_request("word " * 100, max_tokens=30)).output_tokens == 30


def test_what_a_provider_does_not_state_is_estimated() -> None:
    estimates = Estimates(_words, ratio=0.5)
    used = estimates.told(estimates.of(_request("a b c")), "one two", Usage(calls=1))
    assert (used.input_tokens, used.output_tokens) == (3, 2)


# --- requests and tokens a minute -----------------------------------------------------------------


def _limited(
    clock: FakeClock, *, requests: int | None = None, tokens: int | None = None
) -> Callable[[str], float]:
    """A function that makes a call and says at what time it was made."""
    times: list[float] = []

    def reply(_: str) -> str:
        times.append(clock.now())
        return "w " * 10

    estimates = Estimates(_words, ratio=0.0)
    layer = RateLayer(requests=requests, tokens=tokens, estimates=estimates, clock=clock)
    llm = layered(ScriptedLLM([(".*", reply)]), layer)

    def call(prompt: str) -> float:
        llm.complete(_ask(prompt))
        return times[-1]

    return call


def test_no_more_requests_than_allowed_in_any_minute() -> None:
    clock = FakeClock()
    call = _limited(clock, requests=3)
    assert [call("hello") for _ in range(7)] == [0, 0, 0, 60, 60, 60, 120]


def test_tokens_are_put_right_after_the_call() -> None:
    clock = FakeClock()
    call = _limited(clock, tokens=100)
    assert call("w " * 40) == 0.0  # 40 + 10 used, where 40 + 16 was expected
    assert call("w " * 20) == 0.0  # 80 in all
    assert call("w " * 10) == 60.0


def test_tokens_of_a_reply_that_was_longer_than_expected_fill_the_minute() -> None:
    class Unstated(ScriptedLLM):
        def complete(self, *args: Any, **options: Any) -> Completion:
            return replace(super().complete(*args, **options), usage=Usage(calls=1))

    clock = FakeClock()
    layer = RateLayer(
        requests=None, tokens=110, estimates=Estimates(_words, ratio=0.0), clock=clock
    )
    llm = layered(Unstated([(".*", "w " * 100)]), layer)
    llm.complete(_ask("w"))
    assert clock.now() == 0.0
    llm.complete(_ask("w"))
    assert clock.now() == 60.0


def test_a_call_larger_than_a_minute_has_one_to_itself() -> None:
    clock = FakeClock()
    call = _limited(clock, tokens=100)
    assert call("w") == 0.0
    assert call("w " * 500) == 60.0
    assert call("w") == 120.0


# --- prices ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fingerprint", "price"),
    [
        ("openai/gpt-4o-mini/temperature=0.0", (0.15, 0.60)),
        ("openai/gpt-4o-mini-2024-07-18/seed=1/temperature=0.0", (0.15, 0.60)),
        ("openai/gpt-4o/temperature=0.0", (2.50, 10.0)),
        ("anthropic/claude-haiku-4-5-20251001", (1.0, 5.0)),
        ("groq/openai/gpt-oss-120b/temperature=0.0", (0.15, 0.60)),
        ("ollama/llama3/http://10.0.0.7:11434/temperature=0.0", (0.0, 0.0)),
        ("openai/gpt-4o-mini/http://10.0.0.7:8000/v1/temperature=0.0", None),
        ("openai/gpt-9", None),
        ("anthropic/claude-sonnet-4-9", None),
        ("scripted-llm", None),
    ],
)
def test_packaged_prices(fingerprint: str, price: tuple[float, float] | None) -> None:
    found = PriceTable().price_of(fingerprint)
    assert (None if found is None else (found.input, found.output)) == price
    assert found is None or (found.currency == "USD" and found.as_of)


def test_prices_of_ones_own_come_first(tmp_path: Path) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text(
        "currency: EUR\nmodels:\n"
        "  gpt-4o-mini: {input: 1, output: 2}\n  mine/*: {input: 0, output: 3}\n"
        "  mine/seven-*: {input: 0, output: 7}\n",
        encoding="utf-8",
    )
    table = PriceTable(path)
    at_home = table.price_of("openai/gpt-4o-mini/http://10.0.0.7:8000/v1/temperature=0.0")
    assert at_home is not None
    assert (at_home.input, at_home.output, at_home.currency) == (1.0, 2.0, "EUR")
    mine = table.price_of("mine/seven/temperature=1")
    assert mine is not None
    assert mine.output == 3.0
    seventh = table.price_of("mine/seven-7")
    assert seventh is not None
    assert seventh.output == 7.0, "what is named most closely"
    assert table.price_of("openai/gpt-4o/temperature=0.0") is not None, "the packaged ones too"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("models: [", "not valid YAML"),
        ("prices: {}", "expected prices under `models:`"),
        ("curency: EUR\nmodels: {}", "'curency' is not one of .*did you mean 'currency'"),
        ("models:\n  m: {input: 1, output: 2, outputs: 3}", "did you mean 'output'"),
        ("models:\n  m: 3", r"prices.yaml: m: input=None must be a price"),
        ("models:\n  m: {input: 1}", "output=None"),
        ("models:\n  m: {input: -1, output: 2}", "input=-1"),
        ("models:\n  m: {input: 1, output: .nan}", "output=nan"),
        ("models:\n  m: {input: yes, output: 1}", "input=True"),
    ],
)
def test_a_wrong_file_of_prices_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        PriceTable(path)
    with pytest.raises(ConfigError, match=r"absent\.yaml"):
        PriceTable(tmp_path / "absent.yaml")


def test_a_price_is_per_million() -> None:
    usage = Usage(calls=3, input_tokens=2_000_000, output_tokens=500_000, cached_calls=9)
    assert Price(input=0.15, output=0.6, currency="USD").of(usage) == pytest.approx(0.6)


# --- the budget -----------------------------------------------------------------------------------


def _budget(most: float, *, ratio: float = 1.0) -> BudgetLayer:
    estimates = Estimates(_words, ratio=ratio)
    return BudgetLayer(most, price=_EURO, name="mine", estimates=estimates)


def test_a_call_that_would_exceed_the_budget_is_not_made() -> None:
    inner = ScriptedLLM([(".*", "w " * 20)])  # 20 + 2 · 20 = 60
    budget = _budget(150)
    llm = layered(inner, budget)
    for _ in range(2):
        llm.complete(_ask("w " * 20))
    with pytest.raises(BudgetExceededError, match=r"120\.0000 of llm_max_cost=150 EUR is spent"):
        llm.complete(_ask("w " * 20))
    assert len(inner.calls) == 2
    assert budget.spent == 120
    assert budget.refused


def test_calls_at_the_same_time_reserve_what_they_may_cost() -> None:
    together = Barrier(2, timeout=10)

    def reply(_: str) -> str:
        together.wait()
        return "w " * 20

    inner = ScriptedLLM([(".*", reply)])
    budget = _budget(179)
    llm = layered(inner, budget)

    def call(_: int) -> bool:
        try:
            llm.complete(_ask("w " * 20))
        except BudgetExceededError:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        made = list(pool.map(call, range(6)))
    assert sum(made) == 2
    assert budget.spent == 120


def test_replies_longer_than_expected_do_not_exceed_it_at_the_same_time() -> None:
    together: list[int] = []

    def reply(_: str) -> str:
        together.append(1)
        Event().wait(0.02)  # the others would come meanwhile
        assert len(together) < 3 or budget.spent, "nobody knows yet how long replies get"
        return "w " * 100

    inner = ScriptedLLM([(".*", reply)])  # 20 + 2 · 100 = 220, where 0.5 · 20 were expected
    budget = _budget(1000, ratio=0.5)
    llm = layered(inner, budget)

    def call(_: int) -> bool:
        try:
            llm.complete(_ask("w " * 20), max_tokens=400)
        except BudgetExceededError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(call, range(8)))
    assert sum(made) == 4, "those that find no room wait until it is known what is left"
    assert budget.spent == 880


def test_a_call_within_a_stream_of_its_own_does_not_wait_for_itself() -> None:
    budget = _budget(100)
    llm = layered(StreamingScriptedLLM([(".*", "w " * 20)]), budget)
    assert isinstance(llm, StreamingLLM)
    pieces = llm.stream(_ask("w " * 20))
    next(pieces)
    with pytest.raises(BudgetExceededError):
        llm.complete(_ask("w " * 20))


def test_a_call_that_fails_costs_nothing() -> None:
    budget = _budget(60)
    llm = layered(ScriptedLLM([(".*", [ModelUnavailableError("500"), "w " * 20])]), budget)
    with pytest.raises(ModelUnavailableError):
        llm.complete(_ask("w " * 20))
    assert budget.spent == 0
    llm.complete(_ask("w " * 20))
    assert budget.spent == 60


def test_a_stream_that_is_broken_off_costs_its_estimate() -> None:
    budget = _budget(100)
    llm = layered(StreamingScriptedLLM([(".*", "w " * 20)]), budget)
    assert isinstance(llm, StreamingLLM)
    pieces = llm.stream(_ask("w " * 20))
    next(pieces)
    getattr(pieces, "close")()  # noqa: B009 - the protocol promises an iterator only
    assert budget.spent == 60


# --- the books ------------------------------------------------------------------------------------


def _books(
    price: Price | None, store: KnowledgeGraph | None, usage: Usage | None = None
) -> tuple[LedgerLayer, Callable[[], object]]:
    keeping = None if store is None else Keeping(store)
    ledger = LedgerLayer(
        "mine",
        keeping,
        scope="s",
        price=price,
        estimates=Estimates(_words),
        today=lambda: "2031-04-05",
    )
    inner = ScriptedLLM([(".*", "one two three")])
    if usage is not None:
        original = inner.complete

        def complete(messages: object, **options: object) -> object:
            made = original(messages, **options)  # type: ignore[arg-type]
            return made.__class__(text=made.text, usage=usage, model=made.model)

        inner.complete = complete  # type: ignore[method-assign,assignment]
    llm = layered(inner, *([] if keeping is None else [keeping]), ledger)
    return ledger, lambda: llm.complete(_ask("a b c d e"))


def test_each_document_bears_its_share() -> None:
    store = KnowledgeGraph()
    ledger, call = _books(_EURO, store)
    with for_purpose(stage="extraction", documents=["d1", "d2"]):
        call()
    first, second = store.usage()
    assert (first.document_id, second.document_id) == ("d1", "d2")
    assert {first.scope, first.day, first.stage, first.model} == {
        "s", "2031-04-05", "extraction", "mine"
    }  # fmt: skip
    assert first.usage == Usage(calls=1, input_tokens=3, output_tokens=2)
    assert second.usage == Usage(input_tokens=2, output_tokens=1)
    assert (first.cost, second.cost) == (5.5, 5.5)
    assert (first.estimated_tokens, second.estimated_tokens) == (3, 2)
    assert ledger.spent.usage == Usage(calls=1, input_tokens=5, output_tokens=3)
    assert (ledger.spent.cost, ledger.spent.currency) == (11.0, "EUR")


def test_the_time_of_a_call_is_that_of_all_its_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([10.0, 14.0, 20.0, 21.0])
    monkeypatch.setattr("clew.models.wrappers.ledger.time.perf_counter", lambda: next(times))
    store = KnowledgeGraph()
    _, call = _books(_EURO, store)
    with for_purpose(stage="extraction", documents=["d1", "d2"]):
        call()
    with for_purpose(stage="extraction", documents=["d2"]):
        call()
    assert [entry.seconds for entry in store.usage()] == [2.0, 3.0]


def test_a_question_is_named() -> None:
    store = KnowledgeGraph()
    _, call = _books(_EURO, store)
    with for_purpose(stage="answer", question="Who built it?"):
        call()
        call()
    (entry,) = store.usage()
    assert (entry.stage, entry.question, entry.usage.calls) == ("answer", "Who built it?", 2)


def test_an_unknown_price_makes_an_unknown_cost() -> None:
    store = KnowledgeGraph()
    ledger, call = _books(None, store)
    call()
    assert ledger.spent.cost is None
    assert [entry.cost for entry in store.usage()] == [None]


def test_tokens_that_are_not_stated_make_an_unknown_cost() -> None:
    ledger, call = _books(_EURO, None, Usage(calls=1))
    call()
    assert ledger.spent.cost is None
    free, call_free = _books(Price(input=0, output=0, currency="EUR"), None, Usage(calls=1))
    call_free()
    assert free.spent.cost == 0.0


def test_cached_replies_cost_nothing() -> None:
    store = KnowledgeGraph()
    ledger, _ = _books(_EURO, store)
    ledger.hit()
    assert ledger.spent.cost == 0.0
    with for_purpose(stage="answer"):
        ledger.hit()
    assert ledger.spent.usage == Usage(cached_calls=2)


def test_a_model_that_does_not_count_calls_made_one() -> None:
    store = KnowledgeGraph()
    ledger, call = _books(_EURO, store, Usage())
    call()
    assert ledger.spent.usage == Usage(calls=1)
    assert ledger.spent.cost is None
    (entry,) = store.usage()
    assert (entry.usage, entry.estimated_tokens) == (Usage(calls=1), 0)


def test_entries_wait_while_the_store_is_held_by_another() -> None:
    class Busy(KnowledgeGraph):
        locked = True

        def keep_replies(
            self, replies: Sequence[PaidReply], usage: Iterable[UsageEntry] = ()
        ) -> None:
            if self.locked:
                raise StoreLockedError("held")
            super().keep_replies(replies, usage)

    store = Busy()
    _, call = _books(_EURO, store)
    call()
    assert store.usage() == []
    store.locked = False
    call()
    assert [entry.usage.calls for entry in store.usage()] == [2]


# --- all together ---------------------------------------------------------------------------------


def test_a_patient_model_is_not_wrapped_twice() -> None:
    once = patient(ScriptedLLM([]), ClewConfig())
    assert patient(once, ClewConfig()) is once


def test_a_reply_that_is_kept_needs_no_budget_no_place_and_no_patience(tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("models:\n  mine: {input: 1000000, output: 1000000}", encoding="utf-8")
    store = KnowledgeGraph()
    inner = ScriptedLLM([(".*", "there")], fingerprint="mine")
    rich = ClewConfig(llm_prices=str(prices), llm_max_cost=1000.0)
    wrapped(inner, rich, store).llm.complete(_ask("hello"))
    poor = wrapped(inner, rich.replace(llm_max_cost=0.0), store)
    assert poor.llm.complete(_ask("hello")).usage == Usage(cached_calls=1)
    with pytest.raises(BudgetExceededError):
        poor.llm.complete(_ask("something else"))
    assert poor.spent.cost == 0.0
    assert len(inner.calls) == 1


def test_without_the_cache_each_call_is_made() -> None:
    store, inner = KnowledgeGraph(), ScriptedLLM([(".*", "there")])
    run = wrapped(inner, ClewConfig(llm_cache=False), store)
    run.llm.complete(_ask("hello"))
    run.llm.complete(_ask("hello"))
    assert len(inner.calls) == 2
    assert run.spent.usage.calls == 2
    assert sum(entry.usage.calls for entry in store.usage()) == 2


def test_the_next_call_begins_when_the_reply_of_one_before_is_safe() -> None:
    lock, begun, safe, most = Lock(), 0, 0, 0

    class Slow(KnowledgeGraph):
        def keep_replies(
            self, replies: Sequence[PaidReply], usage: Iterable[UsageEntry] = ()
        ) -> None:
            nonlocal safe
            sleep(0.01)  # in which who has a place would ask again
            super().keep_replies(replies, usage)
            with lock:
                safe += len(replies)

    def reply(_: str) -> str:
        nonlocal begun, most
        with lock:
            begun += 1
            most = max(most, begun - safe)
        return "there"

    run = wrapped(ScriptedLLM([(".*", reply)]), ClewConfig(), Slow(), concurrency=2)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda number: run.llm.complete(_ask(str(number))), range(12)))
    assert (begun, safe) == (12, 12)
    assert most == 2, "who is killed now pays again for two calls and no more"


def test_a_budget_needs_a_price() -> None:
    config = ClewConfig(llm_max_cost=1.0)
    with pytest.raises(ConfigError, match=r"(?s)llm_max_cost=1 cannot be kept.*models:.*mine:"):
        wrapped(ScriptedLLM([], fingerprint="mine"), config)


def test_limits_are_those_of_the_settings() -> None:
    clock = FakeClock()
    inner = ScriptedLLM([(".*", [RateLimitError("busy", retry_after_s=3.0), "there"])])
    config = ClewConfig(llm_requests_per_minute=1, llm_max_tokens=40, llm_concurrency=1)
    llm = wrapped(patient(inner, config, clock), config).llm
    assert llm.complete(_ask("hello")).text == "there"
    assert clock.now() == pytest.approx(60.0), "the second attempt is a request too"
    assert [call.max_tokens for call in inner.calls] == [40, 40]


def _always_busy(config: ClewConfig, wait_s: float) -> tuple[int, float]:
    """How many calls are made, and how long is waited, before the model is given up."""
    clock, inner = FakeClock(), ScriptedLLM([(".*", RateLimitError("busy", retry_after_s=wait_s))])
    with pytest.raises(RateLimitError):
        patient(inner, config, clock).complete(_ask("hello"))
    return len(inner.calls), clock.now()


def test_attempts_and_the_longest_wait_are_those_of_the_settings() -> None:
    assert _always_busy(ClewConfig(llm_attempts=2), 50.0) == (2, 50.0)
    assert _always_busy(ClewConfig(llm_attempts=4), 50.0) == (4, 150.0)
    assert _always_busy(ClewConfig(llm_attempts=4, llm_longest_wait_s=49.0), 50.0) == (1, 0.0)
    assert _always_busy(ClewConfig(llm_attempts=2, llm_longest_wait_s=999.0), 500.0) == (2, 500.0)


def test_tokens_a_minute_are_those_of_the_settings() -> None:
    def end(most: int | None) -> float:
        clock, inner = FakeClock(), ScriptedLLM([(".*", "word " * 40)])
        llm = patient(inner, ClewConfig(llm_tokens_per_minute=most), clock)
        for _ in range(2):
            llm.complete(_ask("word " * 40))
        return clock.now()

    assert (end(None), end(1000), end(100)) == (0.0, 0.0, 60.0)


@pytest.mark.parametrize("most", [1, 2])
def test_calls_under_way_are_as_many_as_the_settings_allow(most: int) -> None:
    lock, together, under_way = Lock(), Event(), [0, 0]

    def reply(_: str) -> str:
        with lock:
            under_way[0] += 1
            under_way[1] = max(under_way)
            if under_way[0] > most:
                together.set()
        together.wait(0.02)  # time for one too many
        with lock:
            under_way[0] -= 1
        return "there"

    config = ClewConfig(llm_concurrency=most)
    llm = patient(ScriptedLLM([(".*", reply)]), config)
    runs = [wrapped(llm, config).llm for _ in range(3)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda number: runs[number % 3].complete(_ask(str(number))), range(6)))
    assert under_way == [0, under_way[1]]
    assert under_way[1] <= most
