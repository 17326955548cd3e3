"""Embeddings of LangChain as an embedder of clew."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np

from clew.errors import EmbeddingError
from clew.models.base import TextKind, Vectors
from clew.models.providers.calling import EmbedsSimply, of_length_one, sendable
from clew.models.providers.langchain_access import langchain_errors, name_of, print_of


class LangChainEmbeddingAdapter(EmbedsSimply):
    """A :class:`clew.models.base.Embedder` over ``embeddings``: questions go to its
    ``embed_query``, passages to its ``embed_documents``.

    ``fingerprint`` names what makes the vectors; None makes one of class, name and parameters.
    ``dimensions`` are found out at the cost of a call when they are not given.
    """

    def __init__(
        self, embeddings: Any, *, fingerprint: str | None = None, dimensions: int | None = None
    ) -> None:
        self.embeddings = embeddings
        self.model = name_of(embeddings)
        self.fingerprint: str = fingerprint or print_of(embeddings)
        self._who = f"langchain:{self.model}"
        self._dimensions = dimensions
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"LangChainEmbeddingAdapter({self.fingerprint!r})"

    @property
    def dimensions(self) -> int:
        with self._lock:
            if self._dimensions is None:
                self._dimensions = int(self._vectors(["dimensions"], "query").shape[1])
            return self._dimensions

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        """Return vectors of length 1. Raises :class:`clew.errors.ModelError`."""
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        return self._vectors(texts, kind)

    def _vectors(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        sent = [sendable(text) or " " for text in texts]
        with langchain_errors(self._who):
            if kind == "query":
                rows = [self.embeddings.embed_query(text) for text in sent]
            else:
                rows = list(self.embeddings.embed_documents(sent))
        lengths = sorted({len(row) for row in rows})
        if len(rows) != len(texts) or len(lengths) != 1 or not lengths[0]:
            raise EmbeddingError(
                f"{self._who} returned {len(rows)} vectors of lengths {lengths} for "
                f"{len(texts)} texts"
            )
        return of_length_one(rows)
