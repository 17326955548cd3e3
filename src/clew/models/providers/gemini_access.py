"""The way to Gemini: which of Google's two SDKs, with which key, at which address.

``google-genai`` is the one that Google develops; ``google-generativeai`` is what older
environments have. Either is asked through the same three calls, :class:`GeminiClient`, and neither
asks again by itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol
from urllib.parse import urlsplit

from clew.errors import ConfigError, MissingExtraError, MissingModelError, nearest
from clew.models.providers.access import Access
from clew.models.providers.gemini_replies import Piece

SDK = Literal["genai", "generativeai"]
SDKS: tuple[SDK, ...] = ("genai", "generativeai")
GOOGLE_URL = "https://generativelanguage.googleapis.com"
KEY_VARIABLES = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
URL_VARIABLE = "GOOGLE_GEMINI_BASE_URL"


@dataclass(frozen=True, kw_only=True, slots=True)
class GeminiRequest:
    """One conversation: ``turns`` are pairs of ``user`` or ``model`` and a text; ``options`` are
    those of a generation configuration, in snake case.
    """

    model: str
    turns: Sequence[tuple[str, str]]
    system: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    thinking_budget: int | None = None
    schema: Mapping[str, Any] | None = None
    safety: Mapping[str, str] = field(default_factory=dict)

    @property
    def contents(self) -> list[dict[str, Any]]:
        return [{"role": role, "parts": [{"text": text}]} for role, text in self.turns]

    @property
    def safety_settings(self) -> list[dict[str, str]]:
        return [{"category": one, "threshold": level} for one, level in self.safety.items()]


class GeminiClient(Protocol):
    """Asks through one SDK; raises :class:`clew.errors.ModelError`."""

    sdk: SDK

    def generate(self, request: GeminiRequest) -> Piece: ...

    def stream(self, request: GeminiRequest) -> Iterator[Piece]: ...

    def embed(
        self, model: str, texts: Sequence[str], *, task: str, dimensions: int | None
    ) -> list[Sequence[float]]: ...


def gemini_access(model: str, *, api_key: str | None, base_url: str | None, own_key: str) -> Access:
    """Find out where Gemini is and the key for it: ``api_key``, else the variable ``own_key``,
    else ``GEMINI_API_KEY``, else ``GOOGLE_API_KEY``; the address is ``base_url``, else
    ``GOOGLE_GEMINI_BASE_URL``, else Google's. Google's keys are not sent to an address that
    somebody named.

    Raises :class:`MissingModelError` for Google's address without a key.
    """
    url = (base_url or os.environ.get(URL_VARIABLE) or GOOGLE_URL).strip().rstrip("/")
    if not (url.startswith(("http://", "https://")) and urlsplit(url).hostname):
        raise ConfigError(f"base_url={url!r} must be an address, http://HOST:PORT")
    is_usual = url == GOOGLE_URL
    variables = (own_key, *(() if base_url and not is_usual else KEY_VARIABLES))
    key = api_key or next(filter(None, map(os.environ.get, variables)), "")
    if not key and is_usual:
        raise MissingModelError(
            f"gemini:{model} needs a key: set {' or '.join(KEY_VARIABLES)}, or pass api_key="
        )
    return Access(model=f"gemini:{model}", url=url, is_usual=is_usual, key=key.strip())


def gemini_client(found: Access, *, sdk: str | None, timeout_s: float) -> GeminiClient:
    """Return a client over ``sdk``; None takes google-genai, or the older one where only that is
    installed. Raises :class:`MissingExtraError` without either.
    """
    from clew.models.providers.gemini_genai import GenAIClient  # noqa: PLC0415 - they import this
    from clew.models.providers.gemini_legacy import LegacyClient  # noqa: PLC0415

    if sdk is not None and sdk not in SDKS:
        raise ConfigError(f"sdk={sdk!r} is not one of {', '.join(SDKS)}{nearest(sdk, SDKS)}")
    if sdk == "generativeai":
        return LegacyClient(found, timeout_s=timeout_s)
    try:
        return GenAIClient(found, timeout_s=timeout_s)
    except MissingExtraError:
        if sdk == "genai":
            raise
        try:
            return LegacyClient(found, timeout_s=timeout_s)
        except MissingExtraError:
            pass  # the newer one is what to install
        raise


def model_name(model: str) -> str:
    """``models/gemini-embedding-001`` and ``gemini-embedding-001`` are the same model."""
    name = model.removeprefix("models/")
    if not name:
        raise ConfigError(f"model={model!r} names no model of Gemini")
    return name
