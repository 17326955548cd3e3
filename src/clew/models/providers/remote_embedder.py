"""What embedders behind providers have in common: dimensions that are found out, calls of no more
texts than the provider takes, another attempt where that may help, and a look at what came back.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import ClassVar

import numpy as np

from clew.errors import EmbeddingError
from clew.models.base import TextKind, Vectors
from clew.models.patience import asked_again
from clew.models.providers.calling import EmbedsSimply, of_length_one, sendable


class RemoteEmbedder(EmbedsSimply):
    """A :class:`clew.models.base.Embedder` whose :meth:`_rows` is one call; ``who`` names it in
    messages. A call that fails because the provider is busy or broken is made again, ``attempts``
    times in all. Safe to use from many threads where the call is.
    """

    most_texts: ClassVar[int | None] = None
    """The most that one call may hold."""

    def __init__(self, who: str, *, dimensions: int | None, attempts: int) -> None:
        self.attempts = attempts
        self._who = who
        self._dimensions = dimensions
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.fingerprint!r})"

    @property
    def fingerprint(self) -> str:
        raise NotImplementedError

    @property
    def dimensions(self) -> int:
        """As asked for; else what its first vector has, at the cost of a call when nothing was
        embedded yet.
        """
        with self._lock:
            if self._dimensions is None:
                self._dimensions = int(self._vectors(["dimensions"], "document").shape[1])
            return self._dimensions

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        """Return float32 vectors of length 1, questions and passages each in their way. Raises
        :class:`clew.errors.ModelError`.
        """
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        size = self.most_texts or len(texts)
        parts = [self._vectors(texts[at : at + size], kind) for at in range(0, len(texts), size)]
        if self._dimensions is None:
            self._dimensions = int(parts[0].shape[1])
        return np.concatenate(parts)

    def _rows(self, texts: list[str], kind: TextKind) -> Sequence[Sequence[float]]:
        """Embed texts, none of them empty."""
        raise NotImplementedError

    def _vectors(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        sent = [sendable(text) or " " for text in texts]
        rows = asked_again(lambda: self._rows(sent, kind), attempts=self.attempts)
        lengths = sorted({len(row) for row in rows})
        if len(rows) != len(texts) or len(lengths) != 1 or not lengths[0]:
            raise EmbeddingError(
                f"{self._who} returned {len(rows)} vectors of lengths {lengths} for "
                f"{len(texts)} texts"
            )
        return of_length_one(rows)
