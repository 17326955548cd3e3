"""What is derived, made anew in a database by ``clew doctor --fix``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from clew import ClewConfig, KnowledgeBase
from clew.stores.postgres import PostgresStore, rebuilding
from clew.stores.postgres.connections import connect
from clew.stores.postgres.writer import StoreWriter
from clew.testing import FakeEmbedder
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import assert_same_document, problems

DOCUMENTS = made_documents(12, seed=9)
WORDS = ClewConfig(embedding_model="none")
DAMAGES = {
    "full text": "DELETE FROM unit_terms WHERE ctid = (SELECT min(ctid) FROM unit_terms)",
    "totals": "UPDATE state SET units = units + 1, mentions = 0, chunk_terms = 7",
    "keys": "DELETE FROM entity_keys",
    "names": "UPDATE entities SET name = 'X'",
    "votes": "UPDATE entity_forms SET mentions = mentions + 1",
    "strangers": "INSERT INTO unit_terms VALUES ('word', 987654, 'x'); "
    "INSERT INTO entity_keys VALUES (987654, 'key', 'k', 'k', '{}')",
}


@pytest.fixture
def store(postgres_url: str) -> Iterator[PostgresStore]:
    with PostgresStore.open(postgres_url) as store:
        store.commit(DOCUMENTS, embedding=SPACE)
        store.keep_reply("k", "paid for", documents=["dnone"])
        yield store


def _damage(store: PostgresStore, statement: str) -> None:
    with connect(store.address, 5) as connection:
        connection.execute(statement)


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_derived_is_made_anew(store: PostgresStore, damage: str) -> None:
    _damage(store, DAMAGES[damage])
    kb = KnowledgeBase(store, config=WORDS)
    assert any(one.is_fixable for one in kb.doctor(sample=0).broken)
    report = kb.doctor(fix=True, sample=0)
    assert report.broken == ()
    assert "12 documents gone through" in report.fixed
    generation = store.generation
    for indexed in DOCUMENTS:
        assert_same_document(store.load_document(indexed.document.id), indexed)
    assert problems(store) == []
    assert list(store.orphans()) == []
    assert store.embedding == SPACE
    assert store.remembered(["k"]) == {"k": "paid for"}
    assert kb.doctor(fix=True, sample=0).fixed == ()
    assert store.generation == generation, "what is sound is left alone"
    store.commit(delete=[DOCUMENTS[0].document.id])
    assert problems(store) == []


def test_lost_vectors_are_said_to_be_lost(store: PostgresStore) -> None:
    _damage(store, DAMAGES["keys"])
    _damage(store, "DELETE FROM unit_vectors WHERE number = (SELECT min(number) FROM units)")
    kb = KnowledgeBase(store, embedding=FakeEmbedder())
    report = kb.doctor(fix=True)
    assert any("clew reembed" in done for done in report.fixed)
    assert store.embedding is None
    kb.reembed()
    assert kb.doctor().broken == ()


def test_damaged_records_are_named_and_nothing_is_changed(store: PostgresStore) -> None:
    _damage(store, "DELETE FROM units WHERE number IN (3, 4)")
    kb = KnowledgeBase(store, config=WORDS)
    generation, before = store.generation, problems(store)
    report = kb.doctor(fix=True)
    assert report.fixed == ()
    assert report.exit_status() == 1
    [note] = [note for note in report.notes if "nothing was rebuilt" in note]
    assert "clew ingest" in note
    assert (store.generation, problems(store)) == (generation, before)


def test_a_rebuilding_that_is_stopped_has_changed_nothing_and_others_read_meanwhile(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    _damage(store, DAMAGES["names"])
    monkeypatch.setattr(rebuilding, "_TOGETHER", 5)
    generation, before = store.generation, problems(store)
    calls = 0
    put = StoreWriter.put

    def fails(self: Any, *arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 3:
            assert store.stats()["documents"] == 12
            raise KeyboardInterrupt
        return put(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(StoreWriter, "put", fails)
        with pytest.raises(KeyboardInterrupt):
            store.rebuild()
    assert (store.generation, problems(store)) == (generation, before)
    assert store.rebuild().documents == 12
    assert store.generation == generation + 1
    assert problems(store) == []
