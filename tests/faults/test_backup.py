"""A copy that is whole whatever others write meanwhile, or none."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clew import KnowledgeBase, StoreError
from clew.cli import main
from clew.errors import NotAStoreError, StoreCorruptError, StoreFullError
from clew.stores.base import EmbeddingSpace
from clew.stores.sqlite import SQLiteStore
from clew.stores.sqlite.backup import Backup
from clew.testing import FakeEmbedder
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import assert_same_document, problems

DOCUMENTS = made_documents(40, seed=3)

_WRITER = """
import sys
from clew.stores.sqlite import SQLiteStore
from clew.testing.made_documents import SPACE, made_documents
documents = made_documents(40, seed=3)
with SQLiteStore.open(sys.argv[1]) as store:
    print("begin", flush=True)
    for turn in range(10**6):
        store.commit(documents[20:30], embedding=SPACE)
        store.commit(documents[30:], delete=[one.document.id for one in documents[20:30]])
        store.commit(delete=[one.document.id for one in documents[30:]])
        if turn % 3 == 0:
            store.compact()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "s.clew"
    with SQLiteStore.open(path) as store:
        store.commit(DOCUMENTS[:20], embedding=SPACE)
    return path


def test_copies_made_while_another_process_writes_are_whole(path: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", _WRITER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "begin\n"
        generations = set()
        try:
            with SQLiteStore.open(path) as store:
                for number in range(8):
                    receipt = store.backup(tmp_path / f"{number}.clew")
                    generations.add(receipt.generation)
        finally:
            writer.kill()
    assert len(generations) > 1, "the writer has written meanwhile"
    known = {one.document.id: one for one in DOCUMENTS}
    for number in range(8):
        with SQLiteStore.open(tmp_path / f"{number}.clew") as copy:
            assert problems(copy) == []
            listed = [document.id for document in copy.list_documents()]
            assert len(listed) in {20, 30}
            for id_ in listed:
                assert_same_document(copy.load_document(id_), known[id_])
    assert sorted(item.name for item in tmp_path.iterdir()) == [
        *(f"{number}.clew" for number in range(8)), "s.clew"
    ]  # fmt: skip


def test_what_is_committed_while_the_copy_is_made_is_not_in_it(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_database = Backup._copy_database

    def slowly(self: Backup, connection: Any, left: Any) -> None:
        with SQLiteStore.open(path) as other:
            other.commit(DOCUMENTS[20:], delete=[DOCUMENTS[0].document.id], embedding=SPACE)
            other.compact()
        copy_database(self, connection, left)

    monkeypatch.setattr(Backup, "_copy_database", slowly)
    with SQLiteStore.open(path) as store:
        generation = store.generation
        receipt = store.backup(tmp_path / "copy.clew")
        assert receipt.generation == generation < store.generation
    with SQLiteStore.open(tmp_path / "copy.clew") as copy:
        assert copy.stats()["documents"] == receipt.documents == 20
        assert_same_document(copy.load_document(DOCUMENTS[0].document.id), DOCUMENTS[0])
        copy.commit(DOCUMENTS[20:], embedding=SPACE)
        assert problems(copy) == []


def test_a_file_that_is_replaced_before_it_is_opened(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = Backup.copy
    turns: list[int] = []

    def after_compaction(self: Backup, connection: Any, tell: Any) -> int:
        if not turns:
            turns.append(connection.execute("SELECT generation FROM state").fetchone()[0])
            with SQLiteStore.open(path) as other:
                other.compact()
        return copy(self, connection, tell)

    monkeypatch.setattr(Backup, "copy", after_compaction)
    with SQLiteStore.open(path) as store:
        assert store.backup(tmp_path / "copy.clew").generation == store.generation


def test_nothing_is_overwritten_unless_it_is_a_store_and_force_is_said(
    path: Path, tmp_path: Path
) -> None:
    target = tmp_path / "copy.clew"
    with SQLiteStore.open(path) as store:
        store.backup(target)
        store.commit(delete=[DOCUMENTS[0].document.id])
        with pytest.raises(StoreError, match="--force"):
            store.backup(target)
        with SQLiteStore.open(target) as copy:
            assert copy.stats()["documents"] == 20
        assert store.backup(target, force=True).documents == 19
        with SQLiteStore.open(target) as copy:
            assert copy.stats()["documents"] == 19
        photos = tmp_path / "photos"
        photos.mkdir()
        (photos / "holiday.jpg").write_bytes(b"jpg")
        for force in (False, True):
            with pytest.raises(StoreError):
                store.backup(photos, force=force)
        with pytest.raises(NotAStoreError, match="not replaced"):
            store.backup(photos / "holiday.jpg", force=True)
        for inside in (path, path / "copy", tmp_path):
            with pytest.raises(StoreError, match="beside the store"):
                store.backup(inside, force=True)
        with pytest.raises(StoreError, match="no such folder"):
            store.backup(tmp_path / "none" / "copy.clew")
    assert (photos / "holiday.jpg").read_bytes() == b"jpg"
    assert sorted(item.name for item in tmp_path.iterdir()) == ["copy.clew", "photos", "s.clew"]


def test_a_copy_that_fails_leaves_what_was_there(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "copy.clew"
    with SQLiteStore.open(path) as store:
        store.backup(target)
        store.commit(delete=[DOCUMENTS[0].document.id])

        def full(self: Backup, *_: Any) -> None:
            raise StoreFullError("no room")

        with monkeypatch.context() as patch:
            patch.setattr(Backup, "_copy_vectors", full)
            with pytest.raises(StoreFullError):
                store.backup(target, force=True)
        rename = Path.rename

        def fails(self: Path, to: Path) -> Path:
            if self.name.endswith(".new"):
                raise OSError(5, "Input/output error")
            return rename(self, to)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "rename", fails)
            with pytest.raises(StoreError, match="Input/output"):
                store.backup(target, force=True)
    with SQLiteStore.open(target) as copy:
        assert copy.stats()["documents"] == 20
        assert problems(copy) == []
    assert sorted(item.name for item in tmp_path.iterdir()) == ["copy.clew", "s.clew"]


def test_a_damaged_store_gives_no_backup(path: Path, tmp_path: Path) -> None:
    [vectors] = path.glob("vectors/unit-*.f32")
    with vectors.open("r+b") as file:
        file.write(np.full(SPACE.dimensions, 3.0, np.float32).tobytes())
    with SQLiteStore.open(path) as store, pytest.raises(StoreCorruptError, match="not sound"):
        store.backup(tmp_path / "copy.clew")
    assert [item.name for item in tmp_path.iterdir()] == ["s.clew"]


def test_bytes_behind_the_last_that_counts_are_not_copied(path: Path, tmp_path: Path) -> None:
    with SQLiteStore.open(path) as store:
        [vectors] = path.glob("vectors/unit-*.f32")
        whole = vectors.stat().st_size
        with vectors.open("ab") as file:
            file.write(b"torn")
        store.backup(tmp_path / "copy.clew")
    assert (tmp_path / "copy.clew" / "vectors" / vectors.name).stat().st_size == whole


def test_a_store_of_words_alone_and_an_empty_one(tmp_path: Path) -> None:
    with SQLiteStore.open(tmp_path / "s.clew") as store:
        assert store.backup(tmp_path / "empty.clew").documents == 0
        space = EmbeddingSpace(fingerprint="x", dimensions=8)
        store.commit(made_documents(3, seed=1, space=space), embedding=space)
        store.replace_vectors(None, ())
        store.backup(tmp_path / "words.clew")
    with SQLiteStore.open(tmp_path / "words.clew") as copy:
        assert copy.embedding is None
        assert problems(copy) == []


def test_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with KnowledgeBase.open("s.clew", embedding=FakeEmbedder()) as kb:
        kb.ingest_text("Tern was built by Munk Brothers.", name="tern")
        expected = [item.to_dict() for item in kb.search("Who built Tern?").items]

    def run(*arguments: str, status: int = 0) -> Any:
        with pytest.raises(SystemExit) as stop:
            main([*arguments, "--json"])
        assert stop.value.code == status
        return json.loads(capsys.readouterr().out)

    told = run("backup", "b.clew", "--store", "s.clew")
    assert (told["path"], told["documents"]) == ("b.clew", 1)
    assert "--force" in run("backup", "b.clew", "--store", "s.clew", status=1)["error"]["message"]
    assert run("backup", "b.clew", "--force", "--store", "s.clew")["documents"] == 1
    assert run("check", "--store", "b.clew")["ok"]
    with KnowledgeBase.open("b.clew", embedding=FakeEmbedder()) as kb:
        assert [item.to_dict() for item in kb.search("Who built Tern?").items] == expected
    assert Path("b.clew").stat().st_mode == Path("s.clew").stat().st_mode
    with (
        KnowledgeBase.in_memory(embedding=FakeEmbedder()) as memory,
        pytest.raises(StoreError, match=r"kb\.export"),
    ):
        memory.backup("m.clew")
