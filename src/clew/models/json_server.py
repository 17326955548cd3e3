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
from collections.abc import Callable, Mapping
from email.message import Message
from http.client import HTTPException
from importlib.metadata import version
from typing import Any

from clew.errors import ModelError, ModelRefusedError, ModelUnavailableError
from clew.models.providers.addresses import is_this_machine
from clew.models.providers.statuses import failure_of, retry_after_s

_PASSING = {408, 409, 425, 429, 500, 502, 503, 504, 529}
_FOR_GOOD = ("insufficient_quota", "billing_hard_limit_reached")
_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 120.0
_REFUSED_ATTEMPTS = 3
_SHOWN_CHARS = 300


class JSONServer:
    """Posts JSON below ``base_url``. ``key`` is sent as a bearer token; ``timeout_s`` bounds each
    wait for the server; ``attempts`` bounds the tries. Safe to use from many threads.
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
        self.base_url = base_url.rstrip("/")
        self.timeout_s = timeout_s
        self.attempts = attempts
        self._sleep = sleep
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": f"clew/{version('clew')}",
        }
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        near = is_this_machine(self.base_url)
        proxies = [urllib.request.ProxyHandler({})] if near else []
        self._opener = urllib.request.build_opener(_NoRedirects, *proxies)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Return what the server answers. Raises :class:`ModelRefusedError` for a status that no
        patience changes; when the last attempt failed, what that one failed with:
        :class:`ModelUnavailableError` or :class:`clew.errors.RateLimitError`.
        """
        url = f"{self.base_url}/{path}"
        data = json.dumps(body).encode()
        for attempt in range(1, self.attempts + 1):
            try:
                return self._once(url, data)
            except _PassingError as error:
                if attempt >= min(self.attempts, error.most_attempts):
                    tries = "one attempt" if attempt == 1 else f"{attempt} attempts"
                    raise error.told(f"{url}: {error} ({tries})") from error
                wait = error.wait_s if error.wait_s is not None else _backoff_s(attempt)
                if wait > _LONGEST_WAIT_S:
                    raise error.told(
                        f"{url}: {error}; the server asks to wait {wait:.0f} s, "
                        f"the most is {_LONGEST_WAIT_S:.0f}"
                    ) from error
                self._sleep(wait)
        raise ModelError(f"{url}: attempts={self.attempts} must be 1 or more")

    def _once(self, url: str, data: bytes) -> Any:
        request = urllib.request.Request(url, data=data, headers=self._headers, method="POST")  # noqa: S310 - the scheme was checked
        try:
            with self._opener.open(request, timeout=self.timeout_s) as response:
                return json.loads(response.read())
        except urllib.error.HTTPError as error:
            with error:
                raise _told(url, error.code, error.headers, error.read()) from error
        except urllib.error.URLError as error:
            refused = isinstance(error.reason, ConnectionRefusedError)
            raise _PassingError(
                f"no connection: {error.reason}",
                most_attempts=_REFUSED_ATTEMPTS if refused else None,
            ) from error
        except TimeoutError as error:
            raise _PassingError("it did not answer in time", status=504) from error
        except (OSError, HTTPException) as error:
            raise _PassingError(f"the answer broke off: {type(error).__name__}: {error}") from error
        except ValueError as error:
            raise _PassingError(f"the answer is not JSON: {error}") from error


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


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _told(url: str, status: int, headers: Message, body: bytes) -> Exception:
    """What a status other than 200 means."""
    code, message = _reason(body)
    said = f"HTTP {status}{': ' + message if message else ''}"
    if status in _PASSING and code not in _FOR_GOOD:
        return _PassingError(said, status=status, wait_s=retry_after_s(dict(headers.items())))
    if 300 <= status < 400:
        said += f" to {headers.get('Location')}: name that address itself"
    if status in {401, 403}:
        said += " (is the key set, and the right one?)"
    return ModelRefusedError(f"{url}: {said}", status=status)


def _reason(body: bytes) -> tuple[str, str]:
    """The code and the message of an error, in the forms that servers use."""
    text = body.decode("utf-8", "replace").strip()
    try:
        value = json.loads(text)
    except ValueError:
        return "", text[:_SHOWN_CHARS]
    inner = value.get("error", value) if isinstance(value, dict) else value
    if not isinstance(inner, dict):
        return "", str(inner)[:_SHOWN_CHARS]
    message = inner.get("message") or inner.get("detail") or value
    return str(inner.get("code") or inner.get("type") or ""), str(message)[:_SHOWN_CHARS]


def _backoff_s(attempt: int) -> float:
    return float(min(_FIRST_WAIT_S * 2 ** (attempt - 1), _LONGEST_WAIT_S))
