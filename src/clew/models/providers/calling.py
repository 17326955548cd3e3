"""What all providers share: the short calls beside the full ones, and names for cache keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from clew.models.base import Completion, Message, TextKind, Vectors

_NORMAL_LENGTH = 1e-12


class Generates:
    """Gives an LLM ``generate(prompt) -> str`` beside ``complete``."""

    def generate(self, prompt: str) -> str:
        """Return the reply to one prompt."""
        return self.complete([Message(role="user", content=prompt)]).text

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        raise NotImplementedError


class EmbedsSimply:
    """Gives an embedder ``embed_text`` and ``embed_batch`` beside ``embed``."""

    def embed_text(self, text: str) -> list[float]:
        """Return the vector of a question."""
        return [float(value) for value in self.embed([text], kind="query")[0]]

    def embed_batch(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the vectors of passages, in order."""
        return [[float(value) for value in row] for row in self.embed(texts, kind="document")]

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        raise NotImplementedError


def sendable(text: str) -> str:
    """A lone surrogate is no character: no server takes it."""
    return text.encode("utf-8", "replace").decode("utf-8")


def tokens(stated: object) -> int:
    """A count as a server states it. What is none (nothing, a word, less than nothing) is 0: no
    reply that was paid for is lost for it, and no cost gets less.
    """
    try:
        return max(0, int(float(str(stated))))
    except (ValueError, OverflowError):
        return 0


def fingerprint_of(provider: str, model: str, url: str = "", **parameters: Any) -> str:
    """Name a model and what it is asked with: ``gemini/gemini-2.5-flash/temperature=0``. A
    parameter that is None is left to the provider, so it is not named.
    """
    named = [f"{name}={value}" for name, value in sorted(parameters.items()) if value is not None]
    return "/".join((provider, model, *([url] if url else []), *named))


def of_length_one(rows: Sequence[Sequence[float]]) -> Vectors:
    """Return ``rows`` as float32 vectors of length 1; a zero vector stays what it is."""
    with np.errstate(over="ignore", invalid="ignore"):  # who checks them says which text it is
        vectors = np.asarray(rows, np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        scaled: Vectors = vectors / np.maximum(lengths, np.float32(_NORMAL_LENGTH))
    return scaled
