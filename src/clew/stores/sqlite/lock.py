"""The writer's lock: between processes a lock on a file, between threads an ordinary one.

The system frees a file lock when its process ends, however it ends, so the lock cannot go stale.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock, get_ident
from time import monotonic

from filelock import BaseFileLock, FileLock, Timeout

from clew.errors import StoreError, StoreLockedError
from clew.stores.files import named_errors

_POLL_S = 0.01


class WriterLock:
    """Held by one thread of one process at a time."""

    def __init__(self, path: Path, timeout_s: float) -> None:
        self._path = path
        self._timeout_s = timeout_s
        self._threads = Lock()
        self._holder: int | None = None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Wait for the lock; raise :class:`clew.errors.StoreLockedError` when it takes too long."""
        if self._holder == get_ident():
            raise StoreError(f"{self._path.parent}: a write inside a write of the same thread")
        until = monotonic() + self._timeout_s
        if not self._threads.acquire(timeout=self._timeout_s):
            raise self._locked("another thread")
        try:
            self._holder = get_ident()
            file_lock = self._acquire_file(max(until - monotonic(), 0.0))
            try:
                yield
            finally:
                file_lock.release()
        finally:
            self._holder = None
            self._threads.release()

    def _acquire_file(self, timeout_s: float) -> BaseFileLock:
        """A lock object of its own each time: one must not cross a fork."""
        file_lock = FileLock(str(self._path), thread_local=False)
        with named_errors(self._path):
            try:
                file_lock.acquire(timeout=timeout_s, poll_interval=_POLL_S)
            except Timeout as error:
                raise self._locked("another process") from error
        return file_lock

    def _locked(self, who: str) -> StoreLockedError:
        return StoreLockedError(
            f"{self._path.parent}: {who} is writing and did not finish within "
            f"{self._timeout_s:g} s. Try again, or wait longer with timeout_s="
        )
