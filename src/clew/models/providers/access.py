"""Where a provider is and with which key: a key goes only where it belongs.

The key is the one given, else ``CLEW_LLM_KEY``, else that of the provider's own variable, which is
not sent to an address that somebody named.
"""

from __future__ import annotations

import os
import weakref
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from clew.errors import MissingModelError
from clew.models.providers.addresses import is_this_machine
from clew.models.providers.reply_deadline import reply_deadline
from clew.models.providers.secrets import secrets_of, shown_address

OWN_KEY = "CLEW_LLM_KEY"
NO_KEY = "none"
"""What SDKs that insist on a key send to servers that need none."""

_CONNECT_TIMEOUT_S = 10.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Access:
    """``model`` is shown as ``provider:model``; ``is_usual`` for the provider's own address."""

    model: str
    url: str
    is_usual: bool
    key: str = field(default="", repr=False)

    @property
    def who(self) -> str:
        """Names the model, and its address where that is not the usual one."""
        return self.model if self.is_usual else f"{self.model} at {self.named_url}"

    @property
    def named_url(self) -> str:
        """The address without the secrets that it may hold; empty for the usual one."""
        if self.is_usual:
            return ""
        parts = urlsplit(self.url)
        place = parts.netloc.rpartition("@")[2]
        return shown_address(urlunsplit((parts.scheme, place, parts.path, parts.query, "")))

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no message may show, even where the server repeats it."""
        return secrets_of(self.url, self.key)


def access(
    provider: str,
    model: str,
    *,
    api_key: str | None,
    base_url: str | None,
    usual_url: str,
    names: tuple[str, str],
) -> Access:
    """Find out where ``provider`` is and the key for it. ``names`` are the variables that hold its
    key and an address.

    Raises :class:`MissingModelError` for a usual address without a key.
    """
    key_name, url_name = names
    url = (base_url or os.environ.get(url_name) or usual_url).strip().rstrip("/")
    named = base_url is not None and url != usual_url
    if not (url.startswith(("http://", "https://")) and urlsplit(url).hostname):
        raise MissingModelError(
            f"base_url={shown_address(url)!r} must be an address, http://HOST:PORT/…"
        )
    key = api_key or os.environ.get(OWN_KEY) or os.environ.get("" if named else key_name)
    who = f"{provider}:{model}"
    key = checked_key(key, who)
    if not key and url == usual_url:
        raise MissingModelError(
            f"the language model {who} needs a key: set {key_name}, or name a server that needs "
            f"none, {who}@http://HOST:PORT/…"
        )
    return Access(model=who, url=url, key=key, is_usual=url == usual_url)


def checked_key(key: str | None, who: str) -> str:
    """``key`` without white space around it, as files and shells leave it. Raises
    :class:`MissingModelError` for one that no header can carry, without showing it.
    """
    cleaned = (key or "").strip()
    if not (cleaned.isascii() and cleaned.isprintable()):
        raise MissingModelError(f"the key for {who} holds characters that no key has; set it anew")
    return cleaned


def client_options(sdk: Any, found: Access, timeout_s: float, owner: object) -> dict[str, Any]:
    """Options of a client of ``sdk`` that never asks twice by itself, follows nobody elsewhere, and
    puts no proxy between this machine and itself; a whole reply takes ``timeout_s`` at most. Its
    connections end with ``owner``.
    """
    near = is_this_machine(found.url)
    timeout = sdk.Timeout(timeout_s, connect=min(timeout_s, _CONNECT_TIMEOUT_S))
    http = sdk.DefaultHttpxClient(
        timeout=timeout,
        follow_redirects=False,
        trust_env=not near,
        event_hooks=reply_deadline(timeout_s),
    )
    weakref.finalize(owner, http.close)
    return {
        "api_key": found.key or NO_KEY,
        "timeout": timeout,
        "max_retries": 0,
        "http_client": http,
    }
