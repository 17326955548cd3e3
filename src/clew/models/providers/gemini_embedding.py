"""Embeddings of Google's Gemini, over either of its SDKs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from clew.models.base import TextKind
from clew.models.providers.calling import fingerprint_of
from clew.models.providers.gemini_access import (
    GeminiClient,
    gemini_access,
    gemini_client,
    model_name,
)
from clew.models.providers.remote_embedder import RemoteEmbedder

OWN_KEY = "CLEW_EMBEDDING_KEY"
_TASKS: dict[TextKind, str] = {"query": "RETRIEVAL_QUERY", "document": "RETRIEVAL_DOCUMENT"}


class GeminiEmbedding(RemoteEmbedder):
    """A :class:`clew.models.base.Embedder`: pass it as ``embedding=``.

    Key (with ``CLEW_EMBEDDING_KEY`` for ``CLEW_LLM_KEY``), ``base_url`` and ``sdk`` are those of
    :class:`clew.models.providers.gemini.GeminiLLM`.
    Questions and passages are embedded each in their way; ``query_task="QUESTION_ANSWERING"`` or
    another of Gemini's tasks may suit questions better. ``dimensions`` asks for shorter vectors
    (3072, 1536 and 768 are those that Gemini was trained for), which Gemini does not scale to
    length 1; here all are.
    """

    most_texts: ClassVar[int | None] = 100

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
        attempts: int = 6,
        sdk: str | None = None,
    ) -> None:
        self.model = model_name(model)
        found = gemini_access(self.model, api_key=api_key, base_url=base_url, own_key=OWN_KEY)
        super().__init__(found.who, dimensions=dimensions, attempts=attempts)
        self.client: GeminiClient = gemini_client(found, sdk=sdk, timeout_s=timeout_s)
        self._tasks: dict[TextKind, str] = {"query": query_task, "document": document_task}
        self._asked_dimensions = dimensions

    @property
    def fingerprint(self) -> str:
        """The model and what was asked of it, not the address: a model that moves stays itself."""
        own = {kind: task for kind, task in self._tasks.items() if task != _TASKS[kind]}
        return fingerprint_of("gemini", self.model, dimensions=self._asked_dimensions, **own)

    def _rows(self, texts: list[str], kind: TextKind) -> Sequence[Sequence[float]]:
        return self.client.embed(
            self.model, texts, task=self._tasks[kind], dimensions=self._asked_dimensions
        )
