"""A file that is moved keeps what was paid for: nothing is read, asked about or embedded again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clew import ClewConfig, KnowledgeBase
from clew.records import IndexedDocument
from clew.stores.sqlite import SQLiteStore
from clew.testing import FakeEmbedder, TellingLLM

TEXTS = {
    "docs/tern.md": "# Tern\n\nTern was built by Munk Brothers. Tern was built by Munk Brothers.\n",
    "docs/norr-bridge.txt": "it was opened in 1871. Ada Quill (AQ) designed it. AQ was proud.\n",
    "docs/ports.csv": "text,year\nVarde is a port.,1911\nBern is no port.,1990\n",
    "docs/log.jsonl": '{"id": "one", "text": "Skua sailed to Varde."}\n',
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def kb(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[KnowledgeBase]:
    models: dict[str, Any] = {"llm": TellingLLM(), "embedding": FakeEmbedder()}
    if request.param == "memory":
        made = KnowledgeBase.in_memory(**models)
    elif request.param == "sqlite":
        made = KnowledgeBase.open(tmp_path / "s.clew", **models)
    else:
        made = KnowledgeBase.open(request.getfixturevalue("postgres_url"), **models)
    with made as kb:
        yield kb


def _paid(kb: KnowledgeBase) -> tuple[int, int]:
    llm, embedder = kb._llm, kb._embedding
    assert isinstance(llm, TellingLLM)
    assert isinstance(embedder, FakeEmbedder)
    return len(llm.prompts), embedder.text_count


def _move(old: str, new: str) -> None:
    Path(new).parent.mkdir(parents=True, exist_ok=True)
    Path(old).rename(new)


MOVES = {
    "docs/tern.md": "docs/deep/tern.md",
    "docs/norr-bridge.txt": "docs/the-old-ferry.txt",
    "docs/ports.csv": "docs/havens.csv",
    "docs/log.jsonl": "docs/deep/journal.jsonl",
}


def test_moved_files_cost_nothing_and_are_cited_where_they_are(kb: KnowledgeBase) -> None:
    kb.sync("docs")
    paid, generation = _paid(kb), kb.store.generation
    for old, new in MOVES.items():
        _move(old, new)
    report = kb.sync("docs")
    assert report.counts == {"renamed": 5}
    told = {item.doc_id: item.reason for item in report.documents}
    assert told == {
        "docs/deep/tern.md": "it was docs/tern.md before",
        "docs/the-old-ferry.txt": "it was docs/norr-bridge.txt before",
        "docs/havens.csv#1": "it was docs/ports.csv#1 before",
        "docs/havens.csv#2": "it was docs/ports.csv#2 before",
        "one": "it was docs/log.jsonl before",
    }
    assert _paid(kb) == paid
    assert kb.store.generation == generation + 1, "one commit"
    assert kb.check() == []
    [first, *_] = kb.search("Who built Tern?").items
    assert first.doc_id == "docs/deep/tern.md"
    assert kb.sync("docs").counts == {"unchanged": 5}
    assert _paid(kb)[0] == paid[0]


@pytest.mark.parametrize("with_model", [True, False])
def test_a_moved_document_equals_one_that_was_read_there(with_model: bool) -> None:
    models: dict[str, Any] = {"embedding": FakeEmbedder()}
    with KnowledgeBase.in_memory(llm=TellingLLM() if with_model else None, **models) as kb:
        kb.sync("docs")
        for old, new in MOVES.items():
            _move(old, new)
        kb.sync("docs")
        with KnowledgeBase.in_memory(llm=TellingLLM() if with_model else None, **models) as fresh:
            fresh.sync("docs")
            for document in fresh.documents():
                _assert_same(kb.document(document.doc_id), fresh.document(document.doc_id))
            assert kb.stats() == fresh.stats()


def _assert_same(one: IndexedDocument, other: IndexedDocument) -> None:
    for item in fields(IndexedDocument):
        mine, theirs = getattr(one, item.name), getattr(other, item.name)
        if isinstance(mine, np.ndarray):
            np.testing.assert_allclose(mine, theirs, atol=1e-6)
        elif item.name in {"entities", "topics"}:
            assert set(mine) == set(theirs)
        else:
            assert mine == theirs, item.name


def test_what_was_paid_for_goes_with_the_document(kb: KnowledgeBase) -> None:
    kb.sync("docs")
    asked = kb.usage().by("document")["docs/tern.md",]
    _move("docs/tern.md", "docs/arctic.md")
    kb.sync("docs")
    moved = kb.usage().by("document")
    assert moved["docs/arctic.md",] == asked
    assert ("",) not in moved
    paid = _paid(kb)
    Path("docs/arctic.md").write_text("# A new title\n" + TEXTS["docs/tern.md"], encoding="utf-8")
    kb.sync("docs")
    Path("docs/arctic.md").write_text(TEXTS["docs/tern.md"], encoding="utf-8")
    kb.sync("docs")
    assert _paid(kb)[0] <= paid[0] + 2, "no more than the edits ask for"


def test_names_taken_back_and_decided_by_hand_stay_so(kb: KnowledgeBase) -> None:
    kb.sync("docs")
    [merge] = kb.merges("docs/norr-bridge.txt")
    kb.undo_merge(merge.id)
    kb.split_name("Munk Brothers", "Munk Brothers of Varde", ["docs/tern.md"])
    _move("docs/norr-bridge.txt", "docs/bridge.txt")
    _move("docs/tern.md", "docs/arctic.md")
    kb.sync("docs")
    assert kb.merges("docs/bridge.txt") == []
    assert [one.doc_ids for one in kb.decisions()] == [("docs/arctic.md",)]
    for name in ("docs/bridge.txt", "docs/arctic.md"):
        path = Path(name)
        path.write_text(path.read_text(encoding="utf-8") + "\nIt rains.\n", encoding="utf-8")
    assert kb.sync("docs").counts == {"unchanged": 3, "updated": 2}
    assert kb.merges("docs/bridge.txt") == []
    assert "Munk Brothers of Varde" in kb.entity_names("munk")
    assert "Munk Brothers" not in kb.entity_names("munk")
    kb.undo_merge(kb.decisions()[0].id)
    assert kb.entity_names("munk") == ["Munk Brothers"]
    assert kb.check() == []


def test_a_file_of_another_kind_or_read_otherwise_is_no_move(tmp_path: Path) -> None:
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
        kb.sync("docs")
        _move("docs/tern.md", "docs/tern.txt")
        assert kb.sync("docs").counts == {"inserted": 1, "removed": 1, "unchanged": 4}
        _move("docs/tern.txt", "docs/again.txt")
        other = ClewConfig(chunk_size=500)
        again = KnowledgeBase(kb.store, embedding=FakeEmbedder(), config=other)
        assert again.sync("docs").counts == {"inserted": 1, "removed": 1, "updated": 4}


def test_a_name_that_is_taken_is_not_moved_onto(kb: KnowledgeBase) -> None:
    kb.sync("docs")
    kb.ingest_text("Something else entirely.", name="docs/arctic.md")
    _move("docs/tern.md", "docs/arctic.md")
    assert kb.sync("docs").counts == {"removed": 1, "unchanged": 4, "updated": 1}
    assert kb.document("docs/arctic.md").document.text == TEXTS["docs/tern.md"]


def test_files_that_move_up_like_logs_are_not_read_again(kb: KnowledgeBase) -> None:
    for number in (1, 2, 3):
        Path(f"docs/log.{number}.txt").write_text(f"On day {number} Ada Quill sailed to Varde.\n")
    kb.sync("docs")
    paid = _paid(kb)
    for number in (3, 2, 1):
        _move(f"docs/log.{number}.txt", f"docs/log.{number + 1}.txt")
    report = kb.sync("docs")
    assert report.counts == {"renamed": 3, "unchanged": 5}
    assert _paid(kb) == paid
    for number in (2, 3, 4):
        assert f"day {number - 1} " in kb.document(f"docs/log.{number}.txt").document.text
        assert kb.usage().by("document")[f"docs/log.{number}.txt",].usage.input_tokens > 0
    Path("docs/log.1.txt").write_text("On day 9 Ada Quill sailed to Bern.\n")
    assert kb.sync("docs").counts == {"inserted": 1, "unchanged": 8}
    assert kb.check() == []


def test_a_killed_move_is_whole_or_not_begun(tmp_path: Path) -> None:
    """What is kept beside a document moves in the transaction of its records."""
    store = tmp_path / "s.clew"
    with KnowledgeBase.open(store, llm=TellingLLM(), embedding=FakeEmbedder()) as kb:
        kb.sync("docs")
        before = kb.stats()

        def fail(self: object) -> None:
            raise KeyboardInterrupt

        _move("docs/tern.md", "docs/arctic.md")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("clew.stores.sqlite.segment_table.SegmentTable.tidy", fail)
            with pytest.raises(KeyboardInterrupt):
                kb.sync("docs")
        assert kb.stats() == before
        assert kb.document("docs/tern.md").document.source == "docs/tern.md"
        assert kb.sync("docs").counts == {"renamed": 1, "unchanged": 4}
    with SQLiteStore.open(store) as opened:
        assert list(opened.check()) == []
