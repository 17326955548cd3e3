"""Gemini through the client layer of ``google-generativeai``, the older SDK.

Its own ``configure()`` sets one key for the whole process; the layer below, which it brings along,
gives each client its own. REST, not gRPC: processes that fork stay safe, and the protocol is the
one of the newer SDK. It knows no seed, no thinking budget and no alternatives in schemas.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from clew.errors import ConfigError
from clew.models.extras import import_extra
from clew.models.providers.access import NO_KEY, Access
from clew.models.providers.addresses import is_this_machine
from clew.models.providers.gemini_access import SDK, GeminiRequest
from clew.models.providers.gemini_replies import Piece, gemini_errors, piece_of
from clew.models.providers.http_refusal import refuse

_EXTRA = "gemini-legacy"


class LegacyClient:
    """A :class:`clew.models.providers.gemini_access.GeminiClient`. Safe to use from many threads;
    ``timeout_s`` bounds each wait for the server.
    """

    sdk: SDK = "generativeai"

    def __init__(self, found: Access, *, timeout_s: float) -> None:
        self._glm = _package("google.ai.generativelanguage")
        self._parse_error: type[Exception] = _package("google.protobuf.json_format").ParseError
        self._found = found
        self._timeout_s = timeout_s
        address = found.url.removeprefix("https://") if found.is_usual else found.url
        self._client: Any = self._glm.GenerativeServiceClient(
            transport="rest",
            client_options={"api_key": found.key or NO_KEY, "api_endpoint": address},
        )
        # The layer reads no error out of a list and follows redirects with the key in a header.
        session = self._client.transport._session  # noqa: SLF001
        session.hooks["response"].append(refuse)
        session.trust_env = not is_this_machine(found.url)

    def generate(self, request: GeminiRequest) -> Piece:
        asked = self._request(request)
        with self._translated():
            return piece_of(_as_json(self._client.generate_content(asked, **self._patience)))

    def stream(self, request: GeminiRequest) -> Iterator[Piece]:
        asked = self._request(request)
        with self._translated():
            replies = self._client.stream_generate_content(asked, **self._patience)
            try:
                for reply in replies:
                    yield piece_of(_as_json(reply))
            finally:
                replies.cancel()  # whoever listens may leave before the end

    def embed(
        self, model: str, texts: Sequence[str], *, task: str, dimensions: int | None
    ) -> list[Sequence[float]]:
        name = f"models/{model}"
        requests = [
            self._glm.EmbedContentRequest(
                model=name,
                content={"parts": [{"text": text}]},
                task_type=task,
                output_dimensionality=dimensions,
            )
            for text in texts
        ]
        batch = self._glm.BatchEmbedContentsRequest(model=name, requests=requests)
        with self._translated():
            reply = self._client.batch_embed_contents(batch, **self._patience)
        return [list(one.values) for one in reply.embeddings]

    @property
    def _patience(self) -> dict[str, Any]:
        return {"timeout": self._timeout_s, "retry": None}

    def _request(self, request: GeminiRequest) -> Any:
        options = {**request.options}
        if "seed" in options or request.thinking_budget is not None:
            raise ConfigError(
                f"gemini:{request.model}: the older SDK knows no seed and no thinking_budget: "
                "`pip install 'clew[gemini]'` brings the newer one, or leave them out"
            )
        if request.schema is not None:
            options["response_schema"] = _with_proto_names(request.schema)
        asked: dict[str, Any] = {
            "model": f"models/{request.model}",
            "contents": request.contents,
            "generation_config": options,
            "safety_settings": request.safety_settings,
        }
        if request.system:
            asked["system_instruction"] = {"parts": [{"text": request.system}]}
        try:
            return self._glm.GenerateContentRequest(asked)
        except (ValueError, TypeError, AttributeError) as error:
            raise ConfigError(f"gemini:{request.model}: {error}") from error

    @contextmanager
    def _translated(self) -> Iterator[None]:
        with gemini_errors(self._found):
            try:
                yield
            except (self._parse_error, TypeError) as error:
                raise ValueError(str(error)) from error


def _package(name: str) -> Any:
    """Import one of the packages that the older SDK brings; they announce their own end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return import_extra(name, extra=_EXTRA, purpose="Gemini through its older SDK")


def _as_json(reply: Any) -> Mapping[str, Any]:
    found: Mapping[str, Any] = type(reply).to_dict(
        reply, use_integers_for_enums=False, preserving_proto_field_name=False
    )
    return found


def _with_proto_names(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The layer writes an underscore behind the names that Python has taken."""
    renamed = {"type": "type_", "format": "format_"}
    found: dict[str, Any] = {}
    for name, value in schema.items():
        if name == "properties":
            value = {own: _with_proto_names(inner) for own, inner in value.items()}  # noqa: PLW2901
        elif name == "items":
            value = _with_proto_names(value)  # noqa: PLW2901
        found[renamed.get(name, name)] = value
    return found
