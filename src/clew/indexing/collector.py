"""Indexing while the garbage collector rests."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


class RestingCollector:
    """Runs the collector only now and then, when :meth:`batch_done` says that a batch is through.

    Batches are many small records without cycles, and looking for cycles among them took an eighth
    of the time of indexing.
    """

    _BATCHES_A_COLLECTION = 16

    def __init__(self) -> None:
        self._batches = 0

    def batch_done(self) -> None:
        self._batches += 1
        if self._batches % self._BATCHES_A_COLLECTION == 0:
            gc.collect()


@contextmanager
def collector_at_rest() -> Iterator[RestingCollector]:
    """Switch the collector off for the ``with`` block, and on again if it was."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield RestingCollector()
    finally:
        if was_on:
            gc.enable()
