"""What a model said of each chunk, remembered together: half a second's worth in one transaction.

The whole replies are safe already (:mod:`clew.models.wrappers.cache`): whoever is killed meanwhile
pays for none of them again. What is remembered here outlives the commit, and tells the next run
which chunks need not be asked about, however they are then put together.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from clew.models.base import PaidReply

EVERY_S = 0.5


class Memory(Protocol):
    """What a store remembers of replies."""

    def remembered(self, keys: Sequence[str]) -> dict[str, str]: ...

    def keep_replies(self, replies: Sequence[PaidReply]) -> None: ...


class ReplyMemory:
    """Of one batch of documents, in one thread."""

    def __init__(self, store: Memory, now: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._now = now
        self._written_at = now()
        self._waiting: list[PaidReply] = []

    def remembered(self, keys: Sequence[str]) -> dict[str, str]:
        self.write()
        return self._store.remembered(keys)

    def remember(self, document_id: str, replies: Mapping[str, str]) -> None:
        """Of several documents in one call, what each is told comes right after the other."""
        if self._now() - self._written_at >= EVERY_S:  # before, so that one call is not parted
            self.write()
        self._waiting += [
            PaidReply(key=key, text=text, documents=(document_id,)) for key, text in replies.items()
        ]

    def write(self) -> None:
        """Write what is waiting. Raises the errors of the store."""
        if self._waiting:
            self._store.keep_replies(self._waiting)
            self._waiting = []
        self._written_at = self._now()
