"""Batches in order, errors at once, and the garbage collector back afterwards."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any, cast

import pytest

from clew.errors import StoreFullError
from clew.indexing.committing import Committer
from clew.records import Document, IndexedDocument
from clew.stores.base import Store


class _Store:
    def __init__(self, fails_at: str = "") -> None:
        self.committed: list[str] = []
        self.fails_at = fails_at

    def commit(self, documents: Sequence[IndexedDocument], *, embedding: Any = None) -> None:
        name = documents[0].document.doc_id
        if name == self.fails_at:
            raise StoreFullError("no space left")
        self.committed.append(name)


def _batch(name: str) -> list[IndexedDocument]:
    return [IndexedDocument(document=Document(id=name, doc_id=name, text=""))]


def test_batches_are_committed_in_order_and_all_of_them() -> None:
    store = _Store()
    with Committer(cast("Store", store)) as committer:
        for name in "abcdef":
            committer.commit(_batch(name), None)
    assert store.committed == list("abcdef")


def test_an_error_is_raised_at_once_and_the_collector_comes_back() -> None:
    store = _Store(fails_at="b")
    with pytest.raises(StoreFullError), Committer(cast("Store", store)) as committer:  # noqa: PT012
        committer.commit(_batch("a"), None)
        committer.commit(_batch("b"), None)
    assert store.committed == ["a"]
    assert gc.isenabled()


def test_the_garbage_collector_comes_back() -> None:
    assert gc.isenabled()
    with Committer(cast("Store", _Store())):
        assert not gc.isenabled()
    assert gc.isenabled()
