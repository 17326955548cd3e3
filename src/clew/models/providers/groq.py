"""Language models of Groq."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.models.extras import import_extra
from clew.models.providers.access import access, client_options
from clew.models.providers.chat_completions import ChatCompletionsLLM

URL = "https://api.groq.com"


class GroqLLM(ChatCompletionsLLM):
    """A model of Groq. The key is ``api_key``, else ``CLEW_LLM_KEY``, else ``GROQ_API_KEY``;
    ``base_url`` is that of a proxy before it. ``timeout_s`` bounds a whole reply, and each
    wait for a piece of one; ``options`` are sent along with each request.
    """

    provider = "groq"
    limits = ("max_completion_tokens", "max_tokens")
    has_stream_options = False  # a stream of Groq always says what it used

    def __init__(
        self,
        api_key: str | None = None,
        model: str = "llama-3.3-70b-versatile",
        *,
        base_url: str | None = None,
        temperature: float | None = 0.0,
        seed: int | None = None,
        timeout_s: float = 120.0,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        found = access(
            self.provider,
            model,
            api_key=api_key,
            base_url=base_url,
            usual_url=URL,
            names=("GROQ_API_KEY", "GROQ_BASE_URL"),
        )
        sdk = import_extra("groq", extra="groq", purpose=f"the language model groq:{model}")
        super().__init__(
            sdk.Groq(base_url=found.url, **client_options(sdk, found, timeout_s, self)),
            model,
            access=found,
            forms=("json_schema", "json_object", "prompt"),
            temperature=temperature,
            seed=seed,
            options=options,
        )
