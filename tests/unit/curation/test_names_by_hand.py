"""Names joined and split by hand: everywhere, for what comes later too, and back again exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

import pytest

import clew
from clew import ClewConfig, KnowledgeBase
from clew.curation.names import resolved_anew
from clew.errors import ConfigError, NotFoundError
from clew.records import IndexedDocument
from clew.stores.sqlite import SQLiteStore

WORDS = ClewConfig(embedding_model="none")
TEXTS = [
    {"doc_id": "bridge", "text": "Norr Works built the Tarn Bridge. It stands in Oslo."},
    {"doc_id": "founder", "title": "Norr Ltd", "text": "Norr Ltd was founded by Ola Roe."},
    {"doc_id": "sky", "text": "Mercury is a small planet. Mercury has no moon."},
    {"doc_id": "metal", "text": "Mercury is a liquid metal. Ola Roe sold Mercury."},
]


@pytest.fixture(params=["memory", "sqlite"])
def kb(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[KnowledgeBase]:
    made: dict[str, Callable[[], KnowledgeBase]] = {
        "memory": lambda: KnowledgeBase.in_memory(config=WORDS),
        "sqlite": lambda: KnowledgeBase(SQLiteStore.open(tmp_path / "s.clew"), config=WORDS),
    }
    with made[request.param]() as kb:
        kb.ingest_documents(TEXTS)
        yield kb


def state(kb: KnowledgeBase) -> dict[str, dict[str, object]]:
    return {
        document.doc_id: {
            item.name: getattr(kb.document(document.doc_id), item.name)
            for item in fields(IndexedDocument)
        }
        for document in kb.documents()
    }


def chunks_of(kb: KnowledgeBase, name: str) -> int:
    (entity,) = [entity for entity in kb.entities() if entity.name == name]
    numbers = kb.store.numbers_of("entity", [entity.id])
    return int(kb.store.entity_frequencies(numbers)[0])


def test_two_names_of_one_thing(kb: KnowledgeBase) -> None:
    before = state(kb)
    (receipt,) = kb.join_names(["Norr Ltd"], "Norr Works")
    assert receipt.documents == 1
    (norr,) = kb.entities("Norr Works")
    assert norr.aliases == ("Norr Ltd",)
    assert chunks_of(kb, "Norr Works") == 2
    assert [entity.name for entity in kb.entities("Norr Ltd")] == []
    found = kb.search("Who founded Norr Works?").items
    assert found[0].doc_id == "founder"
    assert kb.check() == []
    kb.undo_merge(receipt.decision.id)
    assert state(kb) == before
    assert kb.decisions() == []
    assert kb.check() == []


def test_a_new_name_may_be_given(kb: KnowledgeBase) -> None:
    receipts = kb.join_names(["Norr Ltd", "Norr Works", "Norr Ltd"], "Norr Group")
    assert [receipt.documents for receipt in receipts] == [1, 1]
    (group,) = kb.entities("Norr Group")
    assert group.aliases == ("Norr Ltd", "Norr Works")


def test_two_things_of_one_name(kb: KnowledgeBase) -> None:
    before = state(kb)
    receipt = kb.split_name("mercury", "Mercury (planet)", ["sky"])
    assert receipt.documents == 1
    assert chunks_of(kb, "Mercury") == 1
    assert chunks_of(kb, "Mercury (planet)") == 1
    after = state(kb)
    assert after["metal"] == before["metal"]
    kb.undo_merge(receipt.decision.id)
    assert state(kb) == before


def test_a_name_that_was_joined_is_split_alone(kb: KnowledgeBase) -> None:
    kb.ingest_text("Norr Ltd sued Norr Works over the Tarn Bridge.", name="court")
    kb.join_names(["Norr Ltd", "Norr Works"], "Norr Group")
    joined = state(kb)
    receipt = kb.split_name("norr ltd", "Norr Ltd (Bergen)", ["court"])
    assert receipt.documents == 1
    court = {mention.surface: mention.entity_id for mention in kb.document("court").mentions}
    assert court["Norr Ltd"] != court["Norr Works"]
    (group,) = kb.entities("Norr Group")
    assert court["Norr Works"] == group.id
    (apart,) = kb.entities("Norr Ltd (Bergen)")
    assert court["Norr Ltd"] == apart.id
    assert kb.check() == []
    kb.undo_merge(receipt.decision.id)
    assert state(kb) == joined


def test_an_acronym_is_told_from_what_it_stands_for(kb: KnowledgeBase) -> None:
    text = "The Norsk Tidal Authority (NTA) sued the band NTA."
    kb.ingest_documents([{"doc_id": "suit", "text": text}, {"doc_id": "nta", "text": "NTA sang."}])
    before = state(kb)
    receipt = kb.split_name("NTA", "NTA (band)", ["suit"])
    assert receipt.documents == 1
    suit = {mention.surface: mention.entity_id for mention in kb.document("suit").mentions}
    assert suit["NTA"] != suit["Norsk Tidal Authority"]
    assert kb.split_name("NTA", "NTA (choir)", ["suit"]).documents == 1
    assert "NTA (band)" not in kb.entity_names("NTA")
    for decision in kb.decisions():
        kb.undo_merge(decision.id)
    assert state(kb) == before


def test_documents_that_come_later_follow(kb: KnowledgeBase) -> None:
    kb.join_names(["Norr Ltd"], "Norr Works")
    kb.ingest_documents([{"doc_id": "later", "text": "Norr Ltd moved to Bergen."}])
    kb.ingest_documents([{"doc_id": "founder", "text": "Norr Ltd was founded by Ulla Roe."}])
    assert chunks_of(kb, "Norr Works") == 3
    assert [entity.name for entity in kb.entities("Norr Ltd")] == []


def test_decisions_follow_each_other_and_any_of_them_is_taken_back(kb: KnowledgeBase) -> None:
    before = state(kb)
    (first,) = kb.join_names(["Norr Ltd"], "Norr Works")
    (second,) = kb.join_names(["Norr Works"], "The Norr Group")
    assert chunks_of(kb, "The Norr Group") == 2
    kb.undo_merge(first.decision.id)
    assert chunks_of(kb, "The Norr Group") == 1
    assert chunks_of(kb, "Norr Ltd") == 1
    kb.undo_merge(second.decision.id)
    assert state(kb) == before


def test_the_log_shows_what_was_decided(kb: KnowledgeBase) -> None:
    (receipt,) = kb.join_names(["Norr Ltd"], "Norr Works")
    (line,) = [merge for merge in kb.merges() if merge.reason.startswith("by hand")]
    assert line.reason == f"by hand: {receipt.decision.id}"
    assert line.merged_name == "Norr Ltd"


def test_deciding_twice_is_deciding_once(kb: KnowledgeBase) -> None:
    kb.split_name("Mercury", "Mercury (planet)", ["sky"])
    again = kb.split_name("Mercury", "Mercury (planet)", ["sky", "sky"])
    assert again.documents == 0
    assert len(kb.decisions()) == 1


def test_a_decision_goes_with_the_last_document_that_has_its_names(kb: KnowledgeBase) -> None:
    kb.split_name("Mercury", "Mercury (planet)", ["sky"])
    kb.delete("sky")
    assert len(kb.decisions()) == 1
    kb.delete("metal")
    assert kb.decisions() == []


def test_decisions_stay_in_their_scope(kb: KnowledgeBase) -> None:
    other = KnowledgeBase(kb.store, config=WORDS.replace(scope="other"))
    other.ingest_documents(TEXTS)
    before = state(other)
    kb.join_names(["Norr Ltd"], "Norr Works")
    assert state(other) == before
    assert other.decisions() == []
    with pytest.raises(NotFoundError):
        other.undo_merge(kb.decisions()[0].id)


@pytest.mark.parametrize(
    ("names", "into", "error", "said"),
    [
        (["Norr Work"], "Norr Works", NotFoundError, "there is 'Norr Works'"),
        (["Nobody at all"], "Norr Works", NotFoundError, "no entity 'Nobody at all'"),
        (["Norr Works"], "Norr Works", ConfigError, "nothing to join"),
        (["Norr Works"], "...", ConfigError, "names nothing"),
    ],
)
def test_what_cannot_be_joined(
    kb: KnowledgeBase, names: list[str], into: str, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        kb.join_names(names, into)
    assert kb.decisions() == []


@pytest.mark.parametrize(
    ("into", "doc_ids", "error", "said"),
    [
        ("Mercury (planet)", [], ConfigError, "name the documents"),
        ("Mercury (planet)", ["moon"], NotFoundError, "no document 'moon'"),
        ("MERCURY", ["sky"], ConfigError, "another name"),
    ],
)
def test_what_cannot_be_split(
    kb: KnowledgeBase, into: str, doc_ids: list[str], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        kb.split_name("Mercury", into, doc_ids)
    assert kb.decisions() == []


def test_resolving_anew_gives_what_indexing_gave() -> None:
    with KnowledgeBase.in_memory(config=WORDS) as kb:
        kb.ingest(Path(clew.__file__).parent / "demo" / "documents")
        documents = kb.documents()
        assert len(documents) > 10
        for document in documents:
            indexed = kb.document(document.doc_id)
            anew = resolved_anew(indexed, WORDS)
            assert anew.mentions == indexed.mentions
            assert anew.entities == indexed.entities
            assert anew.topics == indexed.topics
            assert anew.merges == indexed.merges


def test_decisions_travel_with_an_export(kb: KnowledgeBase, tmp_path: Path) -> None:
    kb.join_names(["Norr Ltd"], "Norr Works")
    kb.export(tmp_path / "x.jsonl")
    with KnowledgeBase.in_memory(config=WORDS) as other:
        other.import_(tmp_path / "x.jsonl")
        assert other.decisions() == kb.decisions()
        assert state(other) == state(kb)


def test_a_lone_text_is_one_name() -> None:
    config = ClewConfig(embedding_model="none")
    with KnowledgeBase.in_memory(config=config) as kb:
        kb.ingest_text("Norr Works built the Tarn Bridge.", name="bridge")
        kb.ingest_text("Norr Ltd was founded by Ola Roe.", name="founder")
        kb.join_names("Norr Ltd", "Norr Works")
        kb.split_name("Ola Roe", "Ola Roe (founder)", "founder")
        names = {entity.name for entity in kb.entities()}
    assert {"Norr Works", "Ola Roe (founder)"} <= names
    assert not {"Norr Ltd", "Ola Roe"} & names
