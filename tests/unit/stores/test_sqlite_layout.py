"""The folder, its migrations, its SQL, and what a deletion leaves on the disk."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from clew import ClewConfig, KnowledgeBase
from clew.errors import (
    ClewError,
    ReadOnlyStoreError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreLockedError,
)
from clew.stores.sqlite import SQLiteStore, folder, layout, statements
from clew.stores.sqlite.connections import sqlite_errors
from clew.stores.sqlite.folder import refuse_network
from clew.stores.sqlite.statements import migrations
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import assert_same_document, problems
from clew.testing.written_documents import written_document

_DOCUMENTS = made_documents(10, seed=13)


# --- file systems ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "smbfs", "fuse.sshfs", "fuse.s3fs", "smb3", "9p"])
def test_network_file_systems_are_refused(tmp_path: Path, kind: str) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"/dev/sda / ext4 rw 0 0\nhost:/x {tmp_path}/far\\040away {kind} rw 0 0\n"
        f"/dev/sdb {tmp_path}/far\\040away/near ext4 rw 0 0\n"
    )
    with pytest.raises(StoreError, match=kind):
        refuse_network(tmp_path / "far away" / "s.clew", mounts)
    for local in ("s.clew", "far away/near/s.clew", "far awayer"):
        refuse_network(tmp_path / local, mounts)


@pytest.mark.parametrize("kind", ["ext4", "tmpfs", "overlay", "fuse", "fuse.ntfs-3g"])
def test_local_file_systems_are_fine(tmp_path: Path, kind: str) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"x {tmp_path} {kind} rw 0 0\n")
    refuse_network(tmp_path / "s.clew", mounts)
    refuse_network(tmp_path / "s.clew", tmp_path / "no such list")


def test_the_root_of_a_sandbox_is_its_own_host(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text("none / 9p rw 0 0\n")
    refuse_network(tmp_path / "s.clew", mounts)


def test_a_network_file_system_for_those_who_know_the_risk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"host:/x {tmp_path} nfs rw 0 0\n")
    monkeypatch.setattr(folder, "MOUNTS", mounts)
    with pytest.raises(StoreError, match=r"network_file_system=true.*can damage it"):
        KnowledgeBase.open(tmp_path / "s.clew")
    assert not (tmp_path / "s.clew").exists()
    config = ClewConfig(network_file_system=True)
    with KnowledgeBase.open(tmp_path / "s.clew", config=config) as kb:
        assert kb.stats()["documents"] == 0


# --- layout ---------------------------------------------------------------------------------------


def test_every_version_is_migrated_to_the_newest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.clew"
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS, embedding=SPACE)
    later = (*migrations(), "CREATE TABLE later (x);", "INSERT INTO later VALUES (1);")
    monkeypatch.setattr(layout, "migrations", lambda: later)
    with pytest.raises(ReadOnlyStoreError, match="older layout"):
        SQLiteStore.open(path, read_only=True)
    for _ in range(2):
        with SQLiteStore.open(path) as store:
            assert problems(store) == []
            assert_same_document(store.load_document(_DOCUMENTS[0].document.id), _DOCUMENTS[0])
    with closing(sqlite3.connect(path / "main.db")) as database:
        assert database.execute("SELECT x FROM later").fetchall() == [(1,)]
        assert database.execute("PRAGMA user_version").fetchone() == (len(later),)


def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.clew"
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS, embedding=SPACE)
    broken = (*migrations(), "CREATE TABLE later (x);\nINSERT INTO nowhere VALUES (1);")
    with monkeypatch.context() as patched:
        patched.setattr(layout, "migrations", lambda: broken)
        with pytest.raises(StoreError, match="nowhere"):
            SQLiteStore.open(path)
    with SQLiteStore.open(path) as store:
        assert problems(store) == []


@pytest.mark.parametrize(
    "file", ["checks", "decisions", "entities", "records", "segments", "usage", "writing"]
)
def test_every_statement_is_sql(file: str, tmp_path: Path) -> None:
    SQLiteStore.open(tmp_path / "s.clew").close()
    found = statements.statements(file)
    assert found
    with closing(sqlite3.connect(tmp_path / "s.clew" / "main.db")) as database:
        if "make_spellings" in found:
            database.execute(found["make_spellings"])
        for name, statement in found.items():
            numbered = [int(number) for number in re.findall(r"\?(\d+)", statement)]
            wanted = [None] * max(numbered, default=statement.count("?"))
            assert database.execute(f"EXPLAIN {statement}", wanted).fetchall(), name


def test_the_log_mode_and_the_marks_of_a_store(tmp_path: Path) -> None:
    SQLiteStore.open(tmp_path / "s.clew").close()
    with closing(sqlite3.connect(tmp_path / "s.clew" / "main.db")) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert database.execute("PRAGMA application_id").fetchone() == (0x636C6577,)
    assert sorted(item.name for item in (tmp_path / "s.clew").iterdir()) == [
        "lock",
        "main.db",
        "vectors",
    ]


@pytest.mark.parametrize(
    ("code", "name", "kind"),
    [
        (sqlite3.SQLITE_FULL, "SQLITE_FULL", StoreFullError),
        (778, "SQLITE_IOERR_WRITE", StoreError),
        (1034, "SQLITE_IOERR_FSYNC", StoreError),
        (sqlite3.SQLITE_READONLY, "SQLITE_READONLY", ReadOnlyStoreError),
        (sqlite3.SQLITE_BUSY, "SQLITE_BUSY", StoreLockedError),
        (sqlite3.SQLITE_CORRUPT, "SQLITE_CORRUPT", StoreCorruptError),
        (sqlite3.SQLITE_NOTADB, "SQLITE_NOTADB", StoreCorruptError),
        (sqlite3.SQLITE_ERROR, "SQLITE_ERROR", StoreCorruptError),
    ],
)
def test_what_sqlite_says_is_named(
    code: int, name: str, kind: type[ClewError], tmp_path: Path
) -> None:
    said = sqlite3.OperationalError("it said so")
    said.sqlite_errorcode, said.sqlite_errorname = code, name
    path = tmp_path / "x.db"
    with pytest.raises(kind, match=rf"x\.db: it said so.*{name}") as caught, sqlite_errors(path):
        raise said
    assert type(caught.value) is kind
    assert caught.value.__cause__ is said


@pytest.mark.parametrize("name", ["a?b=c#d%20e.clew", "übung 食べ.clew", "-x"])
def test_any_name_is_a_name(tmp_path: Path, name: str) -> None:
    for _ in range(2):
        with SQLiteStore.open(tmp_path / name) as store:
            store.commit(_DOCUMENTS[:2], embedding=SPACE)
            assert problems(store) == []
    assert [item.name for item in tmp_path.iterdir()] == [name]


def test_a_folder_of_vectors_that_was_lost_empty_is_made_again(tmp_path: Path) -> None:
    SQLiteStore.open(tmp_path / "s.clew").close()
    (tmp_path / "s.clew" / "vectors").rmdir()
    with SQLiteStore.open(tmp_path / "s.clew") as store:
        store.commit(_DOCUMENTS[:2], embedding=SPACE)
        assert problems(store) == []


# --- what is left on the disk ---------------------------------------------------------------------


def _bytes(path: Path) -> bytes:
    return b"".join(item.read_bytes() for item in path.rglob("*") if item.is_file())


def test_deleted_text_is_gone_from_the_disk(tmp_path: Path) -> None:
    secret = written_document(
        "secret.txt", ["Xylvia Quorth hid the zanthic key."], names=["Xylvia Quorth"]
    )
    path = tmp_path / "s.clew"
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS, embedding=SPACE)
        store.commit([secret], embedding=SPACE)
        assert b"Xylvia" in _bytes(path)
        store.remember(secret.document.id, {"k": "Xylvia said"})
        store.commit(delete=[secret.document.id])
        left = _bytes(path)
    for trace in (b"Xylvia", b"xylvia", b"zanthic", b"secret.txt"):
        assert trace not in left
        assert trace not in _bytes(path)


def test_compacting_gives_room_back_and_changes_no_answer(tmp_path: Path) -> None:
    path = tmp_path / "s.clew"
    with SQLiteStore.open(path) as store:
        for start in range(0, 200, 20):
            store.commit(made_documents(200, seed=14)[start : start + 20], embedding=SPACE)
        documents = store.list_documents()
        store.commit(delete=[document.id for document in documents[:150]])
        before = [store.load_document(document.id) for document in documents[150:]]
        size = len(_bytes(path))
        store.compact()
        assert len(_bytes(path)) < size
        assert problems(store) == []
        for expected in before:
            assert expected is not None
            assert_same_document(store.load_document(expected.document.id), expected)
        vectors = sum(item.stat().st_size for item in (path / "vectors").iterdir())
        rows = store.stats()["chunks"] + store.stats()["knowledge_units"]
        assert vectors == rows * SPACE.dimensions * 4


def test_vectors_are_rewritten_when_most_are_dead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clew.stores.sqlite.revector._LEAST_DEAD_ROWS", 10)
    with SQLiteStore.open(tmp_path / "s.clew") as store:
        store.commit(_DOCUMENTS, embedding=SPACE)
        store.commit(delete=[item.document.id for item in _DOCUMENTS[:8]])
        vectors = sum(item.stat().st_size for item in (tmp_path / "s.clew/vectors").iterdir())
        rows = store.stats()["chunks"] + store.stats()["knowledge_units"]
        assert vectors == rows * SPACE.dimensions * 4
        assert problems(store) == []
        assert_same_document(store.load_document(_DOCUMENTS[9].document.id), _DOCUMENTS[9])


def test_vectors_go_on_in_another_file_when_one_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clew.stores.sqlite.vectors.MOST_FILE_BYTES", 1000)
    with SQLiteStore.open(tmp_path / "s.clew") as store:
        for indexed in _DOCUMENTS:
            store.commit([indexed], embedding=SPACE)
        assert len(list((tmp_path / "s.clew" / "vectors").glob("unit-*.f32"))) > 2
        for indexed in _DOCUMENTS:
            assert_same_document(store.load_document(indexed.document.id), indexed)
        assert indexed.unit_vectors is not None
        found = store.search_vectors("unit", indexed.unit_vectors[0], 1)
        assert store.get_units(found.numbers)[0].id == indexed.units[0].id
        assert problems(store) == []


def test_many_small_commits_keep_few_segments(tmp_path: Path) -> None:
    documents = made_documents(100, seed=15, chunks=1, units=2)
    with SQLiteStore.open(tmp_path / "s.clew") as store:
        for indexed in documents:
            store.commit([indexed], embedding=SPACE)
        assert problems(store) == []
        store.commit(delete=[item.document.id for item in documents[10:60]])
        assert problems(store) == []
    with closing(sqlite3.connect(tmp_path / "s.clew" / "main.db")) as database:
        (segments,) = database.execute("SELECT count(*) FROM segments").fetchone()
        assert segments < 20
        assert database.execute("SELECT count(*) FROM dead_documents").fetchone() == (0,)
