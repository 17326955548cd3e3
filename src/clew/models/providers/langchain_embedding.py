"""Embeddings of LangChain as an embedder of clew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clew.models.base import TextKind
from clew.models.providers.langchain_access import langchain_errors, name_of, print_of
from clew.models.providers.remote_embedder import RemoteEmbedder


class LangChainEmbeddingAdapter(RemoteEmbedder):
    """A :class:`clew.models.base.Embedder` over ``embeddings``: questions go to its
    ``embed_query``, passages to its ``embed_documents``.

    ``fingerprint`` names what makes the vectors; None makes one of class, name and parameters.
    ``dimensions`` are found out at the cost of a call when they are not given.
    """

    def __init__(
        self,
        embeddings: Any,
        *,
        fingerprint: str | None = None,
        dimensions: int | None = None,
        attempts: int = 6,
    ) -> None:
        self.embeddings = embeddings
        self.model = name_of(embeddings)
        super().__init__(f"langchain:{self.model}", dimensions=dimensions, attempts=attempts)
        self._fingerprint = fingerprint or print_of(embeddings)

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    def _rows(self, texts: list[str], kind: TextKind) -> Sequence[Sequence[float]]:
        with langchain_errors(self._who, self.embeddings):
            if kind == "query":
                return [self.embeddings.embed_query(text) for text in texts]
            return list(self.embeddings.embed_documents(texts))
