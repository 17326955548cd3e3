"""Embeddings that Ollama computes, on this machine or another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clew.models.base import TextKind
from clew.models.prefixed import prefix_mark
from clew.models.providers.calling import fingerprint_of
from clew.models.providers.ollama_access import ollama_access, ollama_client, ollama_errors
from clew.models.providers.remote_embedder import RemoteEmbedder

OWN_KEY = "CLEW_EMBEDDING_KEY"
_SEARCHED = "Represent this sentence for searching relevant passages: "
_PREFIXES: dict[str, tuple[str, str]] = {
    "nomic-embed-text": ("search_query: ", "search_document: "),
    "mxbai-embed-large": (_SEARCHED, ""),
    "snowflake-arctic-embed": (_SEARCHED, ""),
    "snowflake-arctic-embed2": ("query: ", ""),
    "embeddinggemma": ("task: search result | query: ", "title: none | text: "),
}
"""What models of Ollama's library were trained to read before questions and passages."""


class OllamaEmbedding(RemoteEmbedder):
    """A :class:`clew.models.base.Embedder`: pass it as ``embedding=``.

    ``host``, ``keep_alive`` and ``options`` are those of
    :class:`clew.models.providers.ollama.OllamaLLM`. The prefixes go before questions and passages;
    None takes those that the model was trained with, where it is a known one. ``dimensions`` asks
    for shorter vectors, of models that can give them. Texts longer than the model reads are cut at
    their ends.
    """

    def __init__(
        self,
        host: str | None = None,
        model: str = "nomic-embed-text",
        *,
        dimensions: int | None = None,
        query_prefix: str | None = None,
        document_prefix: str | None = None,
        keep_alive: float | str | None = None,
        options: dict[str, Any] | None = None,
        timeout_s: float = 120.0,
        attempts: int = 6,
        api_key: str | None = None,
    ) -> None:
        self.model = model
        self._access = ollama_access(model, host=host, api_key=api_key, own_key=OWN_KEY)
        super().__init__(self._access.who, dimensions=dimensions, attempts=attempts)
        self._client = ollama_client(self._access, timeout_s=timeout_s, owner=self)
        own = _PREFIXES.get(model.rpartition("/")[2].partition(":")[0], ("", ""))
        self.prefixes: dict[TextKind, str] = {
            "query": own[0] if query_prefix is None else query_prefix,
            "document": own[1] if document_prefix is None else document_prefix,
        }
        asked = {"dimensions": dimensions, "keep_alive": keep_alive, "options": options}
        self._asked = {name: value for name, value in asked.items() if value is not None}
        self._asked_dimensions = dimensions

    @property
    def fingerprint(self) -> str:
        """The model and what was asked of it, not the address: a model that moves stays itself."""
        named = fingerprint_of("ollama", self.model, dimensions=self._asked_dimensions)
        return f"{named}{prefix_mark(self.prefixes)}"

    def _rows(self, texts: list[str], kind: TextKind) -> Sequence[Sequence[float]]:
        sent = [f"{self.prefixes[kind]}{text}" for text in texts]
        with ollama_errors(self._access, self.model):
            rows: Sequence[Sequence[float]] = self._client.embed(
                model=self.model, input=sent, **self._asked
            ).embeddings
        return rows
