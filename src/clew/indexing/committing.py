"""Commit batches while the garbage collector rests."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from clew.records import IndexedDocument
from clew.stores.base import EmbeddingSpace, Store


class Committer:
    """Commits batches to a store, in the thread that reads them.

    Inside the ``with`` block the garbage collector runs only now and then: batches are many small
    records without cycles, and looking for cycles among them took an eighth of the time of
    indexing. (Committing in a second thread was tried and made indexing a tenth slower: every row
    handed to SQLite lets go of the interpreter's lock, and waits to get it back.)
    """

    _BATCHES_A_COLLECTION = 32

    def __init__(self, store: Store) -> None:
        self.store = store
        self._collected = gc.isenabled()
        self._batches = 0

    def commit(
        self, documents: Sequence[IndexedDocument], embedding: EmbeddingSpace | None
    ) -> None:
        """Make a batch durable. Raises the store's errors."""
        self.store.commit(documents, embedding=embedding)
        self._batches += 1
        if self._batches % self._BATCHES_A_COLLECTION == 0:
            gc.collect()

    def __enter__(self) -> Self:
        gc.disable()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._collected:
            gc.enable()
