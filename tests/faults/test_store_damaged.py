"""What is not a whole store of ours is named and left as it is; what never counted is cut off."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from clew.errors import (
    ClewError,
    NotAStoreError,
    ReadOnlyStoreError,
    StoreCorruptError,
    StoreFullError,
    StoreNotFoundError,
    StoreVersionError,
)
from clew.stores import open_store
from clew.stores.sqlite import SQLiteStore
from clew.stores.sqlite.seals import seal
from clew.stores.sqlite.statements import migrations
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import assert_same_document, problems
from clew.testing.written_documents import written_document

_DOCUMENTS = made_documents(12, seed=7)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "s.clew"
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS[:8], embedding=SPACE)
    return path


def _contents(path: Path) -> dict[str, bytes]:
    """All files but the empty log and the index of it that SQLite puts beside a database."""
    return {
        str(item.relative_to(path)): item.read_bytes()
        for item in sorted(path.rglob("*"))
        if item.is_file() and not item.name.endswith(("-wal", "-shm"))
    }


def _assert_refused(path: Path, error: type[ClewError], match: str) -> None:
    before = _contents(path) if path.is_dir() else path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(error, match=match):
            SQLiteStore.open(path, read_only=read_only)
    after = _contents(path) if path.is_dir() else path.read_bytes()
    assert after == before


# --- no store -------------------------------------------------------------------------------------


def test_nothing_there(tmp_path: Path) -> None:
    for arguments in ({"create": False}, {"read_only": True}):
        with pytest.raises(StoreNotFoundError, match="no store"):
            open_store(tmp_path / "none", **arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_no_store(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("my notes")
    _assert_refused(file, NotAStoreError, "is a file")


def test_a_folder_of_other_things_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"jpg")
    _assert_refused(tmp_path, NotAStoreError, r"holiday\.jpg")


def test_an_empty_folder_becomes_a_store(tmp_path: Path) -> None:
    with pytest.raises(StoreNotFoundError):
        SQLiteStore.open(tmp_path, create=False)
    with SQLiteStore.open(tmp_path) as store:
        assert problems(store) == []


def test_a_folder_left_by_a_killed_maker_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "vectors").mkdir()
    (tmp_path / "lock").touch()
    (tmp_path / "main.db.new").write_bytes(b"SQLite format 3\x00 and then nothing")
    with SQLiteStore.open(tmp_path) as store:
        assert problems(store) == []
    assert not list(tmp_path.glob("main.db.new*"))


def test_the_database_of_another_program(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "main.db")) as other:
        other.execute("CREATE TABLE recipes (name)")
    _assert_refused(tmp_path, NotAStoreError, "another program")


def test_a_main_db_that_is_no_database(path: Path) -> None:
    (path / "main.db").write_bytes(b"GIF89a" + bytes(5000))
    _assert_refused(path, NotAStoreError, "no database")


def test_a_store_of_a_newer_version(path: Path) -> None:
    with closing(sqlite3.connect(path / "main.db")) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute("PRAGMA user_version = 99")
    _assert_refused(path, StoreVersionError, r"layout 99.*pip install --upgrade")


# --- damage ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.0, 0.0001, 0.001, 0.3, 0.99])
def test_a_truncated_database(path: Path, share: float) -> None:
    database = path / "main.db"
    os.truncate(database, int(database.stat().st_size * share))
    _assert_refused(path, StoreCorruptError, "truncated|missing or empty")


def test_a_database_with_a_broken_page(path: Path) -> None:
    database = path / "main.db"
    pages = database.read_bytes()
    database.write_bytes(pages[:8192] + b"\xff" * 40_000 + pages[48_192:])
    try:
        with SQLiteStore.open(path) as store:
            assert problems(store) != []
    except StoreCorruptError as error:
        assert "damaged" in str(error)  # noqa: PT017 - it may be found out on opening already


def test_a_truncated_vector_file(path: Path) -> None:
    file = next((path / "vectors").glob("unit-*.f32"))
    os.truncate(file, file.stat().st_size - 10)
    _assert_refused(path, StoreCorruptError, rf"{file.name} was truncated")


def test_a_missing_vector_file(path: Path) -> None:
    file = next((path / "vectors").glob("chunk-*.f32"))
    file.unlink()
    with SQLiteStore.open(path) as store, pytest.raises(StoreCorruptError, match=file.name):
        store.stats()


def test_a_lost_database_beside_vectors(path: Path) -> None:
    (path / "main.db").unlink()
    _assert_refused(path, StoreCorruptError, "missing or empty")


def test_a_torn_tail_of_vectors_never_counts(path: Path) -> None:
    folder = path / "vectors"
    sizes = {}
    for file in folder.glob("*.f32"):
        sizes[file.name] = file.stat().st_size
        with file.open("ab") as tail:
            tail.write(b"\x7f" * 333)
    (folder / "unit-000099.f32").write_bytes(b"left by a killed writer")
    with SQLiteStore.open(path) as store:
        assert problems(store) == []
        store.commit(_DOCUMENTS[8:], embedding=SPACE)
        assert problems(store) == []
        for indexed in _DOCUMENTS:
            assert_same_document(store.load_document(indexed.document.id), indexed)
        rows = {"chunk": store.stats()["chunks"], "unit": store.stats()["knowledge_units"]}
    left = {file.name: file.stat().st_size for file in folder.iterdir()}
    assert left.keys() == sizes.keys()
    for name, size in left.items():
        assert size == rows[name.split("-")[0]] * SPACE.dimensions * 4


@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        ("UPDATE units SET text = 'forged', seal = 0 WHERE number = 3", "damage"),
        ("UPDATE units SET text = 'forged' WHERE number = 3", "span"),
        ("UPDATE chunks SET start = start + 1 WHERE number = 2", "span"),
        ("DELETE FROM mentions WHERE number = 1", "rows"),
        ("DELETE FROM chunks WHERE number = 1", "rows"),
        ("UPDATE mentions SET entity = 0", "links"),
        ("UPDATE entities SET name = 'forged' WHERE number = 1", "entity"),
        ("DELETE FROM entity_keys WHERE number = 1", "entity"),
        ("UPDATE entity_forms SET mentions = mentions + 1 WHERE entity = 2", "entity"),
        ("DELETE FROM segment_terms WHERE layer = 'unit'", "full text"),
        ("INSERT INTO entity_trigrams (rowid, key) VALUES (1, ' forged ')", "entity"),
        ("INSERT INTO dead_documents SELECT number FROM documents LIMIT 1", "index"),
        ("INSERT INTO dead_documents SELECT number FROM documents LIMIT 1 -- seal", "damage"),
    ],
)
def test_the_check_finds_what_was_tampered_with(path: Path, damage: str, kind: str) -> None:
    """Seals are put right where they are not what is tampered with."""
    with closing(sqlite3.connect(path / "main.db")) as database:
        database.execute(damage)
        if "seal" not in damage:
            database.create_function("seal", -1, lambda *values: seal(values), deterministic=True)
            seals = migrations()[6]
            database.executescript(seals[seals.index("UPDATE documents") :])
            database.execute("UPDATE state SET seal = NULL")
        database.commit()
    with SQLiteStore.open(path) as store:
        assert kind in {problem.kind for problem in store.check()}


def test_the_check_finds_vectors_that_are_none(path: Path) -> None:
    file = next((path / "vectors").glob("unit-*.f32"))
    with file.open("r+b") as vectors:
        vectors.write(bytes(SPACE.dimensions * 4))
    with SQLiteStore.open(path) as store:
        assert "vectors" in {problem.kind for problem in store.check()}


# --- no room, no right ----------------------------------------------------------------------------


@contextmanager
def _file_limit(size: int) -> Iterator[None]:
    """No file may grow beyond ``size``: what a full disk is to a writer."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("room", [0, 100, 3_000, 20_000, 60_000])
def test_a_full_disk_leaves_what_was_there(path: Path, room: int) -> None:
    vectors = next((path / "vectors").glob("unit-*.f32"))
    with SQLiteStore.open(path) as store:
        before = store.stats(), store.generation
        with (
            _file_limit(vectors.stat().st_size + room),
            pytest.raises(StoreFullError, match="whole"),
        ):
            store.commit(made_documents(300, seed=8), embedding=SPACE)
        assert (store.stats(), store.generation) == before
        assert problems(store) == []
        store.commit(_DOCUMENTS[8:], embedding=SPACE)
        assert problems(store) == []
    with SQLiteStore.open(path) as store:
        for indexed in _DOCUMENTS:
            assert_same_document(store.load_document(indexed.document.id), indexed)
        assert problems(store) == []


def test_a_full_disk_for_words_alone(tmp_path: Path) -> None:
    first, *rest = [
        written_document(f"{number}", ["A mill." * 50], space=None) for number in range(400)
    ]
    with SQLiteStore.open(tmp_path / "s.clew") as store:
        store.commit([first])
        size = (tmp_path / "s.clew" / "main.db").stat().st_size
        with _file_limit(size + 100_000), pytest.raises(StoreFullError):
            store.commit(rest)
        with _file_limit(size + 100_000), pytest.raises(StoreFullError):
            store.remember("d", {"k": "reply" * 100_000})
        assert store.stats()["documents"] == 1
        assert store.remembered(["k"]) == {}
        store.commit(rest)
        assert store.stats()["documents"] == 400
        assert problems(store) == []


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that other users can reach, as ``tmp_path`` cannot."""
    folder = Path(tempfile.mkdtemp(prefix="clew-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@contextmanager
def _without_rights(folder: Path) -> Iterator[None]:
    """Nothing below ``folder`` can be written, not even by root."""
    items = [folder, *folder.rglob("*")]
    for item in items:
        item.chmod(0o555 if item.is_dir() else 0o444)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        if user == 0:
            os.seteuid(0)
        for item in items:
            item.chmod(0o755 if item.is_dir() else 0o644)


def test_a_folder_that_cannot_be_written(public_folder: Path) -> None:
    path = public_folder / "s.clew"
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS[:3], embedding=SPACE)
    before = _contents(path)
    with _without_rights(public_folder):
        with pytest.raises(ReadOnlyStoreError, match="read_only=True"):
            SQLiteStore.open(path)
        with pytest.raises(ReadOnlyStoreError):
            SQLiteStore.open(public_folder / "new.clew")
        with SQLiteStore.open(path, read_only=True) as store:
            assert store.stats()["documents"] == 3
            assert_same_document(store.load_document(_DOCUMENTS[0].document.id), _DOCUMENTS[0])
            assert problems(store) == []
            with pytest.raises(ReadOnlyStoreError):
                store.commit(delete=[_DOCUMENTS[0].document.id])
    assert _contents(path) == before


def test_a_store_opened_for_reading_only(path: Path) -> None:
    with SQLiteStore.open(path, read_only=True) as store:
        for write in (
            lambda: store.commit([_DOCUMENTS[9]], embedding=SPACE),
            lambda: store.remember("d", {"k": "reply"}),
            lambda: store.replace_vectors(None, ()),
            lambda: store.undo_merge("m"),
            store.compact,
        ):
            with pytest.raises(PermissionError, match="read_only"):
                write()
        with SQLiteStore.open(path) as other:
            other.commit([_DOCUMENTS[9]], embedding=SPACE)
        assert store.stats()["documents"] == 9, "it sees what others write"
