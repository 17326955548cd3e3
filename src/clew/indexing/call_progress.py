"""What to say of a long extraction while its calls are under way: how many, how fast, how dear."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from threading import Lock

from clew.models.wrappers.ledger import Spent
from clew.records import Document
from clew.reports import shown_cost

_SLOW = 0.5
"""Calls a second, below which they are told by the minute."""


class CallProgress:
    """Of a run that asks for ``chunks_a_call`` chunks at once; where nobody says how many there
    are, they have ``chunk_chars``. ``now`` gives seconds.
    """

    def __init__(
        self,
        chunk_chars: int,
        chunks_a_call: int,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._chunk_chars = chunk_chars
        self._chunks_a_call = chunks_a_call
        self._now = now
        self._began = now()
        self._lock = Lock()
        self._documents = 0
        self._chars = 0
        self._chunks = 0.0
        self._done_chars = 0
        self._done_calls = 0

    def read(self, documents: Sequence[Document], chunks: int | None = None) -> None:
        """These documents are going to be asked about, by so many chunks."""
        chars = sum(len(document.text) for document in documents)
        with self._lock:
            self._documents += len(documents)
            self._chars += chars
            self._chunks += chars / self._chunk_chars if chunks is None else chunks

    def done(self, documents: Iterable[Document], spent: Spent) -> None:
        """These were asked about, with all calls that they took."""
        with self._lock:
            self._done_chars += sum(len(document.text) for document in documents)
            self._done_calls = _calls(spent)

    def text(self, spent: Spent, documents: int) -> str:
        """One line about calls; ``documents`` is how many there will be in all. How long it will
        take is left out while more calls are made than the chunks alone would need: nobody knows
        how many chunks will be asked for again.
        """
        calls = _calls(spent)
        rate = calls / max(self._now() - self._began, 1e-9)
        slow = 0 < rate < _SLOW
        speed = f"{60 * rate:.1f} calls/min" if slow else f"{rate:.1f} calls/s"
        parts = [f"extract: {calls:,} calls", speed]
        if spent.usage.calls:
            parts.append(shown_cost(spent.cost, spent.currency))
        left = self._expected(documents) - calls
        if rate and (left >= 0 or not self._is_underway()):
            parts.append(f"about {_duration(max(0.0, left) / rate)} left")
        return ", ".join(parts)

    def _expected(self, documents: int) -> float:
        """Calls of the whole run, by the texts seen so far and the calls that they took."""
        with self._lock:
            more = max(1.0, documents / max(1, self._documents))
            if self._done_chars and self._done_calls:
                return self._chars * more * self._done_calls / self._done_chars
            return max(self._chunks * more / self._chunks_a_call, 1.0)

    def _is_underway(self) -> bool:
        with self._lock:
            return self._done_chars < self._chars


def _calls(spent: Spent) -> int:
    return spent.usage.calls + spent.usage.cached_calls


def _duration(seconds: float) -> str:
    """
    >>> _duration(7.2), _duration(200), _duration(8000)
    ('7 s', '3 min', '2.2 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
