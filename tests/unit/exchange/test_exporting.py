"""Every format that is read back gives an equal store; what is cut or foreign is named."""

from __future__ import annotations

import errno
import io
import json
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew import ClewConfig, KnowledgeBase
from clew.errors import (
    FilterError,
    FingerprintMismatchError,
    MissingExtraError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreNotFoundError,
    StoreVersionError,
)
from clew.exchange import parquet
from clew.exchange.exporting import check_export, export_store, import_store
from clew.records import EntityDecision
from clew.stores import open_store
from clew.stores.base import EmbeddingSpace, Store
from clew.stores.memory import KnowledgeGraph
from clew.testing import FakeEmbedder
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import assert_same_document, problems
from clew.testing.store_contract.hostile import HOSTILE_NAMES
from clew.testing.strategies import documents as any_documents
from clew.testing.written_documents import written_document

_DOCUMENTS = [
    *made_documents(15, seed=11),
    written_document("hostile", HOSTILE_NAMES, names=HOSTILE_NAMES, title=HOSTILE_NAMES[0]),
    written_document("empty", []),
]
_DECISION = EntityDecision(
    id="n1", key="norr ltd", name="Norr Ltd", into_key="norr", into_name="Norr", doc_ids=("a", "b")
)
READ_BACK = pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    store: Store = (
        KnowledgeGraph() if request.param == "memory" else open_store(tmp_path / "s.clew")
    )
    store.commit(_DOCUMENTS, embedding=SPACE)
    store.decide(_DECISION)
    return store


@READ_BACK
def test_what_is_exported_comes_back(
    store: Store, tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "_GROUP", 7)  # many row groups
    monkeypatch.setattr(parquet, "_READ_AT_ONCE", 3)
    path = tmp_path / f"x{suffix}"
    for _ in range(2):
        assert export_store(store, path) == len(_DOCUMENTS), "an earlier export is replaced"
    assert check_export(path) == len(_DOCUMENTS)
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []
    for other in (KnowledgeGraph(), open_store(tmp_path / "other.clew")):
        for _ in range(2):
            assert import_store(path, other) == len(_DOCUMENTS), "again is the same"
        assert other.embedding == SPACE
        assert other.stats() == store.stats()
        for indexed in _DOCUMENTS:
            assert_same_document(other.load_document(indexed.document.id), indexed)
        assert other.decisions() == [_DECISION]
        assert problems(other) == []


@READ_BACK
@settings(max_examples=10, deadline=None)
@given(documents=st.lists(any_documents(), max_size=3, unique_by=lambda document: document.id))
def test_any_document_comes_back(suffix: str, documents: list[Any]) -> None:
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
        kb.ingest_documents(documents)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"x{suffix}")
            kb.export(path)
            with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as other:
                other.import_(path)
                assert other.stats() == kb.stats()
                for listed in kb.documents():
                    expected = kb.store.load_document(listed.id)
                    assert expected is not None
                    assert_same_document(other.store.load_document(listed.id), expected)


@READ_BACK
def test_replies_travel_with_their_documents(tmp_path: Path, suffix: str) -> None:
    graph, other = KnowledgeGraph(), KnowledgeGraph()
    written = written_document("a", ["A mill."])
    graph.remember(written.document.id, {"used": "one", "left": "two"})
    graph.commit([replace(written, reply_keys=("used",))], embedding=SPACE)
    export_store(graph, tmp_path / f"x{suffix}")
    import_store(tmp_path / f"x{suffix}", other)
    assert other.remembered(["used", "left"]) == {"used": "one"}


@READ_BACK
def test_vectors_can_be_left_out(store: Store, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"x{suffix}"
    export_store(store, path, vectors=False)
    other = KnowledgeGraph()
    import_store(path, other)
    assert other.embedding is None
    assert other.stats() == store.stats()
    export_store(other, path)
    import_store(path, KnowledgeGraph())


@READ_BACK
def test_scope_and_filter_choose_what_is_exported(tmp_path: Path, suffix: str) -> None:
    graph, other = KnowledgeGraph(), KnowledgeGraph()
    documents = [
        written_document(f"{scope}-{year}", ["x"], scope=scope, metadata={"year": year})
        for scope in ("one", "two")
        for year in (2000, 2001)
    ]
    graph.commit(documents, embedding=SPACE)
    graph.decide(replace(_DECISION, scope="one"))
    path = tmp_path / f"x{suffix}"
    assert export_store(graph, path, scope="two", where={"year": {"$gt": 2000}}) == 1
    import_store(path, other)
    assert [document.doc_id for document in other.list_documents()] == ["two-2001"]
    assert other.decisions() == []
    with pytest.raises(FilterError):
        export_store(graph, path, where={"$nor": []})
    mine = KnowledgeBase.in_memory(config=ClewConfig(scope="one"))
    with pytest.raises(StoreError, match=r"'two-2001' is of the scope 'two'.*--scope two"):
        mine.import_(path)
    assert mine.store.stats()["documents"] == 0


@READ_BACK
def test_another_embedder_is_refused_before_anything_is_written(
    store: Store, tmp_path: Path, suffix: str
) -> None:
    export_store(store, tmp_path / f"x{suffix}")
    space = EmbeddingSpace(fingerprint="another/model", dimensions=16)
    other = KnowledgeGraph()
    other.commit([written_document("a", ["A mill."], space=space)], embedding=space)
    with pytest.raises(FingerprintMismatchError, match="another/model"):
        import_store(tmp_path / f"x{suffix}", other)
    assert other.stats()["documents"] == 1
    assert other.decisions() == []


def test_lines_that_are_no_export(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    export_store(store, path)
    lines = path.read_text(encoding="utf-8").splitlines()
    header = json.loads(lines[0])
    cases: list[tuple[str, type[Exception], str]] = [
        ("\n".join(lines[:-2]), StoreCorruptError, r"x\.jsonl: 15 documents where 17.*was cut"),
        ("\n".join(lines)[:-50], StoreCorruptError, "line 18 is no whole JSON.*it was cut"),
        (lines[0] + "\n" + '{"document": {}}', StoreCorruptError, "line 2: this is no document"),
        (lines[0] + "\n[1]", StoreCorruptError, "line 2 is no JSON object"),
        ("", StoreCorruptError, "found None.*clew ingest"),
        ('{"some": "json"}', StoreCorruptError, "line 1: expected.*clew ingest"),
        ("plain text", StoreCorruptError, "line 1"),
        (json.dumps({"format": "clew.documents", "version": 1}), StoreCorruptError, "damaged"),
        (json.dumps(header | {"version": 99}), StoreVersionError, "99"),
    ]
    for text, error, message in cases:
        path.write_text(text, encoding="utf-8")
        empty = KnowledgeGraph()
        with pytest.raises(error, match=message):
            import_store(path, empty)
        assert empty.stats()["documents"] == 0
        assert empty.decisions() == []
    with pytest.raises(StoreNotFoundError):
        import_store(tmp_path / "none.jsonl", KnowledgeGraph())


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-20])


def _foreign(file: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet

    pa.parquet.write_table(pa.table({"a": [1]}), file)


@pytest.mark.parametrize(
    ("damage", "name", "message"),
    [
        (_cut, "units.parquet", r"units\.parquet: behind row 0: no whole Parquet"),
        (Path.unlink, "facts.parquet", r"facts\.parquet"),
        (_foreign, "chunks.parquet", "no column 'context'"),
        (Path.unlink, "clew.json", "no whole export"),
        (lambda file: file.write_text("{"), "clew.json", "no whole export"),
        (lambda file: file.write_text('{"format": "x"}'), "clew.json", "clew.tables"),
    ],
)
def test_folders_that_are_no_export(
    tmp_path: Path, damage: Callable[[Path], object], name: str, message: str
) -> None:
    graph, other = KnowledgeGraph(), KnowledgeGraph()
    graph.commit(_DOCUMENTS, embedding=SPACE)
    path = tmp_path / "x.parquet"
    export_store(graph, path)
    damage(path / name)
    with pytest.raises(StoreError, match=message):
        import_store(path, other)
    assert other.stats()["documents"] == 0


def test_rows_of_no_document_are_named(tmp_path: Path) -> None:
    graph = KnowledgeGraph()
    graph.commit(_DOCUMENTS, embedding=SPACE)
    export_store(graph, tmp_path / "all.parquet")
    graph.commit(delete=[_DOCUMENTS[3].document.id])
    export_store(graph, tmp_path / "few.parquet")
    (tmp_path / "all.parquet/units.parquet").replace(tmp_path / "few.parquet/units.parquet")
    with pytest.raises(StoreCorruptError, match=r"units\.parquet|a mention refers"):
        import_store(tmp_path / "few.parquet", KnowledgeGraph())


def test_parquet_leaves_other_folders_alone(store: Store, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/letter.txt").write_text("Dear Ida")
    with pytest.raises(StoreError, match="was left alone"):
        export_store(store, tmp_path / "mine", format="parquet")
    assert [file.name for file in (tmp_path / "mine").iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("suffix", [".jsonl", ".graphml"])
def test_a_failed_export_leaves_the_old_one(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = KnowledgeGraph()
    graph.commit([written_document("a", ["A mill."])], embedding=SPACE)
    path = tmp_path / f"x{suffix}"
    export_store(graph, path)
    before = path.read_bytes()
    graph.commit(_DOCUMENTS, embedding=SPACE)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(StoreFullError, match="No space"):
        export_store(graph, path)
    assert path.read_bytes() == before


def test_a_failed_export_leaves_the_old_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph, other = KnowledgeGraph(), KnowledgeGraph()
    graph.commit([written_document("a", ["A mill."])], embedding=SPACE)
    export_store(graph, tmp_path / "x.parquet")
    graph.commit(_DOCUMENTS, embedding=SPACE)

    def full(_: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(parquet, "sync_folder", full)
        with pytest.raises(StoreFullError, match="No space"):
            export_store(graph, tmp_path / "x.parquet")
    assert [file.name for file in tmp_path.iterdir()] == ["x.parquet"]
    assert import_store(tmp_path / "x.parquet", other) == 1


def test_what_says_no_format(store: Store, tmp_path: Path) -> None:
    for name, chosen, message in (
        ("x.graphmll", None, r"'\.graphmll' says.*--format.*did you mean '\.graphml'"),
        ("x", None, "says no format"),
        ("x.jsonl", "parket", "did you mean 'parquet'"),
        ("-", "parquet", "pipe"),
    ):
        with pytest.raises(StoreError, match=message):
            export_store(store, tmp_path / name if name != "-" else "-", format=chosen)
    with pytest.raises(StoreError, match="can be written and not read"):
        import_store(tmp_path / "x.graphml", store)
    assert export_store(store, tmp_path / "x", format="JSONL") == len(_DOCUMENTS)
    assert import_store(tmp_path / "x", KnowledgeGraph()) == len(_DOCUMENTS)


def test_a_pipe_is_written_and_read(
    store: Store, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    export_store(store, "-")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(capfdbinary.readouterr().out)))
    other = KnowledgeGraph()
    assert import_store("-", other) == len(_DOCUMENTS)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"{}")))
    with pytest.raises(StoreCorruptError, match="standard input: line 1"):
        import_store("-", other)


@pytest.mark.parametrize(
    ("module", "extra", "use"),
    [
        ("pyarrow.parquet", "arrow", lambda kb, path: kb.export(path / "x.parquet")),
        ("networkx", "networkx", lambda kb, _: kb.to_networkx()),
        ("pandas", "pandas", lambda kb, _: kb.to_pandas()),
    ],
)
def test_a_missing_extra_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    extra: str,
    use: Callable[[KnowledgeBase, Path], object],
) -> None:
    monkeypatch.setitem(__import__("sys").modules, module, None)
    with (
        KnowledgeBase.in_memory() as kb,
        pytest.raises(MissingExtraError, match=rf"clew\[{extra}\]"),
    ):
        use(kb, tmp_path)
    assert list(tmp_path.iterdir()) == []
