"""The garbage collector rests while batches are indexed, and is back afterwards."""

from __future__ import annotations

import gc

import pytest

from clew.indexing.collector import collector_at_rest


def test_it_is_off_inside_and_on_again_after_an_error() -> None:
    assert gc.isenabled()
    with pytest.raises(ValueError, match="disk"), collector_at_rest():  # noqa: PT012
        assert not gc.isenabled()
        raise ValueError("disk")
    assert gc.isenabled()


def test_who_had_switched_it_off_finds_it_off() -> None:
    gc.disable()
    try:
        with collector_at_rest():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_it_runs_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: runs.append(1))
    with collector_at_rest() as collector:
        for _ in range(33):
            collector.batch_done()
    assert len(runs) == 2
