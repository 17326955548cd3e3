"""Several processes and threads at one store: writers wait, readers see whole states."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from clew.errors import StoreError, StoreLockedError
from clew.stores import open_store
from clew.stores.base import GraphReader, Scores
from clew.stores.sqlite import SQLiteStore
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import problems
from clew.testing.written_documents import written_document
from clew.text.words import terms

_WRITER = """
import sys
from clew.stores import open_store
from clew.testing.made_documents import made_documents, SPACE
documents = made_documents(16, seed=int(sys.argv[2]))
store = open_store(sys.argv[1])
for start in range(0, 16, 4):
    store.commit(documents[start:start + 4], embedding=SPACE)
store.close()
"""
_FORKER = """
import os, sys
from clew.stores import open_store
from clew.testing.made_documents import made_documents, SPACE
documents = made_documents(12, seed=1)
store = open_store(sys.argv[1])
store.commit(documents[:4], embedding=SPACE)
assert store.stats()["documents"] == 4
child = os.fork()
if not child:
    store.commit(documents[4:8], embedding=SPACE)
    os._exit(0 if store.stats()["documents"] == 8 else 1)
assert os.waitpid(child, 0)[1] == 0
assert store.stats()["documents"] == 8
store.commit(documents[8:], embedding=SPACE)
assert list(store.check()) == []
store.close()
"""
_HOLDER = """
import sys
from pathlib import Path
from clew.stores.sqlite.lock import WriterLock
with WriterLock(Path(sys.argv[1]) / "lock", 5).held():
    print("held", flush=True)
    sys.stdin.read()
"""


def _start(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(params=["folder", "database"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where there is no store yet."""
    if request.param == "folder":
        return str(tmp_path / "new" / "s.clew")
    return str(request.getfixturevalue("new_postgres_url"))


def _look(reader: GraphReader) -> int:
    """Read in several ways; everything must belong to one state."""
    stats = reader.stats()
    assert stats["documents"] % 4 == 0
    numbers = reader.select_documents()
    assert len(numbers) == stats["documents"]
    query = np.full(SPACE.dimensions, SPACE.dimensions**-0.5, np.float32)
    units = reader.search_vectors("unit", query, 100_000).numbers if len(numbers) else numbers
    assert len(units) == stats["knowledge_units"]
    found = reader.search_text("unit", terms("the old mill by the river"), 50).numbers
    chunks = reader.chunks_of_units(found)
    assert len(reader.get_chunks(chunks)) == len(found)
    assert len(reader.get_entities(np.unique(reader.entities_of_units(found).targets))) > 0 or not (
        len(found)
    )
    for document in reader.list_documents()[:1]:
        indexed = reader.load_document(document.id)
        assert indexed is not None
        assert indexed.unit_vectors is not None
        assert len(indexed.unit_vectors) == len(indexed.units)
    return stats["documents"]


def test_two_processes_write_and_one_reads(place: str) -> None:
    with closing(open_store(place)) as store:
        writers = [_start(_WRITER, place, seed) for seed in (1, 2)]
        seen = []
        while any(writer.poll() is None for writer in writers):
            with store.reading() as reader:
                first = _look(reader)
                assert _look(reader) == first
            seen.append(first)
        for writer in writers:
            with writer:
                assert writer.wait() == 0
        assert seen == sorted(seen)
        assert store.stats()["documents"] == 32
        assert store.generation == 8
        assert problems(store) == []
        for seed in (1, 2):
            for indexed in made_documents(16, seed=seed):
                assert store.load_document(indexed.document.id) is not None


def test_several_make_one_store(place: str) -> None:
    makers = [_start(_WRITER, place, seed) for seed in range(3)]
    for maker in makers:
        with maker:
            assert maker.wait() == 0
    with closing(open_store(place)) as store:
        assert store.generation == 12
        assert problems(store) == []


def test_a_forked_child_goes_on(place: str) -> None:
    with _start(_FORKER, place) as parent:
        assert parent.wait() == 0
    with closing(open_store(place)) as store:
        assert store.stats()["documents"] == 12
        assert problems(store) == []


def test_a_second_writer_waits_and_then_says_who_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "s.clew"
    document = written_document("a", ["A mill."])
    with SQLiteStore.open(path, timeout_s=0.2) as store, _start(_HOLDER, path) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreLockedError, match="another process"):
            store.commit([document], embedding=SPACE)
        with pytest.raises(TimeoutError):
            store.remember("d", {"k": "reply"})
        assert store.stats()["documents"] == 0
        holder.kill()
        holder.wait()
        store.commit([document], embedding=SPACE)
        assert problems(store) == []


def test_threads_share_a_store(tmp_path: Path) -> None:
    done = Event()
    documents = made_documents(40, seed=5)
    with SQLiteStore.open(tmp_path / "s.clew") as store, ThreadPoolExecutor(5) as pool:

        def read() -> int:
            looks = 0
            while not done.is_set():
                with store.reading() as reader:
                    _look(reader)
                looks += 1
            return looks

        readers = [pool.submit(read) for _ in range(3)]
        writers = [
            pool.submit(store.commit, documents[start : start + 4], embedding=SPACE)
            for start in range(0, 40, 4)
        ]
        generations = sorted(writer.result().generation for writer in writers)
        done.set()
        assert generations == list(range(1, 11))
        assert all(reader.result() > 0 for reader in readers)
        assert problems(store) == []


def test_readers_of_an_old_state_outlive_its_files(tmp_path: Path) -> None:
    documents = made_documents(20, seed=6)
    with SQLiteStore.open(tmp_path / "s.clew") as store:
        store.commit(documents, embedding=SPACE)
        with store.reading() as reader:
            numbers = reader.numbers_of("unit", [documents[3].units[0].id])
            store.commit(delete=[item.document.id for item in documents[:15]])
            store.compact()
            assert documents[3].unit_vectors is not None
            found = reader.vectors("unit", numbers)
            assert np.array_equal(found[0], documents[3].unit_vectors[0])
            assert reader.stats()["documents"] == 20
            assert len(reader.search_text("unit", terms("mill town bridge"), 999).numbers) > 30
        assert store.stats()["documents"] == 5
        assert problems(store) == []


def test_a_write_inside_a_write_is_an_error_not_a_wait(tmp_path: Path) -> None:
    written = written_document("a", ["A mill."])
    with SQLiteStore.open(tmp_path / "s.clew") as store:
        store.commit([written], embedding=SPACE)

        def vectors() -> Iterator[tuple[str, Scores, Scores]]:
            store.remember("d", {"k": "reply"})
            yield "never", np.empty((0, 16), np.float32), np.empty((0, 16), np.float32)

        with pytest.raises(StoreError, match="inside a write"):
            store.replace_vectors(SPACE, vectors())
        assert problems(store) == []


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = SQLiteStore.open(tmp_path / "s.clew")
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.stats()
