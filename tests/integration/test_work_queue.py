"""Documents that wait in a database, and workers that index them: none lost, none by halves."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from clew import ClewConfig, KnowledgeBase
from clew.cli import main
from clew.errors import ConfigError, EmbeddingError, StoreError
from clew.records import Document
from clew.stores.base import Store
from clew.stores.postgres import PostgresStore
from clew.stores.postgres.queue import MOST_ATTEMPTS, PostgresQueue
from clew.stores.queues import QueueCounts
from clew.testing import FakeEmbedder
from clew.testing.store_contract.fixtures import problems

_DOOMED = """
import sys, time
from clew import KnowledgeBase
from clew.testing import FakeEmbedder
class Stuck(FakeEmbedder):
    def _count(self, texts):
        print("taken", flush=True)
        time.sleep(600)
with KnowledgeBase.open(sys.argv[1], embedding=Stuck()) as kb:
    kb.work(lease_s=2)
"""
_NAMES = ("Norr Works", "Tveit Yard", "Ida Moss", "Berit Lind", "Sund Ironworks", "Hagen")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Forty files that speak of the same few names."""
    files = tmp_path / "docs"
    files.mkdir()
    for at in range(40):
        one, other = _NAMES[at % 6], _NAMES[(at // 6 + at + 1) % 6]
        text = f"# Note {at}\n\n{one} bought {other} in {1900 + at}. {other} is in Hagen.\n"
        (files / f"{at:02}.md").write_text(text)
    return files


@pytest.fixture
def store(postgres_url: str) -> Iterator[PostgresStore]:
    with PostgresStore.open(postgres_url) as opened:
        yield opened


@pytest.fixture
def queue(store: PostgresStore) -> PostgresQueue:
    return store.queue()


def _documents(count: int, *, scope: str = "default") -> list[Document]:
    return [
        Document(id=f"{scope}-{at}", doc_id=f"d{at}", text=f"Text {at}.", scope=scope)
        for at in range(count)
    ]


def _open(url: str) -> KnowledgeBase:
    return KnowledgeBase.open(url, embedding=FakeEmbedder(), config=ClewConfig(verbose=False))


def _graph(store: Store) -> list[object]:
    """Everything of a graph that does not hang on the order in which documents came."""
    documents = store.list_documents()
    loaded = [store.load_document(document.id) for document in documents]
    names = {
        name for item in loaded if item is not None for name in (one.id for one in item.entities)
    }
    numbers = store.numbers_of("entity", sorted(names))
    records = [
        (item.document, item.chunks, item.units, item.mentions, item.entities, item.topics)
        for item in loaded
        if item is not None
    ]
    vectors = [
        item.unit_vectors.tolist()
        for item in loaded
        if item is not None and item.unit_vectors is not None
    ]
    return [records, vectors, store.get_entities(numbers), store.stats()]


# --- the queue ------------------------------------------------------------------------------------


def test_every_document_is_with_one_worker(queue: PostgresQueue) -> None:
    assert queue.put(_documents(60)) == 60

    def take(worker: int) -> list[str]:
        had = []
        while taken := queue.take(4, scope="default", worker=f"w{worker}", lease_s=60):
            had += [item.document.doc_id for item in taken]
        return had

    with ThreadPoolExecutor(4) as pool:
        found = [name for had in pool.map(take, range(4)) for name in had]
    assert sorted(found) == sorted(document.doc_id for document in _documents(60))
    assert queue.counts(scope="default") == QueueCounts(waiting=0, taken=60, failed=0)


def test_a_lease_that_runs_out_frees_a_document_and_the_first_worker_loses_it(
    queue: PostgresQueue,
) -> None:
    queue.put(_documents(1))
    (first,) = queue.take(9, scope="default", worker="one", lease_s=0.2)
    assert queue.take(9, scope="default", worker="two", lease_s=60) == []
    time.sleep(0.3)
    (second,) = queue.take(9, scope="default", worker="two", lease_s=60)
    assert (first.attempt, second.attempt) == (1, 2)
    for late in (queue.done, queue.give_back):
        late([first.ticket], worker="one")
    queue.hold([first.ticket], worker="one", lease_s=0)
    assert queue.counts(scope="default") == QueueCounts(waiting=0, taken=1, failed=0)
    queue.done([second.ticket], worker="two")
    assert queue.counts(scope="default") == QueueCounts(waiting=0, taken=0, failed=0)


def test_what_is_put_again_is_not_taken_out_with_the_old(queue: PostgresQueue) -> None:
    (document,) = _documents(1)
    queue.put([document])
    (old,) = queue.take(9, scope="default", worker="one", lease_s=60)
    queue.put([document])
    queue.done([old.ticket], worker="one")
    (new,) = queue.take(9, scope="default", worker="two", lease_s=60)
    assert new.document == document
    assert new.ticket != old.ticket


def test_a_document_that_kills_workers_is_set_aside(queue: PostgresQueue) -> None:
    queue.put(_documents(1))
    for attempt in range(1, MOST_ATTEMPTS + 1):
        (taken,) = queue.take(9, scope="default", worker=f"w{attempt}", lease_s=0)
        assert taken.attempt == attempt
    assert queue.take(9, scope="default", worker="last", lease_s=60) == []
    ((name, reason),) = queue.failures(scope="default")
    assert name == "d0"
    assert "did not come back" in reason
    assert queue.retry(scope="default") == 1
    assert len(queue.take(9, scope="default", worker="more", lease_s=60)) == 1


def test_scopes_do_not_see_each_other(queue: PostgresQueue) -> None:
    queue.put([*_documents(2), *_documents(3, scope="other")])
    assert queue.counts(scope="other").waiting == 3
    taken = queue.take(9, scope="other", worker="one", lease_s=60)
    assert {item.document.scope for item in taken} == {"other"}
    queue.fail(taken[0].ticket, "why", worker="one")
    assert queue.failures(scope="default") == []
    assert queue.retry(scope="default") == 0
    assert queue.counts(scope="default") == QueueCounts(waiting=2, taken=0, failed=0)


def test_what_is_withdrawn_is_with_nobody(queue: PostgresQueue) -> None:
    queue.put([*_documents(4), *_documents(1, scope="other")])
    assert [one.doc_id for one in queue.listed(scope="default")] == ["d0", "d1", "d2", "d3"]
    taken = queue.take(2, scope="default", worker="one", lease_s=60)
    assert queue.withdraw(["default-0", "default-2", "dnone"]) == 2
    assert queue.withdraw(["default-0"]) == 0, "twice is once"
    assert [one.doc_id for one in queue.listed(scope="default")] == ["d1", "d3"]
    tickets = [one.ticket for one in taken]
    queue.fail(tickets[0], "why", worker="one")
    queue.done(tickets, worker="one")
    assert queue.failures(scope="default") == []
    assert queue.take(1, scope="default", worker="two", lease_s=60)[0].document.doc_id == "d3"
    queue.give_back(tickets, worker="one")
    (again,) = queue.take(9, scope="default", worker="two", lease_s=60)
    assert (again.document.id, again.is_deleted) == ("default-0", True)
    queue.done([again.ticket], worker="two", deleted=True)
    assert [one.doc_id for one in queue.listed(scope="default")] == ["d3"]
    assert queue.counts(scope="default") == QueueCounts(waiting=0, taken=1, failed=0)
    assert queue.counts(scope="other").waiting == 1


def test_a_document_comes_back_whole(queue: PostgresQueue) -> None:
    document = Document(
        id="x", doc_id="a\0b", text="Nul \0, 食べ物.", metadata={"a": [1, {"b": None}]}, title="T"
    )
    with pytest.raises(StoreError, match=r"U\+0000"):
        queue.put([document])
    queue.put([Document(id="x", doc_id="ab", text="Nul \0, 食べ物.", metadata=document.metadata)])
    (taken,) = queue.take(1, scope="default", worker="one", lease_s=60)
    assert taken.document.text == "Nul \0, 食べ物."
    assert taken.document.metadata == document.metadata


# --- workers --------------------------------------------------------------------------------------


def test_workers_make_the_graph_of_a_single_run_though_one_is_killed(
    postgres_url: str, folder: Path
) -> None:
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as alone:
        alone.ingest(folder)
        expected = _graph(alone.store)
    with _open(postgres_url) as kb:
        report = kb.enqueue(folder)
        assert report.counts == {"queued": 40}
        assert kb.store.stats()["documents"] == 0
    doomed = subprocess.Popen(
        [sys.executable, "-c", _DOOMED, postgres_url], stdout=subprocess.PIPE, text=True
    )
    with doomed:
        assert doomed.stdout is not None
        assert doomed.stdout.readline() == "taken\n"
        doomed.kill()

    def work(_: int) -> int:
        with _open(postgres_url) as kb:
            return kb.work(lease_s=30).documents

    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(work, range(2))) == 40
    with _open(postgres_url) as kb:
        assert _graph(kb.store) == expected
        assert problems(kb.store) == []
        assert kb.enqueue(folder).counts == {"unchanged": 40}


def test_what_was_committed_and_not_taken_out_is_met_as_unchanged(
    postgres_url: str, folder: Path
) -> None:
    with _open(postgres_url) as kb:
        kb.enqueue(folder)
        kb.ingest(folder)
        before = kb.store.generation
        assert kb.work().counts == {"unchanged": 40}
        assert kb.store.generation == before


def test_a_document_that_cannot_be_indexed_is_set_aside(postgres_url: str, folder: Path) -> None:
    class Refusing(FakeEmbedder):
        def _count(self, texts: Sequence[str]) -> None:
            raise EmbeddingError("not today")

    with _open(postgres_url) as kb:
        kb.enqueue(folder)
    with (
        KnowledgeBase.open(postgres_url, embedding=Refusing()) as kb,
        pytest.raises(EmbeddingError, match="not today"),
    ):
        kb.work()
    with _open(postgres_url) as kb:
        store = kb.store
        assert isinstance(store, PostgresStore)
        counts = store.queue().counts(scope="default")
        assert counts == QueueCounts(waiting=40, taken=0, failed=0), "given back at once"
        assert kb.work().documents == 40


def test_what_is_deleted_is_not_indexed(
    postgres_url: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    with _open(postgres_url) as kb:
        kb.ingest("docs/00.md")
        kb.enqueue("docs")
        (folder / "00.md").write_text("# Note\n\nBerit Lind bought Hagen.\n")
        kb.enqueue("docs/00.md")
        both = kb.delete("docs/00.md")
        assert (both.doc_ids, both.removed["documents"]) == (("docs/00.md",), 1)
        assert both.removed["queued"] == 1
        waiting = kb.delete("docs/01.md")
        assert (waiting.doc_ids, waiting.removed) == (("docs/01.md",), {"queued": 1})
        assert "nothing to delete" in kb.delete("docs/01.md").note
        assert kb.work().documents == 38
        assert kb.stats()["documents"] == 38
        kb.enqueue("docs")
        assert kb.delete("docs").removed["queued"] == 2
        assert kb.work().documents == kb.stats()["documents"] == 0


def test_what_is_deleted_while_a_worker_has_it_is_deleted_again(
    postgres_url: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    removed: list[Mapping[str, int]] = []

    class Deleting(FakeEmbedder):
        def _count(self, texts: Sequence[str]) -> None:
            if not removed:
                with _open(postgres_url) as other:
                    removed.append(other.delete("docs/00.md").removed)
            super()._count(texts)

    with _open(postgres_url) as kb:
        kb.enqueue("docs")
    with KnowledgeBase.open(postgres_url, embedding=Deleting()) as kb:
        kb.work()
        assert removed == [{"queued": 1}]
        assert kb.stats()["documents"] == 39
        assert problems(kb.store) == []
        store = kb.store
        assert isinstance(store, PostgresStore)
        counts = store.queue().counts(scope="default")
        assert counts == QueueCounts(waiting=0, taken=0, failed=0)


def test_other_stores_have_no_queue(folder: Path) -> None:
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
        with pytest.raises(StoreError, match="PostgreSQL"):
            kb.enqueue(folder)
        with pytest.raises(StoreError, match="PostgreSQL"):
            kb.work()


def test_a_lease_has_a_least_length(postgres_url: str) -> None:
    with _open(postgres_url) as kb, pytest.raises(ConfigError, match="too short"):
        kb.work(lease_s=0.1)


def test_the_commands(
    postgres_url: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder.parent)

    def clew(*arguments: str) -> dict[str, object]:
        settings = ("--store", postgres_url, "--set", "embedding_model=none", "--json")
        with suppress(SystemExit):
            main([*arguments, *settings])
        told: dict[str, object] = json.loads(capsys.readouterr().out)
        return told

    assert clew("ingest", "docs", "--queue")["counts"] == {"queued": 40}
    assert clew("queue")["waiting"] == 40
    assert clew("worker")["counts"] == {"inserted": 40}
    assert clew("queue", "--retry") == {
        "waiting": 0,
        "taken": 0,
        "failed": 0,
        "failures": [],
        "retried": 0,
    }
    with pytest.raises(SystemExit, match="0"):
        main(["worker", "--store", postgres_url, "--set", "embedding_model=none"])
    assert "nothing waited" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="1"):
        main(["ingest", "docs", "--queue", "--store", "folder.clew"])
    assert "--store postgresql://" in capsys.readouterr().err
