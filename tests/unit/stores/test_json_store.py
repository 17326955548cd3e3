from __future__ import annotations

import errno
from dataclasses import replace
from pathlib import Path

import pytest

from clew.errors import (
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreNotFoundError,
    StoreVersionError,
)
from clew.stores import open_store
from clew.stores.base import Store
from clew.stores.json_store import JSONStore
from clew.stores.memory import KnowledgeGraph
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import assert_same_document, problems
from clew.testing.store_contract.hostile import HOSTILE_NAMES
from clew.testing.written_documents import written_document

_DOCUMENTS = [
    *made_documents(15, seed=11),
    written_document("hostile", HOSTILE_NAMES, names=HOSTILE_NAMES, title=HOSTILE_NAMES[0]),
    written_document("empty", []),
]


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    store: Store = (
        KnowledgeGraph() if request.param == "memory" else open_store(tmp_path / "s.clew")
    )
    store.commit(_DOCUMENTS, embedding=SPACE)
    return store


def _assert_equal(found: Store) -> None:
    assert found.embedding == SPACE
    assert found.stats()["documents"] == len(_DOCUMENTS)
    for indexed in _DOCUMENTS:
        assert_same_document(found.load_document(indexed.document.id), indexed)
    assert problems(found) == []


def test_a_saved_graph_comes_back(store: Store, tmp_path: Path) -> None:
    saved = JSONStore(tmp_path / "graph.json")
    assert not saved.exists()
    saved.save(store)
    assert saved.exists()
    _assert_equal(saved.load())
    _assert_equal(KnowledgeGraph.from_json(tmp_path / "graph.json"))


def test_replies_travel_with_their_documents(tmp_path: Path) -> None:
    graph = KnowledgeGraph()
    written = written_document("a", ["A mill."])
    graph.remember(written.document.id, {"used": "one", "left": "two"})
    graph.commit([replace(written, reply_keys=("used",))], embedding=SPACE)
    JSONStore(tmp_path / "x.json").save(graph)
    found = JSONStore(tmp_path / "x.json").load()
    assert found.remembered(["used", "left"]) == {"used": "one"}


def test_graphs_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    for text, error in (
        ('{"format": "clew.graph", "version": 99}', StoreVersionError),
        ('{"format": "clew.graph", "version": 1}', StoreCorruptError),
        ('{"format": "other"}', StoreCorruptError),
        ("[1, 2]", StoreCorruptError),
        ('{"format": "clew.gr', StoreCorruptError),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(error):
            JSONStore(path).load()
    with pytest.raises(StoreNotFoundError):
        JSONStore(tmp_path / "none.json").load()


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = KnowledgeGraph()
    graph.commit([written_document("a", ["A mill."])], embedding=SPACE)
    path = tmp_path / "x.json"

    def save() -> None:
        JSONStore(path).save(graph)
        graph.to_json(path)

    save()
    before = path.read_bytes()
    graph.commit(_DOCUMENTS, embedding=SPACE)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        with pytest.raises(StoreFullError, match="No space"):
            save()
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir()] == [path.name]
    save()
    assert path.read_bytes() != before


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="none"):
        KnowledgeGraph().to_json(tmp_path / "none" / "x.json")
