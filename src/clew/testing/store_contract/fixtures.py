"""What all parts of the contract share: a store to test, and how records are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from itertools import pairwise

import numpy as np
import pytest

from clew.records import IndexedDocument
from clew.stores.base import GraphReader, Links, Numbers, Ranking, Store
from clew.stores.memory import KnowledgeGraph
from clew.testing.made_documents import SPACE, made_documents

MakeStore = Callable[[], Store]


class ContractFixtures:
    """Fixtures of the contract; subclasses of the contract override ``make_store``."""

    @pytest.fixture
    def make_store(self) -> MakeStore:
        raise NotImplementedError("give a fixture make_store that returns a function")

    @pytest.fixture
    def store(self, make_store: MakeStore) -> Iterator[Store]:
        store = make_store()
        yield store
        store.close()

    @pytest.fixture
    def filled(self, store: Store) -> tuple[Store, KnowledgeGraph]:
        """The store and the reference after the same history: batches, an update, deletions."""
        documents = made_documents(60, seed=1, scopes=("default", "other"))
        newer = made_documents(60, seed=1, scopes=("default", "other"), chunks=4)[:5]
        gone = [indexed.document.id for indexed in documents[20:30]]
        reference = KnowledgeGraph()
        for target in (store, reference):
            for start in range(0, 60, 7):
                target.commit(documents[start : start + 7], embedding=SPACE)
            target.commit(newer, delete=gone, embedding=SPACE)
        return store, reference


def assert_same_document(found: IndexedDocument | None, expected: IndexedDocument) -> None:
    """Equal in everything, vectors to the bit."""
    assert found is not None
    for item in fields(IndexedDocument):
        one, other = getattr(found, item.name), getattr(expected, item.name)
        if isinstance(other, np.ndarray):
            assert one is not None, item.name
            assert np.array_equal(one, other), item.name
        else:
            assert one == other, item.name


def ids_of(reader: GraphReader, layer: str, numbers: Numbers) -> list[str]:
    if layer == "document":
        return [document.id for document in reader.get_documents(numbers)]
    if layer == "chunk":
        return [chunk.id for chunk in reader.get_chunks(numbers)]
    if layer == "unit":
        return [unit.id for unit in reader.get_units(numbers)]
    return [entity.id for entity in reader.get_entities(numbers)]


def scored_ids(reader: GraphReader, layer: str, ranking: Ranking) -> dict[str, float]:
    return dict(zip(ids_of(reader, layer, ranking.numbers), ranking.scores.tolist(), strict=True))


def linked_ids(reader: GraphReader, layer: str, links: Links) -> list[dict[str, float]]:
    """Per row the ids of its targets with their weights."""
    found = ids_of(reader, layer, links.targets)
    pairs = list(zip(found, links.weights.tolist(), strict=True))
    bounds = links.indptr.tolist()
    return [dict(pairs[start:end]) for start, end in pairwise(bounds)]


def problems(store: Store) -> list[str]:
    return [f"{problem.kind} {problem.where}: {problem.message}" for problem in store.check()]
