"""A store survives the death of its writer at any moment, whole batch by whole batch."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from random import Random

import numpy as np

from clew.records import IndexedDocument
from clew.stores.base import EmbeddingSpace, Store
from clew.stores.memory import KnowledgeGraph
from clew.stores.sqlite import SQLiteStore
from clew.testing.made_documents import made_documents
from clew.testing.store_contract.fixtures import assert_same_document, problems
from clew.text.words import terms

SPACE = EmbeddingSpace(fingerprint="made-by-chance/96", dimensions=96)
BATCH = 5
KILLS = 20

_CHILD = """
import sys
from tests_killed import batches, SPACE
from clew.stores.sqlite import SQLiteStore
work = batches()
store = SQLiteStore.open(sys.argv[1])
for batch in work:
    ids = [indexed.document.id for indexed in batch]
    if (store.numbers_of("document", ids) < 0).any():
        print("commit", flush=True)
        store.commit(batch, embedding=SPACE)
print("done", flush=True)
"""


def batches() -> list[list[IndexedDocument]]:
    """Forty documents; each batch also renews the first document of the one before."""
    documents = made_documents(40, seed=9, chunks=6, space=SPACE)
    return [
        [*documents[start : start + BATCH], *documents[max(start - BATCH, 0) :][:1]][:6]
        for start in range(0, 40, BATCH)
    ]


def test_killed_at_any_moment(tmp_path: Path) -> None:
    work = batches()
    random = Random(3)
    store_path, stores = tmp_path / "0.clew", 0
    killed_while_writing = 0
    for _ in range(KILLS):
        finished = _run_and_kill(store_path, random.randint(1, 3), random.uniform(0.0, 0.03))
        killed_while_writing += not finished
        with SQLiteStore.open(store_path) as store:
            assert problems(store) == []
            _assert_whole_batches(store, work)
        if finished:
            _assert_undisturbed(store_path, work)
            stores += 1
            store_path = tmp_path / f"{stores}.clew"
    assert killed_while_writing > KILLS // 2
    assert _run_and_kill(store_path, 0, 0)
    _assert_undisturbed(store_path, work)


def _run_and_kill(store: Path, commits: int, after_s: float) -> bool:
    """Let a child commit what is missing; kill it so long after the begin of so many commits (0:
    let it live). Did it get through?
    """
    code = _CHILD.replace("tests_killed", Path(__file__).stem)
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(store)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parent,
        text=True,
    )
    with child:
        assert child.stdout is not None
        for line in child.stdout:
            if line == "done\n":
                return True
            commits -= 1
            if commits == 0:
                time.sleep(after_s)
                child.kill()
    return False


def _assert_whole_batches(store: Store, work: list[list[IndexedDocument]]) -> None:
    there = []
    for batch in work:
        found = store.numbers_of("document", [item.document.id for item in batch[:BATCH]]) >= 0
        assert found.all() or not found.any()
        there.append(bool(found.all()))
        for indexed in batch if there[-1] else ():
            assert_same_document(store.load_document(indexed.document.id), indexed)
    assert there == sorted(there, reverse=True), "batches are committed in turn"


def _assert_undisturbed(path: Path, work: list[list[IndexedDocument]]) -> None:
    expected = KnowledgeGraph()
    for batch in work:
        expected.commit(batch, embedding=SPACE)
    with SQLiteStore.open(path) as store:
        assert store.stats() == expected.stats()
        assert store.list_documents() == expected.list_documents()
        query = np.full(SPACE.dimensions, SPACE.dimensions**-0.5, np.float32)
        for layer in ("chunk", "unit"):
            for mine, theirs in (
                (
                    store.search_text(layer, terms("who built the old mill"), 30),
                    expected.search_text(layer, terms("who built the old mill"), 30),
                ),
                (
                    store.search_vectors(layer, query, 30),
                    expected.search_vectors(layer, query, 30),
                ),
            ):
                assert np.allclose(mine.scores, theirs.scores, atol=1e-5)
        entities = {entity.id: entity for entity in expected.entities}
        numbers = store.numbers_of("entity", list(entities))
        assert {item.id: item for item in store.get_entities(numbers)} == entities
