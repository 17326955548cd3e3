from __future__ import annotations

import gc
import threading
import time
from contextvars import ContextVar

import pytest

from clew.executors.concurrently import as_they_finish, map_concurrently


def test_results_are_in_the_order_of_the_items() -> None:
    def slow_for_early(item: int) -> int:
        time.sleep(0.002 * (5 - item))
        return item * item

    assert map_concurrently(slow_for_early, range(5), 3) == [0, 1, 4, 9, 16]


@pytest.mark.parametrize("concurrency", [1, 2, 5])
def test_no_more_than_so_many_at_a_time(concurrency: int) -> None:
    running, most, lock = 0, 0, threading.Lock()
    together = threading.Barrier(concurrency, timeout=60)

    def count(item: int) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        if item < concurrency:
            together.wait()
        time.sleep(0.003)
        with lock:
            running -= 1

    map_concurrently(count, range(12), concurrency)
    assert most == concurrency


def test_no_thread_for_one_item_or_a_concurrency_of_one() -> None:
    def here(_: int) -> bool:
        return threading.current_thread() is threading.main_thread()

    assert map_concurrently(here, [1], 8) == [True]
    assert map_concurrently(here, [1, 2], 1) == [True, True]
    assert map_concurrently(here, [], 8) == []


def test_the_first_error_in_order_is_raised_and_what_waits_never_begins() -> None:
    begun: list[int] = []
    later_failed = threading.Event()

    def fail(item: int) -> int:
        begun.append(item)
        if item == 0:
            later_failed.wait(60)
        elif item == 1:
            later_failed.set()
        else:
            time.sleep(0.05)
        raise ValueError(f"item {item}")

    with pytest.raises(ValueError, match="item 0"):
        map_concurrently(fail, range(1000), 2)
    assert len(begun) < 1000


def test_threads_see_the_context_of_the_caller() -> None:
    tenant: ContextVar[str] = ContextVar("tenant", default="nobody")
    tenant.set("norr")
    assert map_concurrently(lambda _: tenant.get(), range(3), 3) == ["norr"] * 3


@pytest.mark.parametrize("concurrency", [1, 3])
def test_results_come_as_they_finish_with_their_place(concurrency: int) -> None:
    """The last first, where each waits until the one behind it has come."""
    come = [threading.Event() for _ in range(4)]
    come[3].set()

    def behind_the_next(item: int) -> int:
        assert concurrency == 1 or come[item + 1].wait(60)
        return item * 10

    found = []
    for place, result in as_they_finish(behind_the_next, range(3), concurrency):
        found.append((place, result))
        come[place].set()
    assert found == [(0, 0), (1, 10), (2, 20)][:: 1 if concurrency == 1 else -1]


def test_leaving_early_begins_nothing_more() -> None:
    begun: list[int] = []

    def note(item: int) -> int:
        begun.append(item)
        time.sleep(0.05)
        return item

    for place, _ in as_they_finish(note, range(1000), 2):
        if place >= 3:
            break
    gc.collect()
    assert len(begun) < 1000


def test_an_error_comes_in_its_turn() -> None:
    def fail(item: int) -> int:
        if item == 1:
            raise ValueError("item 1")
        return item

    with pytest.raises(ValueError, match="item 1"):
        list(as_they_finish(fail, range(3), 2))
