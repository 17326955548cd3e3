"""Layers around a language model: each sees every call on its way in and its reply on the way out.

A layer is written once for both ways of replying. A reply is a stream of pieces that ends with the
whole :class:`Completion`; one that is not streamed has no pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from clew.errors import ModelError
from clew.models.base import LLM, Completion, Message, StreamingLLM

Reply = Iterator[str | Completion]


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """What a model is asked."""

    messages: tuple[Message, ...]
    max_tokens: int | None = None
    schema: Mapping[str, Any] | None = None
    streamed: bool = False


Proceed = Callable[[Request], Reply]


class Layer(Protocol):
    """One idea about calls. Any thread may use it."""

    def answer(self, request: Request, proceed: Proceed) -> Reply:
        """Yield the reply to ``request``, most often what ``proceed(request)`` yields. ``proceed``
        may be called never, once or again.
        """
        ...


class LayeredLLM:
    """A model behind ``layers``, the outermost first."""

    def __init__(self, llm: LLM, layers: Sequence[Layer]) -> None:
        self._llm = llm
        self._layers = tuple(layers)

    def has(self, kind: type[object]) -> bool:
        """Whether a layer of this kind is around the model."""
        return any(isinstance(layer, kind) for layer in self._layers)

    @property
    def fingerprint(self) -> str:
        return self._llm.fingerprint

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        request = Request(messages=tuple(messages), max_tokens=max_tokens, schema=schema)
        whole: Completion | None = None
        for item in _through(self._layers, request, self._completed):
            if isinstance(item, Completion):
                whole = item
        return _required(whole, self.fingerprint)

    def _completed(self, request: Request) -> Reply:
        yield self._llm.complete(
            request.messages, max_tokens=request.max_tokens, schema=request.schema
        )


class LayeredStreamingLLM(LayeredLLM):
    """The same for a model that streams."""

    def __init__(self, llm: StreamingLLM, layers: Sequence[Layer]) -> None:
        super().__init__(llm, layers)
        self._streaming = llm

    def stream(self, messages: Sequence[Message], *, max_tokens: int | None = None) -> Reply:
        request = Request(messages=tuple(messages), max_tokens=max_tokens, streamed=True)
        yield from _through(self._layers, request, self._streamed)

    def _streamed(self, request: Request) -> Reply:
        whole = None
        for item in self._streaming.stream(request.messages, max_tokens=request.max_tokens):
            whole = item if isinstance(item, Completion) else whole
            yield item
        _required(whole, self.fingerprint)


def layered(llm: LLM, *layers: Layer) -> LLM:
    """Return ``llm`` behind ``layers``; it streams if ``llm`` does."""
    if isinstance(llm, StreamingLLM):
        return LayeredStreamingLLM(llm, layers)
    return LayeredLLM(llm, layers)


def _through(layers: Sequence[Layer], request: Request, innermost: Proceed) -> Reply:
    if not layers:
        return innermost(request)
    return layers[0].answer(request, lambda changed: _through(layers[1:], changed, innermost))


def _required(whole: Completion | None, name: str) -> Completion:
    if whole is None:
        raise ModelError(f"{name} ended its reply without the whole of it (a Completion)")
    return whole
