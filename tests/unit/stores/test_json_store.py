from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from clew.errors import (
    FingerprintMismatchError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreNotFoundError,
    StoreVersionError,
)
from clew.stores import open_store
from clew.stores.base import EmbeddingSpace, Store
from clew.stores.json_store import JSONStore, export_jsonl, import_jsonl
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


def test_lines_come_back(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    assert export_jsonl(store, path) == len(_DOCUMENTS)
    assert len(path.read_text(encoding="utf-8").split("\n")) == len(_DOCUMENTS) + 2
    for other in (KnowledgeGraph(), open_store(tmp_path / "other.clew")):
        assert import_jsonl(path, other) == len(_DOCUMENTS)
        assert import_jsonl(path, other) == len(_DOCUMENTS), "again is the same"
        _assert_equal(other)


def test_replies_travel_with_their_documents(tmp_path: Path) -> None:
    graph = KnowledgeGraph()
    written = written_document("a", ["A mill."])
    graph.remember(written.document.id, {"used": "one", "left": "two"})
    keyed = written.__class__(
        **{name: getattr(written, name) for name in written.__dataclass_fields__}
        | {"reply_keys": ("used",)}
    )
    graph.commit([keyed], embedding=SPACE)
    export_jsonl(graph, tmp_path / "x.jsonl")
    JSONStore(tmp_path / "x.json").save(graph)
    other = KnowledgeGraph()
    import_jsonl(tmp_path / "x.jsonl", other)
    for found in (other, JSONStore(tmp_path / "x.json").load()):
        assert found.remembered(["used", "left"]) == {"used": "one"}


def test_a_store_without_vectors_travels_too(tmp_path: Path) -> None:
    graph = KnowledgeGraph()
    graph.commit([written_document("a", ["A mill."], space=None)])
    export_jsonl(graph, tmp_path / "x.jsonl")
    other = KnowledgeGraph()
    import_jsonl(tmp_path / "x.jsonl", other)
    assert other.embedding is None
    assert other.stats() == graph.stats()


def test_another_embedder_is_refused_before_anything_is_written(
    store: Store, tmp_path: Path
) -> None:
    export_jsonl(store, tmp_path / "x.jsonl")
    space = EmbeddingSpace(fingerprint="another/model", dimensions=16)
    other = KnowledgeGraph()
    other.commit([written_document("a", ["A mill."], space=space)], embedding=space)
    with pytest.raises(FingerprintMismatchError, match="another/model"):
        import_jsonl(tmp_path / "x.jsonl", other)
    assert other.stats()["documents"] == 1


def test_files_that_are_no_export(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    export_jsonl(store, path)
    lines = path.read_text(encoding="utf-8").splitlines()
    header = json.loads(lines[0])
    cases: list[tuple[str, type[Exception], str]] = [
        ("\n".join(lines[:-2]), StoreCorruptError, "was cut"),
        ("\n".join(lines)[:-50], StoreCorruptError, "no whole JSON"),
        (lines[0] + "\n" + '{"document": {}}', StoreCorruptError, "no document"),
        (lines[0] + "\n[1]", StoreCorruptError, "no JSON object"),
        ("", StoreCorruptError, "expected the format"),
        ('{"some": "json"}', StoreCorruptError, "expected the format"),
        ("plain text", StoreCorruptError, "line 1"),
        (json.dumps(header | {"version": 99}), StoreVersionError, "99"),
    ]
    for text, error, message in cases:
        path.write_text(text, encoding="utf-8")
        empty = KnowledgeGraph()
        with pytest.raises(error, match=message):
            import_jsonl(path, empty)
        assert empty.stats()["documents"] == 0
    with pytest.raises(StoreNotFoundError):
        import_jsonl(tmp_path / "none.jsonl", KnowledgeGraph())


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


@pytest.mark.parametrize("kind", ["json", "jsonl"])
def test_a_failed_save_leaves_the_old_file(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = KnowledgeGraph()
    graph.commit([written_document("a", ["A mill."])], embedding=SPACE)
    path = tmp_path / f"x.{kind}"

    def save() -> None:
        if kind == "json":
            JSONStore(path).save(graph)
            graph.to_json(path)
        else:
            export_jsonl(graph, path)

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
