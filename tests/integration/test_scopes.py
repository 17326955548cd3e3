"""Two tenants in one store: neither sees, names, counts, exports or removes what is the other's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from clew import ClewConfig, KnowledgeBase, KnowledgeGraph, NotFoundError, Store, open_store
from clew.stores.base import Problem
from clew.testing import FakeEmbedder

SECRET = (
    "Quill and Marlow Steelworks (QMS) was founded by Tora Finch in 1907. "
    "QMS was bought by Sable Holdings in 1954.\n"
)
SHARED = "Tornby Harbour was opened by Aksel Rud in 1911.\n"

Tenants = tuple[KnowledgeBase, KnowledgeBase]


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    store: Store
    if request.param == "memory":
        store = KnowledgeGraph()
    elif request.param == "sqlite":
        store = open_store(tmp_path / "s.clew")
    else:
        store = open_store(request.getfixturevalue("postgres_url"))
    yield store
    store.close()


@pytest.fixture
def tenants(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tenants:
    monkeypatch.chdir(tmp_path)
    for name, text in {"acme/secret.txt": SECRET, "shared.txt": SHARED}.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    acme, beta = (
        KnowledgeBase(store, embedding=FakeEmbedder(), config=ClewConfig(scope=scope))
        for scope in ("acme", "beta")
    )
    assert acme.ingest(["acme", "shared.txt"]).counts == {"inserted": 2}
    assert acme.merges(), "the test needs a merge of names"
    return acme, beta


def test_the_same_file_under_another_name_is_no_duplicate_of_the_other_tenants(
    tenants: Tenants, tmp_path: Path
) -> None:
    _, beta = tenants
    (tmp_path / "copy.txt").write_text(SHARED, encoding="utf-8")
    report = beta.ingest("copy.txt")
    assert [(item.doc_id, str(item.status)) for item in report.documents] == [
        ("copy.txt", "inserted")
    ]


def test_nothing_of_the_other_is_found_counted_or_named(tenants: Tenants) -> None:
    acme, beta = tenants
    beta.ingest("shared.txt")
    assert beta.stats()["documents"] == 1
    assert beta.stats()["knowledge_units"] == 1
    assert [document.doc_id for document in beta.documents()] == ["shared.txt"]
    assert beta.entity_names("q") == beta.entity_names("tora") == []
    assert "Tora Finch" in acme.entity_names("")
    assert beta.merges() == []
    found = beta.search("Who founded Quill and Marlow Steelworks, and who bought QMS?", top_n=50)
    assert {item.doc_id for item in found.items} <= {"shared.txt"}
    assert "Finch" not in found.to_json()
    assert beta.ask("Who founded Quill and Marlow Steelworks?").abstained
    assert not acme.ask("Who founded Quill and Marlow Steelworks?").abstained


def test_nothing_of_the_other_is_shown_deleted_or_undone(tenants: Tenants) -> None:
    acme, beta = tenants
    beta.ingest("shared.txt")
    with pytest.raises(NotFoundError):
        beta.document("acme/secret.txt")
    for name in ("acme/secret.txt", "acme", "."):
        assert beta.delete(name).doc_ids == ()
    for merge in acme.merges():
        with pytest.raises(NotFoundError, match=merge.id):
            beta.undo_merge(merge.id)
    before = acme.stats()
    assert beta.delete("shared.txt").doc_ids == ("shared.txt",)
    assert acme.stats() == before
    assert acme.search("Aksel Rud").items[0].doc_id == "shared.txt"
    assert acme.check() == []


def test_sync_of_one_removes_nothing_of_the_other(tenants: Tenants, tmp_path: Path) -> None:
    acme, beta = tenants
    beta.sync(".")
    assert beta.stats()["documents"] == 2
    (tmp_path / "acme/secret.txt").unlink()
    assert beta.sync(".").counts == {"removed": 1, "unchanged": 1}
    assert {document.doc_id for document in acme.documents()} == {"acme/secret.txt", "shared.txt"}


def test_an_export_holds_the_scope_alone(tenants: Tenants, tmp_path: Path) -> None:
    acme, beta = tenants
    beta.ingest("shared.txt")
    assert beta.export("beta.jsonl") == 1
    text = (tmp_path / "beta.jsonl").read_text(encoding="utf-8")
    assert "Finch" not in text
    assert json.loads(text.splitlines()[0])["documents"] == 1
    assert acme.export("acme.jsonl") == 2
    with KnowledgeBase.in_memory(
        embedding=FakeEmbedder(), config=ClewConfig(scope="acme")
    ) as other:
        other.import_("acme.jsonl")
        assert other.stats() == acme.stats()


def _damage(found: Problem) -> Callable[[], Iterator[Problem]]:
    return lambda: iter([found, replace(found, where="acme/secret.txt", message="Finch")])


def test_a_check_names_what_is_wrong_in_the_scope_alone(
    tenants: Tenants, monkeypatch: pytest.MonkeyPatch
) -> None:
    acme, beta = tenants
    beta.ingest("shared.txt")
    ours = Problem(kind="span", where=beta.document("shared.txt").units[0].id, message="ours")
    monkeypatch.setattr(acme.store, "check", _damage(ours))
    problems = beta.check()
    assert problems[0] == ours
    assert "not of documents of this scope" in problems[1].message
    assert not any(letter.isdigit() for letter in problems[1].message)
    assert "Finch" not in repr(problems)
    monkeypatch.setattr(acme.store, "check", lambda: iter([]))
    assert beta.check() == []


def test_a_scope_that_is_alone_is_told_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
        kb.ingest_text(SHARED, name="a")
        found = Problem(kind="rows", where="chunks", message="3 rows where documents count 2")
        monkeypatch.setattr(kb.store, "check", lambda: iter([found]))
        assert kb.check() == [found]
