"""Secrets in addresses and in what servers say: what is shown, kept or logged holds none.

An address may hold a password (``http://me:…@host``) or a key among its parameters
(``?api_key=…``), and servers repeat keys in their errors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import parse_qsl, unquote, urlsplit

HIDDEN = "***"

_LEAST_CHARS = 8
"""Shorter keys are words (``none``, ``EMPTY``) that protect nothing and occur in any message."""

_NAMES = r"key|token|secret|passw|signature|\bsig\b|auth|credential|\bcode\b"
_NAME = re.compile(_NAMES, re.IGNORECASE)
_CREDENTIALS = re.compile(r"(://)[^/?#\s]*@")
_PARAMETER = re.compile(rf"(?<=[?&])([^=&#\s]*?(?:{_NAMES})[^=&#\s]*=)[^&#\s]+", re.IGNORECASE)


def shown_address(text: str) -> str:
    """``text``, an address or what holds one, without its secrets.

    >>> shown_address("openai:m@http://me:hush@host/v1?api-version=1&api_key=sk-1")
    'openai:m@http://***@host/v1?api-version=1&api_key=***'
    """
    return _PARAMETER.sub(rf"\1{HIDDEN}", _CREDENTIALS.sub(rf"\1{HIDDEN}@", text))


def secrets_of(url: str, *keys: str | None) -> tuple[str, ...]:
    """All that is secret about a server: its keys, and what stands in its address."""
    parts = urlsplit(url)
    password = parts.netloc.rpartition("@")[0].partition(":")[2]
    named = [value for name, value in parse_qsl(parts.query) if _NAME.search(name)]
    found = {password, unquote(password), *named, *(key or "" for key in keys)}
    return tuple(sorted(found - {""}, key=lambda secret: (-len(secret), secret)))


def hidden(text: str, secrets: Sequence[str]) -> str:
    """``text`` with none of ``secrets`` in it."""
    for secret in secrets:
        if len(secret) >= _LEAST_CHARS:
            text = text.replace(secret, HIDDEN)
    return text
