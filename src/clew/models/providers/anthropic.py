"""Language models of Anthropic."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from clew.errors import ModelRefusedError, ModelUnavailableError
from clew.models.base import Completion, Message, Usage
from clew.models.extras import import_extra
from clew.models.providers.access import Access, access, client_options
from clew.models.providers.calling import Generates, fingerprint_of, sendable, tokens
from clew.models.providers.dialect import Dialect, Negotiation, Sent
from clew.models.providers.schema_forms import SCHEMA_NAME, closed_schema, with_schema
from clew.models.providers.sdk_errors import translated

URL = "https://api.anthropic.com"
DEFAULT_MAX_TOKENS = 4096
"""Every call must name a limit: this one where the caller names none."""

_FORMS = ("format", "tool", "prompt")
_CUT = {"max_tokens", "model_context_window_exceeded"}


class AnthropicLLM(Generates):
    """A :class:`clew.models.base.StreamingLLM` of Anthropic.

    The key is ``api_key``, else ``CLEW_LLM_KEY``, else ``ANTHROPIC_API_KEY``; ``base_url`` is that
    of a proxy before it. ``max_tokens`` bounds replies where the call does not; ``timeout_s``
    bounds a whole reply, and each wait for a piece of one; ``options`` are sent along with each
    request. A temperature of 0 is left out for models that take none; any other is an error there.
    A JSON schema is given as the format of the output, to models that have no such thing as a tool,
    else in the prompt.
    """

    provider = "anthropic"

    def __init__(
        self,
        api_key: str | None = None,
        model: str = "claude-haiku-4-5",
        *,
        base_url: str | None = None,
        temperature: float | None = 0.0,
        max_tokens: int = DEFAULT_MAX_TOKENS,
        timeout_s: float = 120.0,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.model = model
        self.temperature = temperature
        self.max_tokens = max_tokens
        self.options: dict[str, Any] = dict(options or {})
        self._access = access(
            self.provider,
            model,
            api_key=api_key,
            base_url=base_url,
            usual_url=URL,
            names=("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
        )
        purpose = f"the language model anthropic:{model}"
        sdk = import_extra("anthropic", extra="anthropic", purpose=purpose)
        client = client_options(sdk, self._access, timeout_s, self)
        self._client = sdk.Anthropic(base_url=self._access.url, **client)
        self._negotiation = Negotiation(len(_FORMS))

    @property
    def fingerprint(self) -> str:
        """The model and all that changes its replies; the address where it is not the usual one."""
        usual = self.max_tokens == DEFAULT_MAX_TOKENS
        return fingerprint_of(
            self.provider,
            self.model,
            self._access.named_url,
            temperature=self.temperature,
            max_tokens=None if usual else self.max_tokens,
            options=json.dumps(self.options, sort_keys=True) if self.options else None,
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.fingerprint!r})"

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        def ask(dialect: Dialect) -> Completion:
            arguments = self._arguments(messages, max_tokens, schema, dialect)
            with self._translated():
                return self._completion(self._client.messages.create(**arguments))

        return self._negotiation.ask(
            ask, who=self._access.who, sent=Sent(temperature=self.temperature == 0), schema=schema
        )

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int | None = None
    ) -> Iterator[str | Completion]:
        def ask(dialect: Dialect) -> Any:
            arguments = self._arguments(messages, max_tokens, None, dialect)
            with self._translated():
                return self._client.messages.create(**arguments, stream=True)

        events = self._negotiation.ask(
            ask, who=self._access.who, sent=Sent(temperature=self.temperature == 0), schema=None
        )
        written = _Written(self._access)
        with self._translated(), events:
            for event in events:
                if piece := written.take(event):
                    yield piece
            completion = written.whole(self.model)
        yield completion

    def _translated(self) -> Any:
        return translated(self._access.who, secrets=self._access.secrets)

    def _arguments(
        self,
        messages: Sequence[Message],
        max_tokens: int | None,
        schema: Mapping[str, Any] | None,
        dialect: Dialect,
    ) -> dict[str, Any]:
        body = dict(self.options)  # what not every release of the SDK knows goes in the body
        if self.temperature is not None and not dialect.no_temperature:
            body["temperature"] = self.temperature
        if schema is not None:
            form = _FORMS[dialect.form]
            if form == "prompt":
                messages = with_schema(messages, schema)
            body |= _schema_fields(form, schema)
        system, sent = _apart(messages)
        arguments: dict[str, Any] = {"model": self.model, "max_tokens": max_tokens}
        arguments["max_tokens"] = max_tokens or self.max_tokens
        if system:
            arguments["system"] = system
        return arguments | {"messages": sent, "extra_body": body}

    def _completion(self, reply: Any) -> Completion:
        content = getattr(reply, "content", None)
        if not isinstance(content, list):
            raise ModelUnavailableError(f"{self._access.who}: the answer has no content")
        stop = _checked_stop(reply, self._access)
        return Completion(
            text="".join(_text(block) for block in content),
            usage=_usage(getattr(reply, "usage", None)),
            model=getattr(reply, "model", None) or self.model,
            truncated=stop in _CUT,
        )


class _Written:
    """What has come of a stream."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._pieces: list[str] = []
        self._stop = ""
        self._model = ""
        self._usage = Usage(calls=1)

    def take(self, event: Any) -> str:
        """Return the text of ``event``."""
        kind = getattr(event, "type", "")
        if kind == "message_start":
            self._model = event.message.model
            self._usage = _usage(event.message.usage)
        elif kind == "message_delta":
            self._stop = _checked_stop(event.delta, self._access)
            written = tokens(getattr(event.usage, "output_tokens", None))
            self._usage = Usage(
                calls=1,
                input_tokens=self._usage.input_tokens,
                output_tokens=written or self._usage.output_tokens,
            )
        elif kind == "content_block_delta":
            piece = getattr(event.delta, "text", None) or ""
            self._pieces.append(piece)
            return piece
        return ""

    def whole(self, model: str) -> Completion:
        if not self._stop:
            raise ModelUnavailableError(f"{self._access.who}: the answer broke off")
        return Completion(
            text="".join(self._pieces),
            usage=self._usage,
            model=self._model or model,
            truncated=self._stop in _CUT,
        )


def _schema_fields(form: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    if form == "format":
        return {
            "output_config": {"format": {"type": "json_schema", "schema": closed_schema(schema)}}
        }
    if form == "tool":
        tool = {
            "name": SCHEMA_NAME,
            "description": "Give the reply in this form.",
            "input_schema": dict(schema),
        }
        return {"tools": [tool], "tool_choice": {"type": "tool", "name": SCHEMA_NAME}}
    return {}


def _apart(messages: Sequence[Message]) -> tuple[str, list[dict[str, str]]]:
    """The system's words apart, then the turns: no empty one, and no two of one role in a row."""
    spoken = [message for message in messages if message.content.strip()]
    system = "\n\n".join(part.content for part in spoken if part.role == "system")
    turns = [
        {"role": role, "content": sendable("\n\n".join(message.content for message in turn))}
        for role, turn in groupby(
            (part for part in spoken if part.role != "system"), key=lambda part: part.role
        )
    ]
    if turns and turns[0]["role"] == "user":
        return sendable(system), turns
    if not turns:  # the system's words are all there is to reply to
        return "", [{"role": "user", "content": sendable(system)}]
    return sendable(system), [{"role": "user", "content": "…"}, *turns]


def _text(block: Any) -> str:
    """The text of a block; what a tool is called with as JSON."""
    kind = getattr(block, "type", "")
    if kind == "tool_use":
        return json.dumps(block.input, ensure_ascii=False)
    return (getattr(block, "text", None) or "") if kind == "text" else ""


def _checked_stop(reply: Any, access: Access) -> str:
    stop = getattr(reply, "stop_reason", None) or ""
    if stop == "refusal":
        raise ModelRefusedError(f"{access.who} refuses to reply")
    return str(stop)


def _usage(usage: Any) -> Usage:
    """Tokens read from the provider's own cache, or put into it, are among ``input_tokens``."""
    kinds = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return Usage(
        calls=1,
        input_tokens=sum(tokens(getattr(usage, kind, None)) for kind in kinds),
        output_tokens=tokens(getattr(usage, "output_tokens", None)),
    )
