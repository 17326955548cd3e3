"""Whatever happens to a store that is kept, it equals the reference to which the same happened."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.stores.base import Store
from clew.stores.memory import KnowledgeGraph
from clew.stores.postgres import PostgresStore
from clew.stores.sqlite import SQLiteStore, segment_table
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.postgres_server import empty_store
from clew.testing.store_contract.fixtures import assert_same_document, problems, scored_ids
from clew.text.words import terms

# The same twelve documents, by their ids, with one text or another.
_VERSIONS = [
    made_documents(12, seed=21, names=15),
    made_documents(12, seed=21, names=15, chunks=5, units=2),
]
_SOME = st.lists(st.integers(0, 11), min_size=1, max_size=5, unique=True)
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.integers(0, 1), _SOME),
        st.tuples(st.just("delete"), st.just(0), _SOME),
        st.tuples(st.just("undo"), st.integers(0, 50), st.just([])),
        st.tuples(st.sampled_from(["reopen", "compact"]), st.just(0), st.just([])),
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=25, deadline=None)
@given(steps=_STEPS)
def test_histories(steps: list[tuple[str, int, list[int]]]) -> None:
    _in_a_folder(steps)


@settings(max_examples=25, deadline=None)
@given(steps=_STEPS)
def test_histories_in_which_the_dead_stay(steps: list[tuple[str, int, list[int]]]) -> None:
    """Large segments keep their dead documents for long; here small ones do, too."""
    with (
        patch.object(segment_table, "_ALWAYS_REWRITTEN", 0),
        patch.object(segment_table, "_DEAD_SHARE", 0),
        patch.object(segment_table, "_FAN", 3),
    ):
        _in_a_folder(steps)


@settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=_STEPS)
def test_histories_in_a_database(
    postgres_url: str, steps: list[tuple[str, int, list[int]]]
) -> None:
    empty_store(postgres_url)
    _live_through(steps, lambda: PostgresStore.open(postgres_url))


def _in_a_folder(steps: list[tuple[str, int, list[int]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _live_through(steps, lambda: SQLiteStore.open(Path(folder) / "s.clew"))


def _live_through(
    steps: list[tuple[str, int, list[int]]], open_it: Callable[[], SQLiteStore | PostgresStore]
) -> None:
    reference = KnowledgeGraph()
    with ExitStack() as opened:
        store = open_it()
        opened.callback(store.close)
        for kind, which, some in steps:
            if kind == "put":
                documents = [_VERSIONS[which][at] for at in some]
                one = store.commit(documents, embedding=SPACE)
                other = reference.commit(documents, embedding=SPACE)
                assert (one.added, one.removed) == (other.added, other.removed)
            elif kind == "delete":
                gone = [_VERSIONS[0][at].document.id for at in some]
                one, other = store.commit(delete=gone), reference.commit(delete=gone)
                assert (one.added, one.removed) == (other.added, other.removed)
            elif kind == "undo" and reference.merges():
                lines = reference.merges()
                store.undo_merge(lines[which % len(lines)].id)
                reference.undo_merge(lines[which % len(lines)].id)
            elif kind == "compact" and isinstance(store, SQLiteStore):
                store.compact()
            elif kind == "reopen":
                store.close()
                store = open_it()
                opened.callback(store.close)
            _assert_equal(store, reference)


def _assert_equal(store: Store, reference: KnowledgeGraph) -> None:
    assert problems(store) == []
    assert store.stats() == reference.stats()
    assert store.merges() == reference.merges()
    for document in reference.list_documents():
        expected = reference.load_document(document.id)
        assert expected is not None
        assert_same_document(store.load_document(document.id), expected)
    entities = {entity.id: entity for entity in reference.entities}
    numbers = store.numbers_of("entity", list(entities))
    assert {item.id: item for item in store.get_entities(numbers)} == entities
    if reference.embedding is None:
        return
    query = np.full(SPACE.dimensions, SPACE.dimensions**-0.5, np.float32)
    for mine, theirs in (
        (store.search_vectors("unit", query, 999), reference.search_vectors("unit", query, 999)),
        (
            store.search_text("unit", terms("built the old mill"), 999),
            reference.search_text("unit", terms("built the old mill"), 999),
        ),
    ):
        found = scored_ids(store, "unit", mine)
        wanted = scored_ids(reference, "unit", theirs)
        assert found.keys() == wanted.keys()
        assert np.allclose([found[id_] for id_ in wanted], list(wanted.values()), atol=1e-5)
