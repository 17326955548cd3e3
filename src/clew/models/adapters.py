"""Models as users bring them, made into the models that clew asks for.

===========================================  ===================================================
the object has                               it becomes
===========================================  ===================================================
``complete`` and ``fingerprint``             itself: it is a :class:`clew.models.base.LLM`
``generate(prompt) -> str``                  an LLM whose messages are joined to one prompt
LangChain's methods of a model               an LLM, by :class:`clew.models.LangChainLLMAdapter`
``embed``, ``dimensions``, ``fingerprint``   itself, in batches and checked
``embed_text(text)``, ``embed_batch(texts)`` an embedder, in batches and checked
LangChain's methods of embeddings            the same, by its adapter
===========================================  ===================================================

Each of these methods may be ``async``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import getattr_static, iscoroutinefunction
from typing import Any

import numpy as np

from clew.errors import ClewError, EmbeddingError, ModelError
from clew.models.base import LLM, Completion, Embedder, Message, TextKind, Usage
from clew.models.checked import CheckedEmbedder, CheckedSpanEmbedder
from clew.models.event_loop import EventLoopThread


def as_llm(model: object) -> LLM:
    """Return ``model`` as an :class:`LLM`; what it raises becomes :class:`ModelError`."""
    _refuse_class(model, "llm")
    _refuse_name(model, "llm")
    if isinstance(model, LLM) and not iscoroutinefunction(model.complete):
        return model
    if _can(model, "complete") and _has(model, "fingerprint"):
        return _AsyncLLM(model)
    if _can(model, "invoke") and _can(model, "generate_prompt"):
        from clew.models.providers.langchain import LangChainLLMAdapter  # noqa: PLC0415 - an extra

        return LangChainLLMAdapter(model)
    if _can(model, "generate"):
        return _GeneratingLLM(model)
    raise ModelError(
        f"llm={_shown(model)} has no method generate(prompt) -> str; give it one, or "
        "complete(messages, *, max_tokens, schema) -> Completion and a fingerprint"
    )


def as_embedder(
    model: object, *, batch_size: int = 100, concurrency: int = 1, dimensions: int | None = None
) -> Embedder:
    """Return ``model`` as an :class:`Embedder` that is called with at most ``batch_size`` texts,
    ``concurrency`` batches at a time, and whose every vector is checked. It is a
    :class:`SpanEmbedder` when ``model`` is one.
    """
    _refuse_class(model, "embedding")
    if isinstance(model, CheckedEmbedder):
        return model
    adapted = _adapted(model, dimensions)
    kind = CheckedSpanEmbedder if _can(adapted, "embed_spans") else CheckedEmbedder
    return kind(adapted, batch_size=batch_size, concurrency=concurrency, dimensions=dimensions)


def _refuse_name(model: object, argument: str) -> None:
    """Names of models are settings."""
    if isinstance(model, str):
        setting = "llm_model" if argument == "llm" else "embedding_model"
        raise ModelError(
            f"{argument}={model!r} is a name, not a model: a name goes into the settings, as "
            f"config=ClewConfig({setting}={model!r})"
        )


def _adapted(model: object, dimensions: int | None) -> Any:
    _refuse_name(model, "embedding")
    # Not isinstance(model, Embedder): that would read `dimensions`, which may cost a call.
    if _can(model, "embed") and _has(model, "dimensions") and _has(model, "fingerprint"):
        return model
    if _can(model, "embed_text") or _can(model, "embed_batch"):
        return _SimpleEmbedder(model, dimensions)
    if _can(model, "embed_documents") and _can(model, "embed_query"):
        from clew.models.providers.langchain_embedding import (  # noqa: PLC0415 - an extra
            LangChainEmbeddingAdapter,
        )

        return LangChainEmbeddingAdapter(model, dimensions=dimensions)
    raise ModelError(
        f"embedding={_shown(model)} has no methods embed_text(text) and embed_batch(texts); give "
        "it these, or embed(texts, *, kind) -> array, dimensions and a fingerprint"
    )


class _GeneratingLLM:
    """``generate(prompt) -> str`` as an LLM. It knows neither token limits nor schemas."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._loop = EventLoopThread()

    @property
    def fingerprint(self) -> str:
        return _name_of(self._model)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,  # noqa: ARG002
        schema: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> Completion:
        prompt = "\n\n".join(message.content for message in messages)
        reply = _call(self._loop, self._model, self._model.generate, prompt)
        if not isinstance(reply, str | None):
            raise ModelError(
                f"{_name_of(self._model)}: generate(prompt) must return text, "
                f"not {type(reply).__name__}"
            )
        return Completion(text=reply or "", usage=Usage(calls=1), model=self.fingerprint)


class _AsyncLLM:
    """An LLM whose ``complete`` is a coroutine."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._loop = EventLoopThread()
        self.fingerprint: str = model.fingerprint

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        completion: Completion = _call(
            self._loop,
            self._model,
            self._model.complete,
            messages,
            max_tokens=max_tokens,
            schema=schema,
        )
        return completion


class _SimpleEmbedder:
    """``embed_text`` and ``embed_batch`` as an embedder: questions go to the first, passages to the
    second; one of the two will do.
    """

    def __init__(self, model: Any, dimensions: int | None) -> None:
        self._model = model
        self._loop = EventLoopThread()
        self._dimensions = dimensions or _stated_dimensions(model)

    @property
    def fingerprint(self) -> str:
        own = getattr(self._model, "fingerprint", None)
        return own if isinstance(own, str) else f"{_name_of(self._model)}/{self.dimensions}"

    @property
    def dimensions(self) -> int:
        """As given or stated by the model; else what its first vector has, at the cost of a call
        when nothing was embedded yet.
        """
        if self._dimensions is None:
            self._rows(["dimensions"], "query")
        if self._dimensions is None:
            raise EmbeddingError(f"{_name_of(self._model)} returned no vector for a word")
        return self._dimensions

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Any:
        """Rows as the model gave them: :class:`CheckedEmbedder` makes them into vectors."""
        return self._rows(list(texts), kind) if texts else np.empty((0, self.dimensions))

    def _rows(self, texts: list[str], kind: TextKind) -> Sequence[Any]:
        one = getattr(self._model, "embed_text", None)
        many = getattr(self._model, "embed_batch", None)
        if many is None or (kind == "query" and one is not None):
            rows: Any = [self._call(one, text) for text in texts]
        else:
            rows = self._call(many, texts)
        if not hasattr(rows, "__len__"):
            raise EmbeddingError(
                f"{_name_of(self._model)}: embed_batch(texts) must return a list of vectors, "
                f"not {type(rows).__name__}"
            )
        if self._dimensions is None and len(rows) and np.ndim(rows[0]) == 1:
            self._dimensions = len(rows[0])
        found: Sequence[Any] = rows
        return found

    def _call(self, method: Any, argument: Any) -> Any:
        return _call(self._loop, self._model, method, argument)


def _call(
    loop: EventLoopThread, model: object, method: Callable[..., Any], *args: Any, **options: Any
) -> Any:
    try:
        return loop.resolve(method(*args, **options))
    except ClewError:
        raise
    except Exception as error:  # whatever a user's model raises: the cause is kept
        raise ModelError(f"{_name_of(model)} failed: {type(error).__name__}: {error}") from error


def _name_of(model: object) -> str:
    """The fingerprint it states, or its class with the name of the model inside."""
    own = getattr(model, "fingerprint", None)
    if isinstance(own, str) and own:
        return own
    names = (getattr(model, attribute, None) for attribute in ("model", "model_name"))
    inner = next((name for name in names if isinstance(name, str) and name), None)
    return "/".join(part for part in (type(model).__name__, inner) if part)


def _stated_dimensions(model: object) -> int | None:
    stated = getattr(model, "dimensions", None)
    return stated if isinstance(stated, int) and stated > 0 else None


def _can(model: object, method: str) -> bool:
    return callable(getattr(model, method, None))


def _has(model: object, attribute: str) -> bool:
    """Whether it has the attribute, without reading it."""
    return getattr_static(model, attribute, None) is not None


def _refuse_class(model: object, argument: str) -> None:
    if isinstance(model, type):
        raise ModelError(
            f"{argument}={model.__name__} is a class; pass an object of it: {model.__name__}(…)"
        )


def _shown(model: object) -> str:
    return f"<{type(model).__name__}>" if model is not None else "None"
