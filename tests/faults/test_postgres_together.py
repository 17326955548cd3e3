"""Several writers at one store in PostgreSQL, side by side: what they may do to each other."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psycopg
import pytest

from clew.errors import FingerprintMismatchError, StoreLockedError
from clew.records import IndexedDocument
from clew.stores.addresses import parse_address
from clew.stores.base import EmbeddingSpace
from clew.stores.memory import KnowledgeGraph
from clew.stores.postgres import PostgresStore
from clew.stores.postgres.connections import Session, connect
from clew.stores.postgres.locks import lock_shared
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import assert_same_document, problems
from clew.testing.written_documents import written_document

_WRITER = """
import sys
from clew.stores import open_store
from clew.testing.made_documents import made_documents, SPACE
documents = made_documents(16, seed=int(sys.argv[2]))
store = open_store(sys.argv[1])
print("ready", flush=True)
while True:
    for start in range(0, 16, 4):
        store.commit(documents[start:start + 4], embedding=SPACE)
"""


def _start(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, text=True
    )


def test_writers_of_the_same_names_and_documents_never_deadlock(postgres_url: str) -> None:
    """Every writer puts, replaces and deletes documents that all of them have, in an order of its
    own; all speak of the same few names. What remains is what each document was last.
    """
    versions = [made_documents(16, seed=3, names=6, chunks=count) for count in (2, 3, 4, 5)]
    before = _deadlocks(postgres_url)
    barrier = Barrier(4)

    def write(at: int) -> None:
        choose = random.Random(at)
        with PostgresStore.open(postgres_url) as store:
            barrier.wait()
            for _ in range(8):
                some = choose.sample(versions[at], 6)
                gone = [item.document.id for item in choose.sample(versions[at], 2)]
                store.commit(some, delete=gone, embedding=SPACE)
                store.remember(some[0].document.id, {"k": "v", "l": "w"})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    assert _deadlocks(postgres_url) == before
    with PostgresStore.open(postgres_url) as store:
        assert store.generation == 32
        assert problems(store) == []
        reference = KnowledgeGraph()
        reference.commit(_whole(store), embedding=SPACE)
        assert store.stats() == reference.stats()
        for entity in reference.entities:
            found = store.numbers_of("entity", [entity.id])
            assert store.get_entities(found) == [entity]


def _whole(store: PostgresStore) -> list[IndexedDocument]:
    loaded = [store.load_document(document.id) for document in store.list_documents()]
    return [item for item in loaded if item is not None]


def _deadlocks(url: str) -> int:
    with psycopg.connect(parse_address(url).conninfo, autocommit=True) as connection:
        row = connection.execute("SELECT sum(deadlocks)::int FROM pg_stat_database").fetchone()
        assert row is not None
        return int(row[0])


def test_what_a_document_has_is_written_while_another_holds_what_is_shared(
    postgres_url: str,
) -> None:
    """A writer that waits for the last lock has done its own part; then it gives up by name."""
    document = made_documents(1, seed=4)
    with (
        PostgresStore.open(postgres_url, timeout_s=0.5) as store,
        connect(parse_address(postgres_url), 5) as other,
    ):
        other.execute("BEGIN")
        lock_shared(Session(other))
        with pytest.raises(StoreLockedError, match="another process is writing"):
            store.commit(document, embedding=SPACE)
        assert store.stats()["documents"] == 0, "readers wait for nobody"
        other.execute("ROLLBACK")
        store.commit(document, embedding=SPACE)
        assert_same_document(store.load_document(document[0].document.id), document[0])
        assert problems(store) == []


def test_only_one_embedder_wins_a_new_store(postgres_url: str) -> None:
    spaces = [EmbeddingSpace(fingerprint=f"model/{at}", dimensions=8 + at) for at in range(4)]
    barrier = Barrier(4)

    def write(at: int) -> bool:
        document = written_document(f"d{at}", ["The Vell is wide."], space=spaces[at])
        with PostgresStore.open(postgres_url) as store:
            barrier.wait()
            try:
                store.commit([document], embedding=spaces[at])
            except FingerprintMismatchError:
                return False
            return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(write, range(4))) == 1
    with PostgresStore.open(postgres_url) as store:
        assert store.stats()["documents"] == 1
        assert problems(store) == []


def test_a_writer_that_is_killed_leaves_a_whole_store(postgres_url: str) -> None:
    choose = random.Random(5)
    for seed in range(2):
        writer = _start(_WRITER, postgres_url, seed)
        with writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            time.sleep(choose.uniform(0.05, 0.5))
            writer.send_signal(signal.SIGKILL)
        with PostgresStore.open(postgres_url) as store:
            assert problems(store) == []
            assert store.stats()["documents"] % 4 == 0
            store.commit(made_documents(4, seed=99), embedding=SPACE)
