"""A flipped bit anywhere in a store changes nothing, or is named: by whoever reads what was hit,
and by the check in any case.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections import Counter
from contextlib import closing, nullcontext
from pathlib import Path
from random import Random

import numpy as np
import pytest
from benchmarks.stores.damage import FAULTS, look, make_store, try_one, undamaged
from benchmarks.stores.kills import small_stores_signed

from clew.errors import StoreCorruptError
from clew.stores.sqlite import SQLiteStore
from clew.stores.sqlite.seals import NO_SUM, first_damaged, seal, sums_of
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import assert_same_document, problems

_FLIPS = 15
_DOCUMENTS = made_documents(8, seed=21)


@pytest.mark.parametrize("signed", [False, True], ids=["scanned", "signed"])
@pytest.mark.parametrize("killed", [False, True], ids=["closed", "killed"])
def test_a_flip_anywhere_is_named_or_harmless(tmp_path: Path, killed: bool, signed: bool) -> None:
    store = tmp_path / "s.clew"
    random = Random(11 + signed)
    with small_stores_signed() if signed else nullcontext():
        make_store(store, killed=killed)
        expected = undamaged(store, tmp_path)
        outcomes = [try_one(store, expected, random, tmp_path) for _ in range(_FLIPS)]
    faults = [item for item in outcomes if item.kind in FAULTS]
    assert not faults, faults[0]
    counts = Counter(item.kind for item in outcomes)
    assert counts["named"], counts


def test_every_bit_of_a_vector_counts() -> None:
    vectors = np.random.default_rng(1).normal(size=(3, 5)).astype(np.float32)
    for dimensions in (4, 5):
        rows = np.ascontiguousarray(vectors[:, :dimensions])
        sums = sums_of(rows)
        for bit in range(rows.nbytes * 8):
            damaged = bytearray(rows.tobytes())
            damaged[bit // 8] ^= 1 << bit % 8
            found = np.frombuffer(bytes(damaged), np.float32).reshape(rows.shape)
            assert first_damaged(found, sums) == bit // (32 * dimensions)
        assert first_damaged(rows, sums) is None
        assert first_damaged(rows + 1, np.full(3, NO_SUM)) is None


def test_a_seal_is_the_same_everywhere() -> None:
    assert seal((1, "é食", None, 0.5)) == 4060681328


@pytest.mark.parametrize("signed", [False, True], ids=["scanned", "signed"])
def test_a_damaged_vector_is_named_with_its_file_and_place(tmp_path: Path, signed: bool) -> None:
    path = tmp_path / "s.clew"
    with small_stores_signed() if signed else nullcontext():
        _see_a_damaged_vector_named(path)


def _see_a_damaged_vector_named(path: Path) -> None:
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS, embedding=SPACE)
    file = next((path / "vectors").glob("unit-*.f32"))
    data = bytearray(file.read_bytes())
    data[5 * SPACE.dimensions * 4 + 3] ^= 1
    file.write_bytes(data)
    query = np.full(SPACE.dimensions, SPACE.dimensions**-0.5, np.float32)
    with SQLiteStore.open(path) as store:
        with pytest.raises(StoreCorruptError, match=rf"{file.name} is damaged: its vector 5 "):
            store.search_vectors("unit", query, 3)
        assert {problem.kind for problem in store.check()} == {"vectors"}
        assert len(store.search_vectors("chunk", query, 3).numbers) == 3


def test_a_log_that_lost_a_commit_is_named_before_anything_is_changed(tmp_path: Path) -> None:
    path, crashed = tmp_path / "s.clew", tmp_path / "crashed.clew"
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS[:4], embedding=SPACE)
        store.commit(_DOCUMENTS[4:], embedding=SPACE)
        shutil.copytree(path, crashed)
    log = crashed / "main.db-wal"
    data = bytearray(log.read_bytes())
    data[-100] ^= 1
    log.write_bytes(data)
    for read_only in (True, False):
        with pytest.raises(StoreCorruptError, match=r"main\.db-wal is damaged: generation 2 was"):
            SQLiteStore.open(crashed, read_only=read_only)
    assert log.read_bytes() == data
    (crashed / "main.db-note").unlink()
    with SQLiteStore.open(crashed) as store:
        assert store.generation == 1
        assert problems(store) == []


@pytest.mark.parametrize("killed", [False, True], ids=["closed", "killed"])
def test_a_head_that_makes_a_database_read_only_is_damage(tmp_path: Path, killed: bool) -> None:
    path = tmp_path / "s.clew"
    make_store(path, killed=killed)
    data = (path / "main.db").read_bytes()
    for bit in range(16):
        damaged = bytearray(data)
        damaged[18 + bit // 8] ^= 1 << bit % 8
        if 1 <= damaged[18 + bit // 8] <= 2:
            continue
        (path / "main.db").write_bytes(damaged)
        with pytest.raises(StoreCorruptError, match=r"main\.db: its first bytes are damaged"):
            SQLiteStore.open(path)


def _flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def test_an_index_that_lost_a_document_is_mended(tmp_path: Path) -> None:
    whole, path = tmp_path / "whole.clew", tmp_path / "s.clew"
    with SQLiteStore.open(whole) as store:
        store.commit(_DOCUMENTS, embedding=SPACE)
    lost, id_ = _DOCUMENTS[3], _DOCUMENTS[3].document.id
    places = [
        found.start() for found in re.finditer(id_.encode(), (whole / "main.db").read_bytes())
    ]
    outcomes: Counter[str] = Counter()
    for place in places:
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(whole, path)
        _flip(path / "main.db", place + 2)
        with SQLiteStore.open(path) as store:
            assert problems(store) != []
            try:
                missed = store.load_document(id_) is None
                store.rebuild()
            except StoreCorruptError:
                outcomes["named"] += 1
            else:
                outcomes["missed, mended" if missed else "mended"] += 1
                assert problems(store) == []
                assert_same_document(store.load_document(id_), lost)
    assert outcomes["missed, mended"]
    assert outcomes["named"]


_MISLAID = {
    "out of order": "UPDATE merges SET position = position + 7 WHERE position = 0",
    "of no document": "UPDATE merges SET document = document + 4000 WHERE position = 0",
    "bytes": "UPDATE merges SET merged_name = CAST(merged_name AS BLOB) WHERE position = 0",
}


@pytest.mark.parametrize("statement", _MISLAID.values(), ids=list(_MISLAID))
def test_a_merged_name_that_is_mislaid_is_not_lost_in_mending(
    tmp_path: Path, statement: str
) -> None:
    path = tmp_path / "s.clew"
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS, embedding=SPACE)
    with closing(sqlite3.connect(path / "main.db")) as connection, connection:
        assert connection.execute(statement).rowcount
    with SQLiteStore.open(path) as store:
        assert problems(store) != []
        with pytest.raises(StoreCorruptError, match="merges"):
            store.rebuild()


@pytest.mark.parametrize("table", ["units", "entities", "bodies", "entity_keys"])
def test_a_text_that_became_bytes_is_damage(tmp_path: Path, table: str) -> None:
    path = tmp_path / "s.clew"
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS, embedding=SPACE)
    column = {"units": "text", "entities": "name", "bodies": "text", "entity_keys": "key"}[table]
    with closing(sqlite3.connect(path / "main.db")) as connection, connection:
        connection.execute(f"UPDATE {table} SET {column} = CAST({column} AS BLOB)")
    with SQLiteStore.open(path) as store:
        with pytest.raises(StoreCorruptError, match="damaged"):
            look(store)
        assert problems(store) != []


def test_vectors_are_kept_when_links_are_damaged(tmp_path: Path) -> None:
    path = tmp_path / "s.clew"
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS[:5], embedding=SPACE)
        store.commit(_DOCUMENTS[5:], delete=[_DOCUMENTS[0].document.id], embedding=SPACE)
    with closing(sqlite3.connect(path / "main.db")) as connection, connection:
        connection.execute(
            "UPDATE segment_arrays SET data = zeroblob(12) WHERE name = 'unit_chunks'"
        )
    with SQLiteStore.open(path) as store:
        with pytest.raises(StoreCorruptError, match="clew doctor --fix"):
            store.stats()
        receipt = store.rebuild()
        assert len(receipt.done) == 1, "no vector was lost"
        assert problems(store) == []
        for indexed in _DOCUMENTS[1:]:
            assert_same_document(store.load_document(indexed.document.id), indexed)


def test_an_older_database_that_came_back_is_no_damage(tmp_path: Path) -> None:
    path, crashed = tmp_path / "s.clew", tmp_path / "crashed.clew"
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS[:4], embedding=SPACE)
    older = (path / "main.db").read_bytes()
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS[4:], embedding=SPACE)
    (path / "main.db").write_bytes(older)
    with SQLiteStore.open(path) as store:
        store.remember("d", {"key": "reply"})  # no new generation, but something in the log
        shutil.copytree(path, crashed)
    with SQLiteStore.open(crashed) as store:
        assert store.generation == 1
        assert store.remembered(["key"]) == {"key": "reply"}
        assert problems(store) == []


def _names(path: Path) -> list[str]:
    return sorted(item.name for item in path.iterdir())


def test_reading_leaves_nothing_beside_a_store(tmp_path: Path) -> None:
    path = tmp_path / "s.clew"
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS, embedding=SPACE)
    before = _names(path)
    for _ in range(2):
        with SQLiteStore.open(path, read_only=True) as store:
            assert store.stats()["documents"] == len(_DOCUMENTS)
        assert _names(path) == before == ["lock", "main.db", "main.db-note", "vectors"]
