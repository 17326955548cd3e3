"""Calls that are made again where that may help."""

from __future__ import annotations

import pytest

from clew.errors import ModelError, ModelRefusedError, ModelUnavailableError, RateLimitError
from clew.models.base import TextKind
from clew.models.patience import asked_again
from clew.models.providers.remote_embedder import RemoteEmbedder


def _script(*failures: Exception) -> tuple[list[float], list[str]]:
    """Ask with these failures first; return the waits and what came."""
    left, waits, came = list(failures), list[float](), list[str]()

    def call() -> str:
        if left:
            raise left.pop(0)
        return "here"

    came.append(asked_again(call, attempts=4, sleep=waits.append))
    return waits, came


def test_waits_grow_and_those_asked_for_are_kept() -> None:
    passing = ModelUnavailableError("down")
    assert _script() == ([], ["here"])
    assert _script(passing, passing, passing) == ([0.5, 1.0, 2.0], ["here"])
    asked = RateLimitError("slow", retry_after_s=7.0)
    assert _script(asked, passing) == ([7.0, 1.0], ["here"])


def test_attempts_end_with_the_last_error() -> None:
    with pytest.raises(ModelUnavailableError, match="4"):
        _script(*[ModelUnavailableError(f"{number}") for number in range(1, 9)])


def test_what_no_wait_mends_is_raised_at_once() -> None:
    for error in (
        ModelRefusedError("no"),
        ModelError("no"),
        RateLimitError("x", retry_after_s=999),
    ):
        with pytest.raises(type(error)):
            _script(error)


def test_a_batch_that_fails_for_a_moment_costs_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    class Busy(RemoteEmbedder):
        fingerprint = "busy"
        failures = 2

        def _rows(self, texts: list[str], kind: TextKind) -> list[list[float]]:
            if self.failures:
                self.failures -= 1
                raise RateLimitError("slow", retry_after_s=3.0)
            return [[1.0, 2.0] for _ in texts]

    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    assert Busy("busy", dimensions=None, attempts=3).embed(["a", "b"]).shape == (2, 2)
    assert waits == [3.0, 3.0]
