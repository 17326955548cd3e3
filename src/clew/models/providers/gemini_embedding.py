"""Embeddings of Google's Gemini, over either of its SDKs."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

import numpy as np

from clew.errors import EmbeddingError
from clew.models.base import TextKind, Vectors
from clew.models.providers.calling import EmbedsSimply, fingerprint_of, of_length_one, sendable
from clew.models.providers.gemini_access import (
    GeminiClient,
    gemini_access,
    gemini_client,
    model_name,
)

OWN_KEY = "CLEW_EMBEDDING_KEY"
MOST_TEXTS = 100
"""Gemini takes no more in one call."""

_TASKS: dict[TextKind, str] = {"query": "RETRIEVAL_QUERY", "document": "RETRIEVAL_DOCUMENT"}


class GeminiEmbedding(EmbedsSimply):
    """A :class:`clew.models.base.Embedder`: pass it as ``embedding=``.

    Key (with ``CLEW_EMBEDDING_KEY`` for ``CLEW_LLM_KEY``), ``base_url`` and ``sdk`` are those of
    :class:`clew.models.providers.gemini.GeminiLLM`.
    Questions and passages are embedded each in their way; ``query_task="QUESTION_ANSWERING"`` or
    another of Gemini's tasks may suit questions better. ``dimensions`` asks for shorter vectors
    (3072, 1536 and 768 are those that Gemini was trained for), which Gemini does not scale to
    length 1; here all are.
    """

    def __init__(
        self,
        api_key: str | None = None,
        model: str = "gemini-embedding-001",
        *,
        base_url: str | None = None,
        dimensions: int | None = None,
        query_task: str = _TASKS["query"],
        document_task: str = _TASKS["document"],
        timeout_s: float = 60.0,
        sdk: str | None = None,
    ) -> None:
        self.model = model_name(model)
        found = gemini_access(self.model, api_key=api_key, base_url=base_url, own_key=OWN_KEY)
        self.client: GeminiClient = gemini_client(found, sdk=sdk, timeout_s=timeout_s)
        self._tasks: dict[TextKind, str] = {"query": query_task, "document": document_task}
        self._asked_dimensions = dimensions
        self._dimensions = dimensions
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"GeminiEmbedding({self.fingerprint!r}, sdk={self.client.sdk!r})"

    @property
    def fingerprint(self) -> str:
        """The model and what was asked of it, not the address: a model that moves stays itself."""
        own = {kind: task for kind, task in self._tasks.items() if task != _TASKS[kind]}
        return fingerprint_of("gemini", self.model, dimensions=self._asked_dimensions, **own)

    @property
    def dimensions(self) -> int:
        """As asked for; else what its first vector has, at the cost of a call."""
        with self._lock:
            if self._dimensions is None:
                self._dimensions = int(self._vectors(["dimensions"], "document").shape[1])
            return self._dimensions

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        """Return vectors of length 1, at most 100 texts a call. Raises
        :class:`clew.errors.ModelError`.
        """
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        parts = [
            self._vectors(texts[at : at + MOST_TEXTS], kind)
            for at in range(0, len(texts), MOST_TEXTS)
        ]
        return np.concatenate(parts)

    def _vectors(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        rows = self.client.embed(
            self.model,
            [sendable(text) or " " for text in texts],
            task=self._tasks[kind],
            dimensions=self._asked_dimensions,
        )
        if len(rows) != len(texts) or len({len(row) for row in rows}) != 1:
            raise EmbeddingError(
                f"gemini:{self.model} returned {len(rows)} vectors of lengths "
                f"{sorted({len(row) for row in rows})} for {len(texts)} texts"
            )
        return of_length_one(rows)
