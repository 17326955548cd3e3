"""What users write to name a language model: a provider, one of its models, perhaps an address.

==============================================  ===================================================
``none``                                        no language model
``openai:gpt-4o-mini``                          OpenAI
``openai:qwen2.5@http://127.0.0.1:8000/v1``     a server that speaks OpenAI's chat completions
``groq:MODEL``                                  Groq
``anthropic:MODEL``                             Anthropic
``gemini:MODEL``                                Google
``ollama:llama3``, ``ollama:llama3:8b@URL``     Ollama, on this machine or at an address
``oci:MODEL``                                   Oracle's cloud
==============================================  ===================================================
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args
from urllib.parse import urlsplit

from clew.errors import ConfigError, nearest
from clew.models.providers.secrets import HIDDEN, shown_address

Provider = Literal["none", "openai", "groq", "anthropic", "gemini", "ollama", "oci"]
PROVIDERS: tuple[Provider, ...] = get_args(Provider)

EXAMPLES: dict[Provider, str] = {
    "openai": "openai:gpt-4o-mini",
    "groq": "groq:llama-3.3-70b-versatile",
    "anthropic": "anthropic:claude-haiku-4-5",
    "gemini": "gemini:gemini-2.5-flash",
    "ollama": "ollama:llama3",
    "oci": "oci:meta.llama-3.3-70b-instruct",
}

_FORM = re.compile(r"[^:]*:(?P<model>.+?)(?:@(?P<url>https?:.*))?")
_ELSEWHERE = re.compile(r"@[\w.-]+(:\d|/)")
"""An address that lacks its ``http://``."""

_FAMILIES: tuple[tuple[str, Provider], ...] = (
    (r"gpt-|chatgpt|o\d", "openai"),
    (r"claude", "anthropic"),
    (r"gemini|models/gemini", "gemini"),
    (r"llama|qwen|mistral|gemma|phi|deepseek", "ollama"),
    (r"cohere\.|meta\.|xai\.", "oci"),
)
"""Whose a model most likely is that was named without its provider."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LLMReference:
    """``url`` is empty for the provider's usual address."""

    provider: Provider
    model: str = ""
    url: str = ""


def llm_reference(setting: str, text: str) -> LLMReference:
    """Read ``llm_model``; raise :class:`ConfigError` for what names no language model."""
    cleaned = text.strip()
    if cleaned == "none":
        return LLMReference(provider="none")
    named = cleaned.partition(":")[0].strip().lower()
    provider = next((known for known in EXAMPLES if known == named), None)
    match = _FORM.fullmatch(cleaned)
    if HIDDEN in cleaned:
        raise ConfigError(
            f"{setting}={text!r}: {HIDDEN} stands where a secret was hidden; write it again"
        )
    shown = shown_address(text)
    if match is None or provider is None:
        raise ConfigError(
            f"{setting}={shown!r} names no language model: write none, or PROVIDER:MODEL[@URL] "
            f"with one of {', '.join(EXAMPLES)}{_guess(cleaned, named, provider)}"
        )
    model, url = match["model"].strip(), (match["url"] or "").rstrip("/")
    if not model or not _is_address(url) or _ELSEWHERE.search(model):
        raise ConfigError(
            f"{setting}={shown!r}: write {EXAMPLES[provider]}, and for a server of one's own "
            f"{provider}:MODEL@http://HOST:PORT"
        )
    return LLMReference(provider=provider, model=model, url=url)


def _is_address(url: str) -> bool:
    if not url:
        return True
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:  # a port that is no number
        return False


def _guess(text: str, named: str, provider: Provider | None) -> str:
    """What was meant: a provider without a model, a model without its provider, one misspelt."""
    if provider is not None:
        return f"; such as {EXAMPLES[provider]}"
    for pattern, owner in _FAMILIES:
        if re.match(pattern, text, re.IGNORECASE):
            return f"; did you mean {f'{owner}:{text}'!r}?"
    return nearest(named, ("none", *EXAMPLES))
