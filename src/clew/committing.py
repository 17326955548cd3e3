"""Commit one batch while the next is read: writing waits for the disk, reading for the cores."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

from clew.records import IndexedDocument
from clew.stores.base import CommitReceipt, EmbeddingSpace, Store


class Committer:
    """Commits batches in order, one behind the reader.

    At most one commit is under way. An error of it is raised by the next call, or on leaving the
    ``with`` block; leaving waits, so what was handed over is durable then, also after an exception
    and after Ctrl-C.

    The garbage collector runs only now and then inside the block: batches are many small records
    without cycles, and looking for cycles among them took an eighth of the time of indexing.
    """

    _BATCHES_A_COLLECTION = 32

    def __init__(self, store: Store) -> None:
        self.store = store
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="clew-commit")
        self._pending: Future[CommitReceipt] | None = None
        self._collected = gc.isenabled()
        self._batches = 0

    def commit(
        self, documents: Sequence[IndexedDocument], embedding: EmbeddingSpace | None
    ) -> None:
        """Hand over a batch, once the one before is durable. Raises the store's errors."""
        self._wait()
        self._batches += 1
        if self._batches % self._BATCHES_A_COLLECTION == 0:
            gc.collect()
        self._pending = self._thread.submit(self.store.commit, documents, embedding=embedding)

    def _wait(self) -> None:
        pending, self._pending = self._pending, None
        if pending is not None:
            pending.result()

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
        try:
            self._wait()
        finally:
            self._thread.shutdown()
