"""Embeddings of OpenAI, and of every server that speaks the same protocol: vLLM, text-embeddings-
inference, llama.cpp, LM Studio, Ollama. One ``POST /embeddings`` a batch, no package needed.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np

from clew.errors import EmbeddingError, MissingModelError, ModelError, ModelRefusedError
from clew.models.base import TextKind, Vectors
from clew.models.json_server import JSONServer
from clew.models.providers.calling import EmbedsSimply, of_length_one, sendable
from clew.models.providers.secrets import shown_address

OPENAI_URL = "https://api.openai.com/v1"
OWN_KEY = "CLEW_EMBEDDING_KEY"
_TOO_MUCH = {413, 422}
_TOO_MUCH_SAID = re.compile(r"maximum number|too (long|large|many)|tokens per request|batch size")


class OpenAIEmbedding(EmbedsSimply):
    """A :class:`clew.models.base.Embedder` behind ``base_url`` (None: ``OPENAI_BASE_URL``, else
    OpenAI's own).

    The key is ``api_key``, else ``CLEW_EMBEDDING_KEY``, else, for a server that ``base_url`` does
    not name, ``OPENAI_API_KEY``: a key of OpenAI is not sent to just any address. ``dimensions``
    asks for shorter vectors, where a model can give them. A batch that is too large for the server
    is sent in halves. Give it to ``as_embedder`` (or as ``embedding=``) for batches and checks.
    """

    def __init__(
        self,
        api_key: str | None = None,
        model: str = "text-embedding-3-small",
        *,
        base_url: str | None = None,
        dimensions: int | None = None,
        timeout_s: float = 60.0,
        attempts: int = 6,
    ) -> None:
        url = base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI_URL
        if not url.startswith(("http://", "https://")):
            raise MissingModelError(
                f"base_url={shown_address(url)!r} must begin with http:// or https://"
            )
        key = api_key or os.environ.get(OWN_KEY)
        if not key and base_url is None:
            key = os.environ.get("OPENAI_API_KEY")
        if not key and url == OPENAI_URL:
            raise MissingModelError(
                f"the embedder openai:{model} needs a key: set OPENAI_API_KEY, or name a server "
                f"that needs none, openai:{model}@http://HOST:PORT/v1"
            )
        self.model = model
        self.server = JSONServer(url, key=key, timeout_s=timeout_s, attempts=attempts)
        self._asked_dimensions = dimensions
        self._dimensions = dimensions
        self._lock = Lock()

    @property
    def fingerprint(self) -> str:
        """The model and what was asked of it, not the address: a model that moves stays itself."""
        asked = f"/{self._asked_dimensions}" if self._asked_dimensions else ""
        return f"openai/{self.model}{asked}"

    @property
    def dimensions(self) -> int:
        """As asked for; else what its first vector has, at the cost of a call."""
        with self._lock:
            if self._dimensions is None:
                self._dimensions = len(self._rows(["dimensions"])[0])
            return self._dimensions

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:  # noqa: ARG002
        """Questions and passages alike: a model that tells them apart wants prefixes, see
        :mod:`clew.models.prefixed`.
        """
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        rows = self._rows(list(texts))
        if len({len(row) for row in rows}) > 1:
            raise EmbeddingError(f"{self.fingerprint} returned vectors of different lengths")
        return of_length_one(rows)

    def _rows(self, texts: list[str]) -> list[Any]:
        try:
            reply = self.server.post("embeddings", self._body(texts))
        except ModelRefusedError as error:
            too_much = error.status in _TOO_MUCH or _TOO_MUCH_SAID.search(str(error))
            if not too_much or len(texts) == 1:
                raise ModelError(str(error)) from error
            half = len(texts) // 2
            return [*self._rows(texts[:half]), *self._rows(texts[half:])]
        return _vectors_of(reply, len(texts), self.fingerprint)

    def _body(self, texts: list[str]) -> dict[str, Any]:
        # an empty text is refused by servers
        body: dict[str, Any] = {
            "model": self.model,
            "input": [sendable(text) or " " for text in texts],
            "encoding_format": "float",
        }
        if self._asked_dimensions is not None:
            body["dimensions"] = self._asked_dimensions
        return body


def _vectors_of(reply: Any, count: int, fingerprint: str) -> list[Any]:
    """The vectors in the order of the texts, whatever the order of the reply."""
    data = reply.get("data") if isinstance(reply, dict) else None
    if not isinstance(data, list) or not all(isinstance(entry, dict) for entry in data):
        raise EmbeddingError(f"{fingerprint}: the reply has no list 'data' of embeddings")
    stated = [entry.get("index") for entry in data]
    order = [place if index is None else index for place, index in enumerate(stated)]
    if sorted(order, key=str) != sorted(range(count), key=str):
        raise EmbeddingError(
            f"{fingerprint} returned {len(data)} embeddings, numbered {order[:5]}…, "
            f"for {count} texts"
        )
    by_index = dict(zip(order, data, strict=True))
    return [_vector_of(by_index[place].get("embedding"), fingerprint) for place in range(count)]


def _vector_of(value: Any, fingerprint: str) -> Any:
    """Numbers, or (some servers send it unasked) their bytes in base64."""
    if isinstance(value, str):
        return np.frombuffer(base64.b64decode(value), dtype="<f4")
    if not isinstance(value, list) or not value:
        raise EmbeddingError(f"{fingerprint}: an embedding is {type(value).__name__}, not a list")
    return value
