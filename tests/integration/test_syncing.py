"""What sync and ingest do when files move, empty, close, vanish or come twice."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew import (
    ClewConfig,
    DocumentError,
    FingerprintMismatchError,
    IngestReport,
    KnowledgeBase,
)
from clew.testing import FakeEmbedder

TEXTS = {
    "docs/tern.md": "# Tern\n\nTern was built by Munk Brothers in 1871.\n",
    "docs/deep/teal.txt": "Teal was built by Oda Krog.\n",
    "docs/deep/log.jsonl": (
        '{"id": "one", "text": "Skua sailed to Varde."}\n'
        '{"id": "two", "text": "Skua sailed to Bern."}\n'
    ),
    "docs/ports.csv": "text,year\nVarde is a port.,1911\nBern is no port.,1990\n",
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def kb() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
        yield kb


def _status(report: IngestReport) -> dict[str, str]:
    return {item.doc_id: str(item.status) for item in report.documents}


def _names(kb: KnowledgeBase) -> list[str]:
    return [document.doc_id for document in kb.documents()]


ALL = ["docs/deep/teal.txt", "docs/ports.csv#1", "docs/ports.csv#2", "docs/tern.md", "one", "two"]


@pytest.mark.parametrize("spelling", ["./docs", "docs/", "docs//", "docs/../docs", "docs/*"])
def test_another_spelling_of_a_folder_is_the_same_folder(kb: KnowledgeBase, spelling: str) -> None:
    kb.ingest("docs")
    assert kb.ingest(spelling).counts == {"unchanged": 6}
    assert kb.sync(spelling).counts == {"unchanged": 6}
    assert _names(kb) == ALL


def test_the_absolute_path_brings_nothing_twice(kb: KnowledgeBase, tmp_path: Path) -> None:
    kb.ingest("docs")
    report = kb.ingest(tmp_path / "docs")
    assert report.counts == {"duplicate_of": 4, "updated": 2}
    assert _names(kb) == ALL, "records with names of their own have moved"
    assert kb.stats()["knowledge_units"] == 6


def test_equal_rows_of_unequal_files_are_both_kept(kb: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "docs/more.csv").write_text("text,year\nVarde is a port.,1911\n")
    kb.ingest("docs")
    assert {"docs/more.csv#1", "docs/ports.csv#1"} <= set(_names(kb))


def test_a_record_that_moved_to_another_file_goes_with_that_file(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    kb.sync("docs")
    (tmp_path / "docs/deep/log.jsonl").rename(tmp_path / "docs/log.jsonl")
    report = kb.sync("docs")
    assert report.counts == {"renamed": 2, "unchanged": 4}
    assert kb.document("one").document.source == "docs/log.jsonl"
    (tmp_path / "docs/new.jsonl").write_text('{"id": "one", "text": "Skua sailed to Varde."}\n')
    moved = kb.ingest("docs/new.jsonl").documents[0]
    assert (str(moved.status), moved.reason) == ("updated", "it came from docs/log.jsonl before")
    assert kb.delete("docs/log.jsonl").doc_ids == ("two",)
    assert kb.delete("docs/new.jsonl").doc_ids == ("one",)


def test_an_emptied_file_leaves_nothing(kb: KnowledgeBase, tmp_path: Path) -> None:
    kb.sync("docs")
    (tmp_path / "docs/tern.md").write_text(" \n")
    report = kb.sync("docs")
    [emptied] = [item for item in report.documents if item.doc_id == "docs/tern.md"]
    assert str(emptied.status) == "empty"
    assert "was removed" in emptied.reason
    assert "docs/tern.md" not in _names(kb)
    assert kb.ask("Who built Tern?").abstained
    assert kb.check() == []
    again = kb.sync("docs")
    assert (_status(again)["docs/tern.md"], again.exit_status) == ("empty", 0)
    (tmp_path / "docs/tern.md").write_text(TEXTS["docs/tern.md"])
    assert _status(kb.sync("docs"))["docs/tern.md"] == "inserted"


def test_what_is_left_out_by_name_is_removed_and_said_to_be_so(kb: KnowledgeBase) -> None:
    kb.sync("docs")
    report = kb.sync("docs", exclude=["*.txt"])
    [removed] = [item for item in report.documents if str(item.status) == "removed"]
    assert (removed.doc_id, removed.reason) == (
        "docs/deep/teal.txt",
        "left out by include or exclude",
    )


def _close(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir

    def refuse(path: Any) -> Iterator[os.DirEntry[str]]:
        if Path(path).resolve() == folder:
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)


def test_a_folder_that_cannot_be_opened_fails_and_keeps_its_documents(
    kb: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb.sync("docs")
    _close(tmp_path / "docs/deep", monkeypatch)
    for work in (kb.sync, kb.ingest):
        report = work("docs")
        [failed] = report.trouble
        assert failed.source == "docs/deep"
        assert "the folder cannot be opened (Permission denied)" in failed.reason
        assert report.exit_status == 3
        assert _names(kb) == ALL
    assert kb.ingest("docs/deep").exit_status == 1


def test_a_folder_that_vanished_is_taken_for_a_disk_that_is_not_mounted(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    kb.sync("docs")
    (tmp_path / "docs").rename(tmp_path / "elsewhere")
    with pytest.raises(DocumentError, match=r"'docs' is gone, and 6 documents .*clew delete docs"):
        kb.sync("docs")
    assert _names(kb) == ALL
    assert kb.delete("docs/deep").doc_ids == ("docs/deep/teal.txt", "one", "two")
    assert kb.delete("docs").removed["documents"] == 3


def test_a_file_that_vanished_is_removed_and_a_wrong_path_is_an_error(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    kb.sync("docs")
    (tmp_path / "docs/tern.md").unlink()
    assert kb.sync("docs/tern.md").counts == {"removed": 1}
    with pytest.raises(DocumentError, match="no file or folder 'dosc'"):
        kb.sync("dosc")
    assert len(_names(kb)) == 5


def test_a_pattern_that_matches_nothing_more(kb: KnowledgeBase, tmp_path: Path) -> None:
    kb.sync("docs/**/*.txt")
    assert _names(kb) == ["docs/deep/teal.txt"]
    (tmp_path / "docs/deep/teal.txt").unlink()
    assert kb.sync("docs/**/*.txt").counts == {"removed": 1}
    with pytest.raises(DocumentError, match="no file"):
        kb.sync("docs/**/*.txt")


def test_links_are_followed_once(kb: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "docs/loop").symlink_to(tmp_path / "docs")
    (tmp_path / "docs/same.md").symlink_to(tmp_path / "docs/tern.md")
    (tmp_path / "docs/nowhere.md").symlink_to(tmp_path / "missing")
    report = kb.ingest("docs")
    # One of the two names of a file is its name; which one is a matter of their order.
    assert report.counts == {"duplicate_of": 1, "inserted": 6}
    assert kb.sync("docs").exit_status == 0
    assert len(_names(kb)) == 6


def test_numbers_of_csv_files_can_be_compared(kb: KnowledgeBase) -> None:
    kb.ingest("docs")
    found = kb.search("port", where={"year": {"$lt": 1950}}).items
    assert [item.doc_id for item in found] == ["docs/ports.csv#1"]


def test_a_store_without_vectors_says_how_to_get_them(tmp_path: Path) -> None:
    words_alone = ClewConfig(embedding_model="none")
    with KnowledgeBase.open(tmp_path / "s.clew", config=words_alone) as kb:
        kb.ingest("docs")
    with KnowledgeBase.open(tmp_path / "s.clew", embedding=FakeEmbedder()) as kb:
        assert any("clew reembed" in note for note in kb.ingest("docs").notes)
        kb.reembed()
        assert not any("clew reembed" in note for note in kb.ingest("docs").notes)
        assert kb.check() == []


def test_a_run_can_be_stopped_inside_a_long_document(tmp_path: Path) -> None:
    text = "\n\n".join(f"Buoy {number} lies off Cape {number}. " * 30 for number in range(500))
    (tmp_path / "long.txt").write_text(text, encoding="utf-8")
    stages: list[str] = []
    config = ClewConfig(on_progress=lambda _done, _total, stage: stages.append(stage))
    with KnowledgeBase.in_memory(embedding=FakeEmbedder(), config=config) as kb:
        report = kb.ingest("long.txt", should_stop=lambda: bool(stages))
        assert report.interrupted
        assert stages[0].startswith("embed 200 of ")
        assert kb.stats()["documents"] == 0
        assert kb.ingest("long.txt").counts == {"inserted": 1}
        assert kb.check() == []


@pytest.mark.parametrize("other", [FakeEmbedder(dimensions=96), FakeEmbedder(seed=5)])
def test_another_embedder_is_refused_before_anything_is_read_or_removed(
    kb: KnowledgeBase, tmp_path: Path, other: FakeEmbedder
) -> None:
    kb.sync("docs")
    generation = kb.store.generation
    again = KnowledgeBase(kb.store, embedding=other)
    for name in ("docs/none.md", "docs/tern.md"):
        (tmp_path / name).unlink(missing_ok=True)
        for work in (again.ingest, again.sync):
            with pytest.raises(FingerprintMismatchError, match="clew reembed"):
                work("docs")
    with pytest.raises(FingerprintMismatchError):
        again.ingest_text("Skua is a boat.")
    assert kb.store.generation == generation
    assert _names(kb) == ALL
    assert other.text_count == 0
