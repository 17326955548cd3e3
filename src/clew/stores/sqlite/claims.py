"""Claims between processes: what one of them is asking a model, another waits for.

Two runs into one store (of a schedule whose first has not ended) would else ask the same at the
same time and pay for it twice. A claim is a lock on one byte of a file, so there is no end to how
many are held, and the system frees them when a process dies. Where there are no such locks, nobody
waits.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import Any

fcntl: Any
try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None

_POLL_S = 0.05
_LONGEST_WAIT_S = 600.0
"""Longer than any call takes: nobody waits for ever for what hangs elsewhere."""

_PLACES = 1 << 62


class Claims:
    """Those of one process, in the file ``path``, which is made with the first of them. Threads of
    one process do not wait for each other here.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opening = Lock()
        self._file: tuple[int, int] | None = None

    @contextmanager
    def held(self, key: str) -> Iterator[None]:
        """Wait until no other process holds ``key``, then hold it."""
        place = int.from_bytes(blake2b(key.encode(), digest_size=8).digest()) % _PLACES
        file = self._opened()
        is_held = file is not None and _take(file, place)
        try:
            yield
        finally:
            if is_held:
                fcntl.lockf(file, fcntl.LOCK_UN, 1, place)

    def close(self) -> None:
        with self._opening:
            if self._file is not None:
                os.close(self._file[1])
                self._file = None

    def _opened(self) -> int | None:
        """Of this very process: a lock does not cross a fork."""
        with self._opening:
            if self._file is None or self._file[0] != os.getpid():
                try:
                    opened = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
                except OSError:  # read-only: what is asked there cannot be kept either
                    return None
                self._file = (os.getpid(), opened)
            return self._file[1] if fcntl is not None else None


def _take(file: int, place: int) -> bool:
    until = monotonic() + _LONGEST_WAIT_S
    while monotonic() < until:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except BlockingIOError:
            sleep(_POLL_S)
        except OSError:  # a file system without locks
            return False
        else:
            return True
    return False
