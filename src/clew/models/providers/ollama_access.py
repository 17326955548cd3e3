"""The way to Ollama: its SDK, at which address, and what went wrong there.

The SDK's errors say neither headers nor, in the middle of a stream, a status; a hook of its HTTP
client reads them first. Its own key (``OLLAMA_API_KEY``, for models in Ollama's cloud) is not sent
to an address that somebody named.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from clew.errors import ConfigError, ModelRefusedError, ModelUnavailableError
from clew.models.extras import import_extra
from clew.models.providers.access import Access
from clew.models.providers.addresses import is_this_machine
from clew.models.providers.http_refusal import HTTPRefusal, refuse
from clew.models.providers.pages import in_words
from clew.models.providers.reply_deadline import reply_deadline
from clew.models.providers.sdk_errors import translated
from clew.models.providers.secrets import hidden, shown_address
from clew.models.providers.statuses import failure_of, retry_after_s

URL = "http://127.0.0.1:11434"
HOST_VARIABLE = "OLLAMA_HOST"
KEY_VARIABLE = "OLLAMA_API_KEY"
_CLOUD = "ollama.com"
_PORT = 11434


def ollama_access(model: str, *, host: str | None, api_key: str | None, own_key: str) -> Access:
    """Find out where Ollama is: at ``host``, else ``OLLAMA_HOST``, else on this machine. Its key is
    ``api_key``, else the variable ``own_key``, else ``OLLAMA_API_KEY``.
    """
    url = address_of(host or os.environ.get(HOST_VARIABLE) or URL)
    parts = urlsplit(url)
    is_named = bool(host) and parts.hostname != _CLOUD
    key = api_key or os.environ.get(own_key) or os.environ.get("" if is_named else KEY_VARIABLE)
    is_usual = is_this_machine(url) and parts.port == _PORT and not parts.path
    return Access(model=f"ollama:{model}", url=url, is_usual=is_usual, key=(key or "").strip())


def ollama_client(found: Access, *, timeout_s: float, owner: object) -> Any:
    """Return a client of the SDK whose connections end with ``owner``."""
    sdk, hooks = _package("ollama", found.model), reply_deadline(timeout_s)
    client = sdk.Client(
        host=found.url,
        timeout=timeout_s,
        follow_redirects=False,
        trust_env=not is_this_machine(found.url),
        event_hooks={
            "request": [*hooks["request"], _with_key(found.key)],
            "response": [*hooks["response"], refuse],
        },
    )
    weakref.finalize(owner, client._client.close)  # noqa: SLF001 - older ones have no close()
    return client


@contextmanager
def ollama_errors(found: Access, model: str) -> Iterator[None]:
    """Raise what the SDK raises inside as errors of clew."""
    sdk, http = _package("ollama", found.model), _package("httpx", found.model)
    with translated(found.who, secrets=found.secrets):
        try:
            yield
        except HTTPRefusal as error:
            raise _failure(error, found, model) from None
        except sdk.ResponseError as error:  # in the middle of a stream
            said = hidden(str(error.error), found.secrets)
            raise ModelUnavailableError(f"{found.who}: {said}") from None
        except (ConnectionError, http.ConnectError) as error:
            raise ModelUnavailableError(
                f"{found.who} cannot be reached: is Ollama running there? Start it with "
                f"`ollama serve`, or name another address with host= or {HOST_VARIABLE} ({error})"
            ) from error
        except (TypeError, AttributeError) as error:  # JSON of another shape
            raise ValueError(str(error)) from error


def address_of(host: str) -> str:
    """Read an address as Ollama does: ``example.com`` is ``http://example.com:11434``."""
    text = host.strip()
    text = f"127.0.0.1{text}" if text.startswith(":") else text
    plain = "://" not in text
    try:
        parts = urlsplit(f"http://{text}" if plain else text)
        port = parts.port
    except ValueError:  # a port that is no number
        parts, port = urlsplit(""), None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ConfigError(f"host={host!r} is no address: write http://HOST:PORT, or HOST[:PORT]")
    if port is None:
        port = _PORT if plain else {"http": 80, "https": 443}[parts.scheme]
    place = parts.netloc.removesuffix(f":{parts.port}") if parts.port is not None else parts.netloc
    return f"{parts.scheme}://{place}:{port}{parts.path.rstrip('/')}"


def _package(name: str, model: str) -> Any:
    return import_extra(name, extra="ollama", purpose=f"the model {model}")


def _with_key(key: str) -> Any:
    def put(request: Any) -> None:
        request.headers.pop("authorization", None)
        if key:
            request.headers["authorization"] = f"Bearer {key}"

    return put


def _failure(refusal: HTTPRefusal, found: Access, model: str) -> Exception:
    status, reason = refusal.status, _reason(refusal.body)
    said = f"{found.who}: HTTP {status}: {reason}"
    if status == 404 and "not found" in reason and "model" in reason:
        said += f"; get it with `ollama pull {model}`"
    if status < 400:
        where = shown_address(refusal.headers.get("location", "elsewhere"))
        said, where = hidden(said, found.secrets), hidden(where, found.secrets)
        return ModelRefusedError(f"{said}; it is at {where}: name that address", status=status)
    wait = retry_after_s(refusal.headers)
    return failure_of(status, said, retry_after_s=wait, secrets=found.secrets)


def _reason(body: Any) -> str:
    stated = body.get("error", body) if isinstance(body, dict) else body
    return in_words(str(stated.get("message", stated) if isinstance(stated, dict) else stated))
