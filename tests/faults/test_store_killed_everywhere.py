"""Kills, failing disks and company at a store: the small editions of what `benchmarks/stores` runs
by the hundred.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from benchmarks.stores.faults import cases, no_larger_files, small_files
from benchmarks.stores.kills import run_kills, small_stores_signed
from benchmarks.stores.together import run_together

from clew.errors import StoreError, StoreFullError
from clew.stores.base import EmbeddingSpace, Scores
from clew.stores.sqlite import SQLiteStore
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import assert_same_document, problems

_DOCUMENTS = made_documents(12, seed=31)
_NEW_SPACE = EmbeddingSpace(fingerprint="new", dimensions=4)


def test_a_dozen_kills_lose_nothing(tmp_path: Path) -> None:
    with small_stores_signed():
        report = run_kills(12, seed=4, folder=tmp_path)
    assert report.faults == []
    assert sum(report.kills.values()) == 12


def test_two_writers_and_four_readers(tmp_path: Path) -> None:
    told = run_together(tmp_path / "s.clew", seconds=1)
    assert [one.error for one in told] == [""] * 6
    assert all(one.turns for one in told)


def test_no_room_for_any_kind_of_change(tmp_path: Path) -> None:
    notes, outcomes = tmp_path / "notes", []
    with small_stores_signed():
        for case in cases(tmp_path, notes, None):
            for limit, outcome in small_files(case, notes, tmp_path, 640 << 10):
                outcomes.append(f"{case.step.name}, {limit}: {outcome}")
    refused = [outcome for outcome in outcomes if not outcome.endswith("absorbed")]
    assert len(refused) >= 5  # each kind of change at least where there is no room at all
    assert all(outcome.endswith("refused: full") for outcome in refused), refused


_CHANGES: dict[str, Callable[[SQLiteStore], object]] = {
    "adding": lambda store: store.commit(_DOCUMENTS[6:], embedding=SPACE),
    "deleting": lambda store: store.commit(delete=[_DOCUMENTS[0].document.id]),
    "compacting": lambda store: store.compact(),
    "embedding anew": lambda store: store.replace_vectors(_NEW_SPACE, _new_vectors(store)),
}


def _new_vectors(store: SQLiteStore) -> Iterator[tuple[str, Scores, Scores]]:
    for document in store.list_documents():
        indexed = store.load_document(document.id)
        assert indexed is not None
        chunks, units = (len(records) for records in (indexed.chunks, indexed.units))
        yield document.id, np.full((chunks, 4), 0.5, "f4"), np.full((units, 4), 0.5, "f4")


@pytest.mark.parametrize("name", sorted(_CHANGES))
def test_an_open_store_goes_on_when_room_is_given_back(tmp_path: Path, name: str) -> None:
    with small_stores_signed(), SQLiteStore.open(tmp_path / "s.clew") as store:
        store.commit(_DOCUMENTS[:6], embedding=SPACE)
        store.commit(_DOCUMENTS[:2], embedding=SPACE)
        before, refused, limit = store.list_documents(), 0, 0
        while True:
            try:
                with no_larger_files(limit):
                    _CHANGES[name](store)
                break
            except StoreFullError:
                refused += 1
                limit += 64 << 10
                assert store.list_documents() == before
                assert problems(store) == []
        assert refused
        assert problems(store) == []
        assert (store.list_documents() == before) == (name in {"compacting", "embedding anew"})


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
