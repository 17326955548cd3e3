"""What is broken, what is suspect, and what of it is mended."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clew import ClewConfig, KnowledgeBase
from clew.cli import main
from clew.stores.sqlite import SQLiteStore, rebuilding
from clew.stores.sqlite.writer import StoreWriter
from clew.testing import FakeEmbedder, ScriptedLLM
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import assert_same_document, problems
from clew.upkeep.health.findings import HealthReport

DOCUMENTS = made_documents(30, seed=11)


def _kinds(report: HealthReport) -> set[tuple[str, str]]:
    return {(one.kind, one.where) for one in report.findings}


# --- suspects -------------------------------------------------------------------------------------


@pytest.fixture
def kb() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
        yield kb


def test_a_healthy_store_has_no_findings(kb: KnowledgeBase) -> None:
    kb.ingest_text("Norr Bridge was built by Ada Quill in 1871.", name="a")
    report = kb.doctor()
    assert report.findings == ()
    assert (report.exit_status(), report.exit_status(strict=True)) == (0, 0)
    assert report.checked["documents"] == 1


def test_names_that_are_written_nearly_alike(kb: KnowledgeBase) -> None:
    kb.ingest_text("Norr Harbour Company was founded by Zebediah Quillfeather.", name="a")
    kb.ingest_text(
        "Zebediah Quilfeather sold the NorrHarbour Company. Mill 1-11 and Mill 11-1.", name="b"
    )
    kb.ingest_text("Anna Holm met Hanna Holm. Ida Moss met Ida Ross.", name="c")
    found = {one.where: one for one in kb.doctor().findings}
    assert set(found) == {
        "Norr Harbour Company / NorrHarbour Company",
        "Zebediah Quilfeather / Zebediah Quillfeather",
    } or set(found) == {
        "NorrHarbour Company / Norr Harbour Company",
        "Zebediah Quilfeather / Zebediah Quillfeather",
    }
    one = found["Zebediah Quilfeather / Zebediah Quillfeather"]
    assert one.kind == "duplicate entity"
    assert '--join "Zebediah Quilfeather" --into "Zebediah Quillfeather"' in one.remedy
    assert kb.doctor().exit_status() == 0
    assert kb.doctor().exit_status(strict=True) == 1
    kb.join_names(["Zebediah Quilfeather"], "Zebediah Quillfeather")
    assert one.where not in {other.where for other in kb.doctor().findings}


def test_documents_that_give_little(kb: KnowledgeBase) -> None:
    kb.ingest_text("***\n\n---\n\n***", name="stars")
    kb.ingest_text("Norr Bridge was built by Ada Quill.", name="good")
    found = _kinds(kb.doctor())
    assert found == {("empty document", "stars")}


def test_chunks_that_the_model_gave_nothing_for() -> None:
    llm = ScriptedLLM([(".", "I would rather not.")])
    config = ClewConfig(embedding_model="none")
    with KnowledgeBase.in_memory(llm=llm, config=config) as kb:
        kb.ingest_text("Norr Bridge was built by Ada Quill.", name="a")
        [finding] = kb.doctor().findings
        assert (finding.kind, finding.where) == ("low yield", "a")
        assert "1 of 1 chunks" in finding.message
        assert "ingest it again" in finding.remedy


def test_an_entity_that_everything_speaks_of(kb: KnowledgeBase) -> None:
    for number in range(60):
        kb.ingest_text(f"Norr Works built mill number {number}.", name=f"d{number}")
    [hub] = [one for one in kb.doctor().findings if one.kind == "hub"]
    assert (hub.where, hub.message[:8]) == ("Norr Works", "60 of 60")


def test_facts_that_cannot_all_be_true(kb: KnowledgeBase) -> None:
    kb.add_facts([("Norr", "capital_of", "Vell")], name="one")
    kb.add_facts([{"subject": "Norr", "predicate": "capital_of", "object": "Vell",
                   "negated": True}], name="two")  # fmt: skip
    [finding] = [one for one in kb.doctor().findings if one.kind == "contradiction"]
    assert "clew facts" in finding.remedy


def test_vectors_that_are_not_those_of_their_texts(kb: KnowledgeBase) -> None:
    for number in range(5):
        kb.ingest_text(f"Norr Bridge {number} was built by Ada Quill.", name=f"d{number}")
    assert kb.doctor().findings == ()
    spoilt = kb.document("d3")
    assert spoilt.chunk_vectors is not None
    assert spoilt.unit_vectors is not None
    turned = np.roll(spoilt.unit_vectors, 1, axis=1)
    vectors = [
        (
            one.id,
            np.asarray(kb.document(one.doc_id).chunk_vectors),
            turned if one.doc_id == "d3" else np.asarray(kb.document(one.doc_id).unit_vectors),
        )
        for one in kb.documents()
    ]
    kb.store.replace_vectors(kb.store.embedding, vectors)
    [finding] = kb.doctor().findings
    assert (finding.kind, finding.where) == ("vectors", "d3")
    assert "clew reembed" in finding.remedy
    assert kb.doctor(sample=0).findings == ()
    other = KnowledgeBase(kb.store, embedding=FakeEmbedder(seed=4))
    report = other.doctor()
    assert report.findings == ()
    assert any("not compared" in note for note in report.notes)


def test_what_killed_runs_left(tmp_path: Path) -> None:
    with KnowledgeBase.open(tmp_path / "s.clew", embedding=FakeEmbedder()) as kb:
        kb.ingest_text("Norr Bridge was built by Ada Quill.", name="a")
        kb.store.keep_reply("k", "paid for", documents=["dnone"])
        space = kb.store.embedding
        assert space is not None
        assert isinstance(kb.store, SQLiteStore)
        with kb.store.staged(space) as stage:
            stage.put({"k": np.ones((1, space.dimensions), np.float32)})
        with next((tmp_path / "s.clew" / "vectors").glob("unit*")).open("ab") as file:
            file.write(b"torn")
        report = kb.doctor()
        assert {where.split("/")[0] for _, where in _kinds(report)} == {
            "vectors", "main.db: replies", "staging.db"
        }  # fmt: skip
        assert report.exit_status() == 0
        treated = kb.doctor(fix=True)
        assert treated.fixed == ("the store was written anew without what nothing refers to",)
        assert {where for _, where in _kinds(treated)} == {"main.db: replies", "staging.db"}
        assert kb.store.remembered(["k"]) == {"k": "paid for"}, "it is worth money"


# --- what is broken -------------------------------------------------------------------------------

Damage = Callable[[sqlite3.Connection], object]

DAMAGES: dict[str, Damage] = {
    "full text": lambda db: db.execute("DELETE FROM segment_terms WHERE layer = 'unit'"),
    "links": lambda db: db.execute(
        "UPDATE segment_arrays SET data = (SELECT other.data FROM segment_arrays other "
        "WHERE other.segment = segment_arrays.segment AND other.name = 'mention_counts') "
        "WHERE name = 'unit_chunks'"
    ),
    "names": lambda db: db.execute("UPDATE entities SET name = 'Nobody' WHERE number % 2 = 0"),
    "votes": lambda db: db.execute("DELETE FROM entity_forms WHERE entity % 3 = 0"),
    "keys": lambda db: db.execute("DELETE FROM entity_keys WHERE entity % 2 = 0"),
    "orphans": lambda db: db.execute(
        "INSERT INTO facts SELECT 99999, 'f0', 88888, 0, 1, 'relation', 'a', 'b', 'c', '', 0, 1.0,"
        " '', '', '', '', '', '', '', '', '', 'a', 'c', 0"
    ),
    "dead index": lambda db: db.execute(
        "INSERT INTO dead_documents SELECT number FROM documents LIMIT 3"
    ),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "s.clew"
    with SQLiteStore.open(path) as store:
        for start in range(0, 30, 10):
            store.commit(DOCUMENTS[start : start + 10], embedding=SPACE)
        store.keep_reply("k", "paid for", documents=[DOCUMENTS[0].document.id])
    return path


def _damage(path: Path, damage: Damage) -> None:
    with closing(sqlite3.connect(path / "main.db")) as connection:
        damage(connection)
        connection.commit()


@pytest.mark.parametrize("what", DAMAGES)
def test_what_is_derived_is_made_anew(path: Path, what: str) -> None:
    _damage(path, DAMAGES[what])
    with KnowledgeBase.open(path, config=ClewConfig(embedding_model="none")) as kb:
        before = kb.doctor(sample=0)
        assert before.exit_status() == 1
        assert all(one.remedy for one in before.findings)
        report = kb.doctor(fix=True, sample=0)
        assert report.broken == ()
        assert "30 documents gone through" in report.fixed
        generation = kb.store.generation
        for indexed in DOCUMENTS:
            assert_same_document(kb.store.load_document(indexed.document.id), indexed)
        assert kb.store.remembered(["k"]) == {"k": "paid for"}
        assert kb.doctor(fix=True).fixed == ()
        assert kb.store.generation == generation, "what is sound is left alone"
    with SQLiteStore.open(path) as store:
        assert problems(store) == []
        assert store.embedding == SPACE


def test_vectors_whose_places_were_lost_are_said_to_be_lost(path: Path) -> None:
    _damage(path, lambda db: db.execute("DELETE FROM segments WHERE number = 2"))
    with KnowledgeBase.open(path, embedding=FakeEmbedder()) as kb:
        report = kb.doctor(fix=True)
        assert any("clew reembed" in done for done in report.fixed)
        assert kb.store.embedding is None
        kb.reembed()
        assert kb.doctor().broken == ()


def test_vectors_that_flipped_are_made_anew_from_the_texts(path: Path) -> None:
    with KnowledgeBase.open(path, embedding=FakeEmbedder()) as kb:
        kb.reembed()
    file = next((path / "vectors").glob("unit*"))
    held = bytearray(file.read_bytes())
    held[200] ^= 16
    file.write_bytes(held)
    with KnowledgeBase.open(path, embedding=FakeEmbedder()) as kb:
        [finding] = kb.doctor(fix=True).broken
        assert finding.kind == "vectors"
        assert "clew reembed" in finding.remedy
        kb.reembed()
        assert kb.doctor().broken == ()


def test_records_that_flipped_are_named_and_nothing_is_changed(path: Path) -> None:
    _damage(path, lambda db: db.execute("UPDATE units SET origin = 'x' WHERE number = 3"))
    with KnowledgeBase.open(path, config=ClewConfig(embedding_model="none")) as kb:
        generation = kb.store.generation
        report = kb.doctor(fix=True)
        assert {one.kind for one in report.broken} == {"damage"}
        assert all("backup" in one.remedy for one in report.broken)
        assert report.fixed == ()
        assert any("nothing was rebuilt" in note for note in report.notes)
        assert kb.store.generation == generation


def test_a_decision_that_flipped_is_told(tmp_path: Path) -> None:
    path = tmp_path / "s.clew"
    with KnowledgeBase.open(path, config=ClewConfig(embedding_model="none")) as kb:
        kb.ingest_text("***", name="stars")
        kb.ingest_text("Norr Bridge was built by Ada Quill.", name="a")
        kb.join_names(["Ada Quill"], "Norr Bridge")
    _damage(path, lambda db: db.execute("UPDATE decisions SET name = 'Nobody'"))
    with KnowledgeBase.open(path, config=ClewConfig(embedding_model="none")) as kb:
        [finding] = kb.doctor().broken
        assert finding.kind == "damage"
        assert "decisions" in finding.message


def test_each_tenant_is_told_of_its_own_damage(tmp_path: Path) -> None:
    path = tmp_path / "s.clew"
    configs = {name: ClewConfig(embedding_model="none", scope=name) for name in ("ours", "theirs")}
    for scope, config in configs.items():
        with KnowledgeBase.open(path, config=config) as kb:
            kb.ingest_text("Norr Bridge was built by Ada Quill.", name=scope)
            [document] = kb.documents()
    _damage(
        path,
        lambda db: db.execute(
            "UPDATE bodies SET text = text || '!' "
            "WHERE document = (SELECT number FROM documents WHERE scope = 'theirs')"
        ),
    )
    with KnowledgeBase.open(path, config=configs["theirs"]) as kb:
        assert document.id in {one.where for one in kb.check()}
    with KnowledgeBase.open(path, config=configs["ours"]) as kb:
        assert {one.kind for one in kb.check()} == {"store"}


def test_the_check_tells_of_what_keeps_everybody_from_reading(path: Path) -> None:
    _damage(path, DAMAGES["dead index"])
    with KnowledgeBase.open(path, config=ClewConfig(embedding_model="none")) as kb:
        [problem] = kb.check()
        assert problem.kind == "damage"
        assert "clew doctor --fix" in problem.message


def test_a_list_of_a_generation_that_flipped_costs_no_vectors(path: Path) -> None:
    _damage(path, lambda db: db.execute("UPDATE segments SET records = records + 1"))
    with KnowledgeBase.open(path, config=ClewConfig(embedding_model="none")) as kb:
        report = kb.doctor(fix=True, sample=0)
        assert report.broken == ()
        assert not any("clew reembed" in done for done in report.fixed)
        assert kb.store.embedding == SPACE


def test_damaged_records_are_named_and_nothing_is_changed(path: Path) -> None:
    _damage(path, lambda db: db.execute("DELETE FROM units WHERE number IN (3, 4)"))
    with KnowledgeBase.open(path, config=ClewConfig(embedding_model="none")) as kb:
        generation = kb.store.generation
        report = kb.doctor(fix=True)
        assert report.fixed == ()
        assert report.exit_status() == 1
        [note] = [note for note in report.notes if "nothing was rebuilt" in note]
        assert "backup" in note
        assert kb.store.generation == generation


def test_a_rebuilding_that_is_stopped_has_changed_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _damage(path, DAMAGES["names"])
    monkeypatch.setattr(rebuilding, "_TOGETHER", 7)
    with SQLiteStore.open(path) as store:
        generation, before = store.generation, problems(store)
        calls = 0
        put = StoreWriter.put

        def fails(self: Any, *arguments: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == 3:
                raise KeyboardInterrupt
            return put(self, *arguments)

        with monkeypatch.context() as patch:
            patch.setattr(StoreWriter, "put", fails)
            with pytest.raises(KeyboardInterrupt):
                store.rebuild()
        assert (store.generation, problems(store)) == (generation, before)
        assert store.rebuild().documents == 30
        assert store.generation == generation + 1
        assert problems(store) == []


def test_from_the_command_line(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*arguments: str, status: int = 0) -> str:
        with pytest.raises(SystemExit) as stop:
            main(["doctor", *arguments, "--store", str(path), "--set", "embedding_model=none"])
        assert stop.value.code == status
        return capsys.readouterr().out

    _damage(path, DAMAGES["votes"])
    told = json.loads(run("--json", status=1))
    assert not told["ok"]
    assert told["counts"]["broken"] > 0
    assert {"kind", "severity", "where", "message", "remedy"} <= told["findings"][0].keys()
    out = run(status=1)
    assert "broken entity: " in out
    assert "→ `clew doctor --fix` makes anew" in out
    out = run("--fix")
    assert "done: 30 documents gone through" in out
    told = json.loads(run("--json"))
    assert told["ok"]
    assert run("--strict", status=1 if told["findings"] else 0)
