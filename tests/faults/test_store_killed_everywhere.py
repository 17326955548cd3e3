"""Kills, failing disks and company at a store: the small editions of what `benchmarks/stores` runs
by the hundred.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from benchmarks.stores.kills import run_kills
from benchmarks.stores.together import run_together

from clew.errors import StoreError, StoreFullError
from clew.stores.sqlite import SQLiteStore
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import assert_same_document, problems

_DOCUMENTS = made_documents(12, seed=31)


def test_a_dozen_kills_lose_nothing(tmp_path: Path) -> None:
    report = run_kills(12, seed=4, folder=tmp_path)
    assert report.faults == []
    assert sum(report.kills.values()) == 12


def test_two_writers_and_four_readers(tmp_path: Path) -> None:
    told = run_together(tmp_path / "s.clew", seconds=1)
    assert [one.error for one in told] == [""] * 6
    assert all(one.turns for one in told)


class _FailingDisk:
    """Syncs fail after so many that do not."""

    def __init__(self, error: int, allowed: int) -> None:
        self.error, self.allowed = error, allowed

    def sync(self, _: int) -> None:
        self.allowed -= 1
        if self.allowed < 0:
            raise OSError(self.error, os.strerror(self.error))


@pytest.mark.parametrize("allowed", range(4))
@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (errno.EIO, StoreError, "See to the disk"),
        (errno.ENOSPC, StoreFullError, r"MB are free.*Make room"),
    ],
)
def test_vectors_that_cannot_be_synced(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    allowed: int,
    error: int,
    kind: type[StoreError],
    said: str,
) -> None:
    path = tmp_path / "s.clew"
    disk = _FailingDisk(error, allowed)
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS[:6], embedding=SPACE)
        before = store.stats(), store.generation
        for name in ("fdatasync", "fsync"):
            monkeypatch.setattr(os, name, disk.sync)
        if allowed < 3:  # two files of vectors, and their folder
            with pytest.raises(kind, match=said):
                store.commit(_DOCUMENTS[6:], embedding=SPACE)
            assert (store.stats(), store.generation) == before
            assert problems(store) == []
        monkeypatch.undo()
        store.commit(_DOCUMENTS[6:], embedding=SPACE)
        assert problems(store) == []
    with SQLiteStore.open(path) as store:
        for indexed in _DOCUMENTS:
            assert_same_document(store.load_document(indexed.document.id), indexed)
