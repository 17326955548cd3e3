"""Gemini through ``google-genai``, the SDK that Google develops."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from clew.errors import ConfigError, EmbeddingError
from clew.models.extras import import_extra
from clew.models.providers.access import NO_KEY, Access
from clew.models.providers.addresses import is_this_machine
from clew.models.providers.gemini_access import SDK, GeminiRequest
from clew.models.providers.gemini_replies import (
    Piece,
    failure_from,
    gemini_errors,
    piece_of,
)
from clew.models.providers.http_refusal import refuse
from clew.models.providers.reply_deadline import reply_deadline

_API_VERSION = "v1beta"  # the one that knows instructions, schemas and thinking in every SDK
_LEAST_SERVER_TIMEOUT_S = 10
"""Google refuses a shorter deadline; on this side a shorter one holds nevertheless."""


class GenAIClient:
    """A :class:`clew.models.providers.gemini_access.GeminiClient`. Safe to use from many threads;
    ``timeout_s`` bounds a whole reply, and each wait for a piece of one.
    """

    sdk: SDK = "genai"

    def __init__(self, found: Access, *, timeout_s: float) -> None:
        genai = import_extra("google.genai", extra="gemini", purpose="Gemini")
        self._types: Any = genai.types
        self._errors: Any = import_extra("google.genai.errors", extra="gemini", purpose="Gemini")
        deadline = max(_LEAST_SERVER_TIMEOUT_S, math.ceil(timeout_s))
        self._found = found
        hooks = reply_deadline(timeout_s)
        own: dict[str, Any] = {
            "follow_redirects": False,
            "event_hooks": {**hooks, "response": [*hooks["response"], refuse]},
        } | ({"trust_env": False} if is_this_machine(found.url) else {})
        self._client: Any = genai.Client(
            vertexai=False,
            api_key=found.key or NO_KEY,
            http_options={
                "base_url": found.url,
                "api_version": os.environ.get("GOOGLE_GENAI_API_VERSION") or _API_VERSION,
                "timeout": max(1, round(timeout_s * 1000)),
                "headers": {"X-Server-Timeout": str(deadline)},
                "client_args": own,
            },
        )

    def generate(self, request: GeminiRequest) -> Piece:
        config = self._config(request)
        with self._translated():
            reply = self._client.models.generate_content(
                model=request.model, contents=self._contents(request), config=config
            )
            return piece_of(_as_json(reply))

    def stream(self, request: GeminiRequest) -> Iterator[Piece]:
        config = self._config(request)
        with self._translated():
            replies = self._client.models.generate_content_stream(
                model=request.model, contents=self._contents(request), config=config
            )
            for reply in replies:
                yield piece_of(_as_json(reply))

    def embed(
        self, model: str, texts: Sequence[str], *, task: str, dimensions: int | None
    ) -> list[Sequence[float]]:
        options: dict[str, Any] = {"task_type": task}
        if dimensions is not None:
            options["output_dimensionality"] = dimensions
        # Contents, not texts: of some models the SDK joins texts into one.
        contents = [self._types.Content(parts=[self._types.Part(text=text)]) for text in texts]
        with self._translated():
            reply = self._client.models.embed_content(
                model=model, contents=contents, config=options
            )
        rows = [one.values for one in reply.embeddings or ()]
        if not all(rows):
            raise EmbeddingError(f"gemini:{model} returned an embedding without values")
        return rows

    def _contents(self, request: GeminiRequest) -> list[Any]:
        return [self._types.Content.model_validate(one) for one in request.contents]

    def _config(self, request: GeminiRequest) -> Any:
        options: dict[str, Any] = {**request.options}
        options["automatic_function_calling"] = {"disable": True}
        if request.system:
            options["system_instruction"] = request.system
        if request.schema is not None:
            options["response_schema"] = request.schema
        if request.thinking_budget is not None:
            options["thinking_config"] = {"thinking_budget": request.thinking_budget}
        if request.safety:
            options["safety_settings"] = request.safety_settings
        try:
            return self._types.GenerateContentConfig.model_validate(options)
        except ValueError as error:
            raise ConfigError(f"gemini:{request.model}: {error}") from error

    @contextmanager
    def _translated(self) -> Iterator[None]:
        found = self._found
        with gemini_errors(found):
            try:
                yield
            except self._errors.APIError as error:  # in the middle of a stream
                status = error.code or 500
                raise failure_from(status, error.details, {}, found) from None


def _as_json(reply: Any) -> Mapping[str, Any]:
    found: Mapping[str, Any] = reply.model_dump(mode="json", by_alias=True, exclude_none=True)
    return found
