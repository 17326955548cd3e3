"""JSON over HTTP to a model server, patient where patience helps.

A server that is busy (429), broken for now (5xx) or cut off is asked again, after as long as its
``Retry-After`` says, else after half a second, one, two… What it refuses for good is an error at
once. Redirects are refused too: the key must not go to a server that nobody named. No proxy stands
between this machine and itself.
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
import zlib
from base64 import b64encode
from collections.abc import Callable, Mapping
from email.message import Message
from http.client import HTTPException, IncompleteRead
from importlib.metadata import version
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

from clew.errors import ModelError, ModelRefusedError, ModelUnavailableError
from clew.models.providers.access import checked_key
from clew.models.providers.addresses import is_this_machine
from clew.models.providers.pages import in_words
from clew.models.providers.secrets import hidden, secrets_of, shown_address
from clew.models.providers.statuses import REMEDIES, failure_of, retry_after_s

_PASSING = {408, 409, 425, 429, 500, 502, 503, 504, 529}
_FOR_GOOD = ("insufficient_quota", "billing_hard_limit_reached")
_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 120.0
_REFUSED_ATTEMPTS = 3
_SHOWN_CHARS = 300
_READ_BYTES = 1 << 16
_OF_GZIP = 16 + zlib.MAX_WBITS


class JSONServer:
    """Posts JSON below ``base_url``. ``key`` is sent as a bearer token; ``timeout_s`` bounds one
    attempt, however slowly the answer drips in; ``attempts`` bounds the tries. No error shows the
    key, or what is secret in the address. Safe to use from many threads.

    Raises :class:`clew.errors.MissingModelError` for a key that no header can carry.
    """

    def __init__(
        self,
        base_url: str,
        *,
        key: str | None = None,
        timeout_s: float = 60.0,
        attempts: int = 6,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.timeout_s = timeout_s
        self.attempts = attempts
        self._sleep = sleep
        parts = urlsplit(base_url.strip())
        credentials, _, place = parts.netloc.rpartition("@")
        self._base = parts._replace(netloc=place, path=parts.path.rstrip("/"), fragment="")
        self.base_url = shown_address(urlunsplit(self._base))
        key = checked_key(key, f"the server {self.base_url}")
        self._secrets = secrets_of(base_url, key)
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": f"clew/{version('clew')}",
        }
        if key or credentials:
            basic = b64encode(unquote(credentials).encode()).decode()
            self._headers["Authorization"] = f"Basic {basic}" if credentials else f"Bearer {key}"
        near = is_this_machine(self.base_url)
        proxies = [urllib.request.ProxyHandler({})] if near else []
        self._opener = urllib.request.build_opener(_NoRedirects, *proxies)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Return what the server answers. Raises :class:`ModelRefusedError` for a status that no
        patience changes; when the last attempt failed, what that one failed with:
        :class:`ModelUnavailableError` or :class:`clew.errors.RateLimitError`.
        """
        url = urlunsplit(self._base._replace(path=f"{self._base.path}/{path}"))
        shown = shown_address(url)
        data = json.dumps(body).encode()
        for attempt in range(1, self.attempts + 1):
            try:
                return self._once(url, data)
            except _RefusedError as error:
                raise ModelRefusedError(self._said(shown, error), status=error.status) from None
            except _PassingError as error:
                said = self._said(shown, error)
                if attempt >= min(self.attempts, error.most_attempts):
                    tries = "one attempt" if attempt == 1 else f"{attempt} attempts"
                    raise error.told(f"{said} ({tries})") from None
                wait = error.wait_s if error.wait_s is not None else _backoff_s(attempt)
                if wait > _LONGEST_WAIT_S:
                    raise error.told(
                        f"{said}; the server asks to wait {wait:.0f} s, "
                        f"the most is {_LONGEST_WAIT_S:.0f}"
                    ) from None
                self._sleep(wait)
        raise ModelError(f"{shown}: attempts={self.attempts} must be 1 or more")

    def _said(self, where: str, error: Exception) -> str:
        return f"{where}: {hidden(str(error), self._secrets)}"

    def _once(self, url: str, data: bytes) -> Any:
        request = urllib.request.Request(url, data=data, headers=self._headers, method="POST")  # noqa: S310 - the scheme was checked
        until = time.monotonic() + self.timeout_s
        try:
            with self._answer(request) as response:
                content = _read(response, until)
            if response.status >= 300:
                raise _told(response.status, response.headers, content)
            return _checked(json.loads(content))
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise _PassingError("it did not answer in time", status=504) from error
            refused = isinstance(error.reason, ConnectionRefusedError)
            raise _PassingError(
                f"no connection: {error.reason}",
                most_attempts=_REFUSED_ATTEMPTS if refused else None,
            ) from error
        except TimeoutError as error:
            raise _PassingError("it did not answer in time", status=504) from error
        except (OSError, HTTPException, zlib.error) as error:
            raise _PassingError(f"the answer broke off: {type(error).__name__}: {error}") from error
        except ValueError as error:
            said = in_words(content.decode("utf-8", "replace"))[:_SHOWN_CHARS]
            raise _PassingError(f"the answer is not JSON: {said or error}") from error

    def _answer(self, request: urllib.request.Request) -> Any:
        """The response, whatever its status."""
        try:
            return self._opener.open(request, timeout=self.timeout_s)
        except urllib.error.HTTPError as error:
            return error


class _PassingError(Exception):
    """What another attempt may mend."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        wait_s: float | None = None,
        most_attempts: int | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.wait_s = wait_s
        self.most_attempts = 1_000_000 if most_attempts is None else most_attempts

    def told(self, message: str) -> ModelError:
        """What is raised when there is no other attempt."""
        if self.status:
            return failure_of(self.status, message, retry_after_s=self.wait_s)
        return ModelUnavailableError(message)


class _RefusedError(Exception):
    """What no other attempt mends."""

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _read(response: Any, until: float) -> bytes:
    """The body, read as it comes: a server that sends a little now and then has no end."""
    parts = []
    while part := response.read1(_READ_BYTES):
        parts.append(part)
        if time.monotonic() > until:
            raise TimeoutError
    if response.length:
        raise IncompleteRead(b"".join(parts), response.length)
    content = b"".join(parts)
    is_packed = response.headers.get("Content-Encoding", "").strip().lower() == "gzip"
    return zlib.decompress(content, _OF_GZIP) if is_packed else content


def _checked(value: Any) -> Any:
    """Some gateways fail with a status of success, and say the true one inside."""
    error = value.get("error") if isinstance(value, dict) else None
    if not error:
        return value
    code, message = _reason(value)
    status = int(code) if code.isdigit() and 400 <= int(code) < 600 else 500
    if status in _PASSING and code not in _FOR_GOOD:
        raise _PassingError(f"it answers with an error: {message}", status=status)
    raise _RefusedError(f"it answers with an error: {message}", status=status)


def _told(status: int, headers: Message, body: bytes) -> Exception:
    """What a status other than 200 means."""
    code, message = _reason(_value_of(body))
    said = f"HTTP {status}{': ' + message if message else ''}"
    if status in _PASSING and code not in _FOR_GOOD:
        return _PassingError(said, status=status, wait_s=retry_after_s(dict(headers.items())))
    if 300 <= status < 400:
        said += f" to {shown_address(str(headers.get('Location')))}: name that address itself"
    return _RefusedError(f"{said}{REMEDIES.get(status, '')}", status=status)


def _value_of(body: bytes) -> Any:
    text = body.decode("utf-8", "replace").strip()
    try:
        return json.loads(text)
    except ValueError:
        return in_words(text)


def _reason(value: Any) -> tuple[str, str]:
    """The code and the message of an error, in the forms that servers use."""
    inner = value.get("error", value) if isinstance(value, dict) else value
    if not isinstance(inner, dict):
        return "", str(inner)[:_SHOWN_CHARS]
    message = inner.get("message") or inner.get("detail") or value
    return str(inner.get("code") or inner.get("type") or ""), str(message)[:_SHOWN_CHARS]


def _backoff_s(attempt: int) -> float:
    return float(min(_FIRST_WAIT_S * 2 ** (attempt - 1), _LONGEST_WAIT_S))
