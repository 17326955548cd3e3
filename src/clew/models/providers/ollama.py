"""Language models that Ollama runs, on this machine or another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from clew.errors import ModelUnavailableError
from clew.models.base import Completion, Message, Usage
from clew.models.providers.access import OWN_KEY
from clew.models.providers.calling import fingerprint_of, sendable, tokens
from clew.models.providers.dialect import Dialect
from clew.models.providers.negotiating import NegotiatingLLM
from clew.models.providers.ollama_access import ollama_access, ollama_client, ollama_errors
from clew.models.providers.schema_forms import with_schema
from clew.models.thoughts import ThoughtFilter, without_thoughts


class OllamaLLM(NegotiatingLLM):
    """A :class:`clew.models.base.StreamingLLM`.

    ``host`` is an address (None: ``OLLAMA_HOST``, else this machine). ``num_ctx`` is the number of
    tokens that the model reads and writes at most: Ollama cuts off the beginning of what is longer
    without a word, and its own default is too short for prompts with passages in them; None takes
    that default. ``keep_alive`` says how long the model stays loaded ("10m", seconds, -1 for ever);
    ``think`` turns thinking on or off (or names its level) for models that can, and thoughts never
    get into replies; ``options`` are any others of Ollama's.

    Raises :class:`clew.errors.MissingExtraError` without the package.
    """

    forms: ClassVar[tuple[str, ...]] = ("schema", "json", "prompt")
    """Ollama keeps to a schema since 0.5, and to plain JSON before."""

    def __init__(
        self,
        host: str | None = None,
        model: str = "llama3",
        *,
        temperature: float | None = 0.0,
        seed: int | None = None,
        max_tokens: int | None = None,
        num_ctx: int | None = 8192,
        keep_alive: float | str | None = None,
        think: bool | str | None = None,
        options: Mapping[str, Any] | None = None,
        timeout_s: float = 300.0,
        api_key: str | None = None,
    ) -> None:
        self.model = model
        self._access = ollama_access(model, host=host, api_key=api_key, own_key=OWN_KEY)
        super().__init__(self._access.who)
        self._client = ollama_client(self._access, timeout_s=timeout_s, owner=self)
        self._max_tokens = max_tokens
        self._keep_alive = keep_alive
        self._think = think
        chosen = {"temperature": temperature, "seed": seed, "num_ctx": num_ctx}
        own = {name: value for name, value in chosen.items() if value is not None}
        self._options: dict[str, Any] = own | dict(options or {})

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(
            "ollama",
            self.model,
            self._access.named_url,
            think=self._think,
            max_tokens=self._max_tokens,
            **self._options,
        )

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int | None = None
    ) -> Iterator[str | Completion]:
        """Yield the pieces of one reply as they come, then the whole."""
        shown, pieces, last = ThoughtFilter(), [], None
        with ollama_errors(self._access, self.model):
            for reply in self._client.chat(stream=True, **self._asked(messages, max_tokens)):
                last = reply
                if piece := shown.take(reply.message.content or ""):
                    pieces.append(piece)
                    yield piece
        if piece := shown.rest():
            pieces.append(piece)
            yield piece
        yield self._completion(last, "".join(pieces))

    def _once(
        self,
        messages: Sequence[Message],
        max_tokens: int | None,
        schema: Mapping[str, Any] | None,
        dialect: Dialect,
    ) -> Completion:
        form = self.forms[dialect.form]
        if schema is not None and form != "schema":
            messages = with_schema(messages, schema)
        asked = self._asked(messages, max_tokens)
        if schema is not None and form != "prompt":
            asked["format"] = dict(schema) if form == "schema" else "json"
        with ollama_errors(self._access, self.model):
            reply = self._client.chat(**asked)
        return self._completion(reply, without_thoughts(reply.message.content or ""))

    def _asked(self, messages: Sequence[Message], max_tokens: int | None) -> dict[str, Any]:
        options = dict(self._options)
        most = max_tokens if max_tokens is not None else self._max_tokens
        if most is not None:
            options["num_predict"] = most
        sent = [{"role": one.role, "content": sendable(one.content)} for one in messages]
        asked = {"model": self.model, "messages": sent, "options": options}
        others = {"keep_alive": self._keep_alive, "think": self._think}
        return asked | {name: value for name, value in others.items() if value is not None}

    def _completion(self, last: Any, text: str) -> Completion:
        if last is None or not last.done:
            raise ModelUnavailableError(f"{self._who}: the reply broke off")
        usage = Usage(
            calls=1,
            input_tokens=tokens(last.prompt_eval_count),
            output_tokens=tokens(last.eval_count),
        )
        truncated = last.done_reason == "length"
        return Completion(
            text=text, usage=usage, model=last.model or self.model, truncated=truncated
        )
