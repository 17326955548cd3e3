"""What clew asks of a model: three small protocols, and the powers that only some models have.

Users may pass simpler objects, anything with ``generate(prompt) -> str`` or with ``embed_text`` and
``embed_batch``; :mod:`clew.models.adapters` bridges them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
TextKind = Literal["query", "document"]
Span = tuple[int, int]


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def fingerprint(self) -> str:
        """Names the model, its version and its numeric form: equal fingerprints, equal vectors
        (up to rounding). Stored with every index and compared on open."""
        ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        """Return float32 ``[len(texts), dimensions]``, each row of length 1, in input order.

        An empty sequence gives shape ``[0, dimensions]``. Raises :class:`clew.errors.ModelError`.
        """
        ...


@runtime_checkable
class SpanEmbedder(Embedder, Protocol):
    """Gives the vectors of a text and of spans inside it from one forward pass."""

    def embed_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]]
    ) -> tuple[Vectors, Vectors]:
        """Return (text vectors ``[n, d]``, span vectors ``[sum(len(s) for s in spans), d]``).

        ``spans[i]`` are character offsets into ``texts[i]``. A text longer than the model's window
        is read in several overlapping windows, so every span gets a vector.
        """
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """Tokens as the provider counted them; zero where it does not say. ``cached_calls`` were
    answered from memory: they are not among ``calls``, and nobody is paid for them.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_calls: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_calls=self.cached_calls + other.cached_calls,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageEntry:
    """One line of the books: what ``model`` was used for on a ``day`` (UTC, ``2026-11-30``).

    ``estimated_tokens`` is what clew had taken the prompts for before they were sent: beside
    ``usage.input_tokens`` it says how far its counting is off. ``cost`` is None where the price is
    not known.
    """

    scope: str
    day: str
    stage: str
    model: str
    document_id: str = ""
    question: str = ""
    usage: Usage = Usage()
    estimated_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None
    currency: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        """Entries of one key are added up to one."""
        currency = "" if self.cost is None else self.currency
        return (
            self.scope, self.day, self.stage, self.document_id, self.question, self.model, currency
        )  # fmt: skip

    def __add__(self, other: UsageEntry) -> UsageEntry:
        """Both under the key of this one."""
        known = self.cost is not None and other.cost is not None
        return replace(
            self,
            usage=self.usage + other.usage,
            estimated_tokens=self.estimated_tokens + other.estimated_tokens,
            seconds=self.seconds + other.seconds,
            cost=(self.cost or 0.0) + (other.cost or 0.0) if known else None,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class PaidReply:
    """A reply to be kept. ``documents`` are the ids of those whose text was asked about."""

    key: str
    text: str
    documents: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Completion:
    text: str
    usage: Usage = Usage()
    model: str = ""
    truncated: bool = False


@runtime_checkable
class LLM(Protocol):
    """Completes a conversation."""

    @property
    def fingerprint(self) -> str: ...

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """Return one reply. ``schema`` is a JSON schema that the reply should follow where the
        provider can enforce it; callers still parse tolerantly.

        Raises :class:`clew.errors.ModelError`: :class:`~clew.errors.RateLimitError` and
        :class:`~clew.errors.ModelUnavailableError` where asking again may help.
        """
        ...


@runtime_checkable
class StreamingLLM(LLM, Protocol):
    """An LLM that can also give its reply while it is written."""

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int | None = None
    ) -> Iterator[str | Completion]:
        """Yield the pieces of one reply as they come, then the whole as a :class:`Completion`.

        Raises what :meth:`complete` raises; nothing is asked again once a piece was given out.
        """
        ...


@runtime_checkable
class Reranker(Protocol):
    """Reads a question and a text together, such as a cross-encoder."""

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score in 0–1 per text, in order; no text gives no score.

        Raises :class:`clew.errors.ModelError`.
        """
        ...


@dataclass(frozen=True, slots=True)
class Entailment:
    """Whether a text bears out a claim: both in 0–1, and what is left to 1 is that it says
    nothing of it.
    """

    entailed: float
    contradicted: float


@runtime_checkable
class EntailmentModel(Protocol):
    """Reads a text and a claim together, as models of natural language inference do."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Entailment]:
        """Judge each pair (text, claim), in order; no pair gives nothing.

        Raises :class:`clew.errors.ModelError`.
        """
        ...


@runtime_checkable
class BaseLLM(Protocol):
    """The simplest language model that users may bring."""

    def generate(self, prompt: str) -> str: ...


@runtime_checkable
class BaseEmbedding(Protocol):
    """The simplest embedder that users may bring."""

    def embed_text(self, text: str) -> Sequence[float]: ...

    def embed_batch(self, texts: list[str]) -> Sequence[Sequence[float]]: ...
