from __future__ import annotations

from clew.indexing.call_progress import CallProgress
from clew.models.base import Usage
from clew.models.wrappers.ledger import Spent
from clew.records import Document
from clew.testing import FakeClock


def _documents(count: int) -> list[Document]:
    return [
        Document(id=f"d{number}", doc_id=f"d{number}", text="x" * 1000) for number in range(count)
    ]


def _spent(calls: int, cost: float | None = 0.5, cached: int = 0) -> Spent:
    return Spent(usage=Usage(calls=calls, cached_calls=cached), cost=cost, currency="EUR")


def test_before_any_call_the_texts_say_how_many_there_will_be() -> None:
    clock = FakeClock()
    progress = CallProgress(1000, 2, clock.now)
    progress.read(_documents(10))
    assert progress.text(_spent(0), 40) == "extract: 0 calls, 0.0 calls/s"
    clock.sleep(2.0)
    expected = "extract: 4 calls, 2.0 calls/s, 0.5000 EUR, about 8 s left"
    assert progress.text(_spent(4), 40) == expected, "40,000 characters are 20 calls"


def test_after_some_calls_they_do() -> None:
    clock = FakeClock()
    progress = CallProgress(1000, 2, clock.now)
    progress.read(_documents(10))
    clock.sleep(10.0)
    progress.done(_documents(10), _spent(10))
    said = progress.text(_spent(10, cost=None), 2000)
    assert said == "extract: 10 calls, 1.0 calls/s, cost unknown, about 33 min left"


def test_replies_from_the_cache_are_calls_that_cost_nothing() -> None:
    clock = FakeClock()
    progress = CallProgress(1000, 1, clock.now)
    progress.read(_documents(4))
    clock.sleep(1.0)
    progress.done(_documents(4), _spent(0, cached=4))
    said = progress.text(_spent(0, cached=4), 4)
    assert said == "extract: 4 calls, 4.0 calls/s, about 0 s left"


def test_chunks_are_counted_where_they_are_known() -> None:
    clock = FakeClock()
    progress = CallProgress(1000, 2, clock.now)
    progress.read(_documents(10), 60)
    clock.sleep(1.0)
    assert progress.text(_spent(10), 10).endswith("about 2 s left"), "60 chunks are 30 calls"


def test_calls_beyond_the_first_round_promise_no_end() -> None:
    clock = FakeClock()
    progress = CallProgress(1000, 1, clock.now)
    progress.read(_documents(4), 4)
    clock.sleep(1.0)
    assert progress.text(_spent(7), 4) == "extract: 7 calls, 7.0 calls/s, 0.5000 EUR"


def test_slow_models_are_told_by_the_minute() -> None:
    clock = FakeClock()
    progress = CallProgress(1000, 1, clock.now)
    progress.read(_documents(4), 4)
    clock.sleep(20.0)
    said = progress.text(_spent(1, cost=None), 4)
    assert said == "extract: 1 calls, 3.0 calls/min, cost unknown, about 60 s left"
