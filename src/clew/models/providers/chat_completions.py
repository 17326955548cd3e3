"""Chat completions, which OpenAI, Groq and most servers of open models speak."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from clew.errors import ModelRefusedError, ModelUnavailableError
from clew.models.base import Completion, Message, Usage
from clew.models.providers.access import Access
from clew.models.providers.calling import Generates, fingerprint_of, sendable, tokens
from clew.models.providers.dialect import Dialect, Negotiation, Sent
from clew.models.providers.pages import in_words
from clew.models.providers.schema_forms import Form, response_format, with_schema
from clew.models.providers.sdk_errors import stated, translated
from clew.models.providers.secrets import hidden
from clew.models.providers.unstreamed import unstreamed

_SHOWN_CHARS = 100


class ChatCompletionsLLM(Generates):
    """A :class:`clew.models.base.StreamingLLM` over the ``client`` of an SDK.

    What its server refuses to take (a form of schema, a name of the token limit, a temperature of
    0, a seed) is left out from then on: see :mod:`clew.models.providers.dialect`.
    """

    provider: ClassVar[str]
    limits: tuple[str, str] = ("max_tokens", "max_completion_tokens")
    """The two names of the token limit, the one to try first at the front."""
    has_stream_options: ClassVar[bool] = True

    def __init__(
        self,
        client: Any,
        model: str,
        *,
        access: Access,
        forms: Sequence[Form],
        temperature: float | None,
        seed: int | None,
        options: Mapping[str, Any] | None,
    ) -> None:
        self.model = model
        self.temperature = temperature
        self.seed = seed
        self.options: dict[str, Any] = dict(options or {})
        self._client = client
        self._access = access
        self._forms = tuple(forms)
        self._negotiation = Negotiation(len(forms), fails_on_schemas=not access.is_usual)

    @property
    def fingerprint(self) -> str:
        """The model and all that changes its replies; the address where it is not the usual one."""
        return fingerprint_of(
            self.provider,
            self.model,
            self._access.named_url,
            temperature=self.temperature,
            seed=self.seed,
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
                return self._completion(self._client.chat.completions.create(**arguments))

        sent = self._sent(messages, max_tokens, stream=False)
        return self._negotiation.ask(ask, who=self._access.who, sent=sent, schema=schema)

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int | None = None
    ) -> Iterator[str | Completion]:
        def ask(dialect: Dialect) -> Any:
            arguments = self._arguments(messages, max_tokens, None, dialect) | {"stream": True}
            if self.has_stream_options and not dialect.no_stream_usage:
                arguments["stream_options"] = {"include_usage": True}
            with self._translated():
                return self._client.chat.completions.create(**arguments)

        sent = self._sent(messages, max_tokens, stream=self.has_stream_options)
        chunks = self._negotiation.ask(ask, who=self._access.who, sent=sent, schema=None)
        written = _Written(self._access)
        with self._translated(), chunks:
            if (reply := unstreamed(chunks)) is not None:
                completion = self._completion(reply)
                yield completion.text
            else:
                for chunk in chunks:
                    if piece := written.take(chunk):
                        yield piece
                completion = written.whole(self.model)
        yield completion

    def _translated(self) -> Any:
        return translated(self._access.who, secrets=self._access.secrets)

    def _sent(self, messages: Sequence[Message], max_tokens: int | None, *, stream: bool) -> Sent:
        return Sent(
            limit=max_tokens is not None,
            temperature=self.temperature == 0,
            seed=self.seed is not None,
            stream_usage=stream,
            system=any(message.role == "system" for message in messages),
        )

    def _arguments(
        self,
        messages: Sequence[Message],
        max_tokens: int | None,
        schema: Mapping[str, Any] | None,
        dialect: Dialect,
    ) -> dict[str, Any]:
        arguments: dict[str, Any] = {"model": self.model}
        if schema is not None:
            form = self._forms[dialect.form]
            if form in {"json_object", "prompt"}:
                messages = with_schema(messages, schema)
            if (asked := response_format(form, schema)) is not None:
                arguments["response_format"] = asked
        body = dict(self.options)
        if max_tokens is not None:  # in the body: not every release of the SDKs knows both names
            body[self.limits[dialect.other_limit]] = max_tokens
        if self.temperature is not None and not dialect.no_temperature:
            arguments["temperature"] = self.temperature
        if self.seed is not None and not dialect.no_seed:
            arguments["seed"] = self.seed
        if body:
            arguments["extra_body"] = body
        return arguments | {"messages": _as_sent(messages, without_system=dialect.no_system)}

    def _completion(self, reply: Any) -> Completion:
        choice = _first_choice(reply, self._access)
        message = getattr(choice, "message", None)
        if message is None:
            raise ModelUnavailableError(f"{self._access.who}: the answer has no message")
        finish = _checked_finish(choice, self._access)
        _refuse(getattr(message, "refusal", None), self._access)
        return Completion(
            text=_text(message.content),
            usage=_usage(getattr(reply, "usage", None)),
            model=getattr(reply, "model", None) or self.model,
            truncated=finish == "length",
        )


class _Written:
    """What has come of a stream."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._pieces: list[str] = []
        self._refusal: list[str] = []
        self._finish = ""
        self._model = ""
        self._usage = Usage(calls=1)

    def take(self, chunk: Any) -> str:
        """Return the text of ``chunk``."""
        if isinstance(error := getattr(chunk, "error", None), Mapping):
            raise stated(error, self._access.who, secrets=self._access.secrets)
        self._model = getattr(chunk, "model", None) or self._model
        in_groq = getattr(getattr(chunk, "x_groq", None), "usage", None)
        usage = getattr(chunk, "usage", None) or in_groq
        self._usage = _usage(usage) if usage is not None else self._usage
        choices = getattr(chunk, "choices", None) or []
        if not choices:
            return ""
        self._finish = _checked_finish(choices[0], self._access) or self._finish
        delta = getattr(choices[0], "delta", None)
        self._refusal.append(getattr(delta, "refusal", None) or "")
        piece = _text(getattr(delta, "content", None))
        self._pieces.append(piece)
        return piece

    def whole(self, model: str) -> Completion:
        _refuse("".join(self._refusal), self._access)
        if not self._finish:
            raise ModelUnavailableError(f"{self._access.who}: the answer broke off")
        return Completion(
            text="".join(self._pieces),
            usage=self._usage,
            model=self._model or model,
            truncated=self._finish == "length",
        )


def _as_sent(messages: Sequence[Message], *, without_system: bool) -> list[dict[str, str]]:
    """Messages as they are sent. Where a server knows no system, its words come first in those of
    the user.
    """
    sent = [{"role": message.role, "content": sendable(message.content)} for message in messages]
    if not without_system:
        return sent
    system = "\n\n".join(part["content"] for part in sent if part["role"] == "system")
    others = [part for part in sent if part["role"] != "system"]
    at = next((place for place, part in enumerate(others) if part["role"] == "user"), None)
    if at is None:
        return [{"role": "user", "content": system}, *others]
    others[at] = {"role": "user", "content": f"{system}\n\n{others[at]['content']}"}
    return others


def _first_choice(reply: Any, access: Access) -> Any:
    error = getattr(reply, "error", None)
    if error:  # some gateways fail with a status of success
        raise stated(error, access.who, secrets=access.secrets)
    if isinstance(reply, str):  # of another type than JSON, and none
        said = hidden(in_words(reply), access.secrets)[:_SHOWN_CHARS]
        raise ModelUnavailableError(f"{access.who}: the answer is no reply, but {said!r}")
    choices = getattr(reply, "choices", None)
    if not choices:
        raise ModelUnavailableError(f"{access.who}: the answer holds no choices")
    return choices[0]


def _checked_finish(choice: Any, access: Access) -> str:
    finish = getattr(choice, "finish_reason", None) or ""
    if finish == "content_filter":
        raise ModelRefusedError(f"{access.who}: a content filter stopped the reply")
    if finish == "error":
        raise ModelUnavailableError(f"{access.who}: the reply ended with an error")
    return str(finish)


def _refuse(refusal: str | None, access: Access) -> None:
    if refusal:
        raise ModelRefusedError(f"{access.who} refuses to reply: {refusal}")


def _text(content: Any) -> str:
    """Text, or (some servers) a list of parts with texts."""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _usage(usage: Any) -> Usage:
    """Tokens of the provider's own cache are among ``input_tokens``, those of reasoning among
    ``output_tokens``.
    """
    return Usage(
        calls=1,
        input_tokens=tokens(getattr(usage, "prompt_tokens", None)),
        output_tokens=tokens(getattr(usage, "completion_tokens", None)),
    )
