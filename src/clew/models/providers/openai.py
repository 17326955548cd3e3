"""Language models of OpenAI, and of every server that speaks its chat completions: vLLM, llama.cpp,
LM Studio, Azure, OpenRouter, DeepSeek.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from clew.models.extras import import_extra
from clew.models.providers.access import Access, access, client_options
from clew.models.providers.chat_completions import ChatCompletionsLLM

URL = "https://api.openai.com/v1"


class OpenAILLM(ChatCompletionsLLM):
    """A model behind ``base_url`` (None: ``OPENAI_BASE_URL``, else OpenAI's own).

    The key is ``api_key``, else ``CLEW_LLM_KEY``, else, for a server that ``base_url`` does not
    name, ``OPENAI_API_KEY``. ``timeout_s`` bounds a whole reply, and each wait for a piece of one.
    ``options`` are sent along with each request (``{"reasoning_effort": "low"}``). A temperature
    of 0 is left out for models that take none; any other is an error there.

    >>> llm = OpenAILLM(model="qwen2.5", base_url="http://127.0.0.1:8000/v1")  # doctest: +SKIP
    """

    provider = "openai"

    def __init__(
        self,
        api_key: str | None = None,
        model: str = "gpt-4o-mini",
        *,
        base_url: str | None = None,
        temperature: float | None = 0.0,
        seed: int | None = None,
        timeout_s: float = 120.0,
        organization: str | None = None,
        project: str | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        found = access(
            self.provider,
            model,
            api_key=api_key,
            base_url=base_url,
            usual_url=URL,
            names=("OPENAI_API_KEY", "OPENAI_BASE_URL"),
        )
        sdk = import_extra("openai", extra="openai", purpose=f"the language model openai:{model}")
        client = sdk.OpenAI(
            organization=organization,
            project=project,
            **_address(found),
            **client_options(sdk, found, timeout_s, self),
        )
        super().__init__(
            client,
            model,
            access=found,
            forms=("json_schema", "json_object_with_schema", "json_object", "prompt"),
            temperature=temperature,
            seed=seed,
            options=options,
        )
        if found.is_usual:
            self.limits = ("max_completion_tokens", "max_tokens")


def _address(found: Access) -> dict[str, Any]:
    """The address, its query apart (``?api-version=…``), and Azure's own header for the key."""
    parts = urlsplit(found.url)
    on_azure = (parts.hostname or "").endswith(".azure.com")
    return {
        "base_url": urlunsplit((parts.scheme, parts.netloc, parts.path, "", "")),
        "default_query": dict(parse_qsl(parts.query)),
        "default_headers": {"api-key": found.key} if on_azure else {},
    }
