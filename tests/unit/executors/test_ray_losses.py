"""Whom a lost worker is charged to, with a Ray that does what the worst of machines would."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from clew.errors import ExecutorError
from clew.executors.pickled_work import pickled, unpickled
from clew.executors.ray_actors import origin
from clew.executors.ray_cluster import _Crew, _Line

DIES, NOT_YET = object(), object()


class _LostError(Exception):
    """Stands for all of Ray's."""


class _Call:
    value: bytes | None = None
    is_lost = False

    @property
    def is_done(self) -> bool:
        return self.value is not None or self.is_lost


class _Actor:
    """Does all that it has at once. When it dies, what it has just done is lost with it."""

    def __init__(self, do: Callable[[int], object]) -> None:
        self._do = do
        self._waiting: list[tuple[_Call, int]] = []
        self.hello = SimpleNamespace(remote=self._said_hello)
        self.work = SimpleNamespace(remote=self._given)

    def _said_hello(self) -> _Call:
        call = _Call()
        call.value = pickled(origin())
        return call

    def _given(self, item: bytes) -> _Call:
        call = _Call()
        self._waiting.append((call, unpickled(item)))
        return call

    def run(self) -> None:
        done = []
        for call, number in self._waiting:
            found = self._do(number)
            if found is DIES:
                for lost, _ in self._waiting:
                    lost.is_lost = True
                return
            if found is NOT_YET:
                break
            done.append((call, found))
        for call, found in done:
            call.value = pickled((True, found))
        self._waiting = self._waiting[len(done) :]


class _Ray:
    exceptions = SimpleNamespace(
        RayError=_LostError,
        RayActorError=_LostError,
        RaySystemError=_LostError,
        ObjectLostError=_LostError,
    )

    def __init__(self) -> None:
        self.actors: list[_Actor] = []

    def wait(
        self, calls: Sequence[_Call], num_returns: int, timeout: float
    ) -> tuple[list[_Call], None]:
        for actor in self.actors:
            actor.run()
        return [call for call in calls if call.is_done][:num_returns], None

    def get(self, call: _Call) -> bytes | None:
        if call.is_lost:
            raise _LostError("the worker is gone")
        return call.value

    def kill(self, actor: _Actor) -> None:
        self.actors.remove(actor)


def _work(workers: int, count: int, do: Callable[[int], object]) -> tuple[list[int], str]:
    """What is yielded, and what is raised then."""
    ray: Any = _Ray()

    def make() -> _Actor:
        actor = _Actor(do)
        ray.actors.append(actor)
        return actor

    found: list[int] = []
    line = _Line[int, int](_Crew(ray, workers, make), lambda: None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            found.extend(line.work([0], iter(range(1, count))))
        except ExecutorError as error:
            return found, str(error)
    return found, ""


@pytest.mark.parametrize("fatal", [3, 4, 5, 6])
def test_an_item_is_not_charged_for_the_one_after_it(fatal: int) -> None:
    """Its result was on its way whenever the same worker began the next."""
    found, raised = _work(1, 12, lambda number: DIES if number == fatal else number)
    assert found == list(range(fatal))
    assert "the same batch ended 3 workers" in raised


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_an_item_that_ends_two_workers_is_done_by_the_third(workers: int) -> None:
    deaths = {4: 2, 5: 2, 9: 1}

    def do(number: int) -> object:
        if deaths.get(number):
            deaths[number] -= 1
            return DIES
        return number

    assert _work(workers, 30, do) == (list(range(30)), "")
    assert not any(deaths.values())


def test_what_comes_before_an_item_that_ends_workers_is_given_first() -> None:
    """However long it takes."""
    asked = 0

    def do(number: int) -> object:
        nonlocal asked
        if number == 0:
            asked += 1
            return 0 if asked > 20 else NOT_YET
        return DIES if number == 1 else number

    found, raised = _work(2, 9, do)
    assert found == [0]
    assert "the same batch ended 3 workers" in raised
