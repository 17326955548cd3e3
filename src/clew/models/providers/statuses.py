"""What an HTTP status of a provider means: wait, ask again, or do not.

Providers say in different words how long to wait; :func:`retry_after_s` reads the header that most
of them send.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from clew.errors import (
    ModelError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitError,
)
from clew.models.providers.secrets import hidden

_TIMEOUTS = {408, 504}
_PASSING = {409, 425}
REMEDIES = {
    401: " (is the key set, and the right one?)",
    403: " (is the key set, and the right one, and may it use this model?)",
    404: " (is the model's name right, and the address, with its /v1 where the server has one?)",
}
_SHOWN_CHARS = 500


def failure_of(
    status: int, message: str, *, retry_after_s: float | None = None, secrets: Sequence[str] = ()
) -> ModelError:
    """Return the error that ``status`` stands for; ``message`` names the model and the reason.
    Some providers repeat the key in what they say: none of ``secrets`` is shown.
    """
    said = f"{hidden(message, secrets)[:_SHOWN_CHARS]}{REMEDIES.get(status, '')}"
    if status == 429:
        return RateLimitError(said, retry_after_s=retry_after_s)
    if status in _TIMEOUTS:
        return ModelTimeoutError(said, retry_after_s=retry_after_s)
    if status in _PASSING or status >= 500:
        return ModelUnavailableError(said, retry_after_s=retry_after_s)
    return ModelRefusedError(said, status=status)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Read ``Retry-After``, as seconds or as a date, and the ``Retry-After-Ms`` of some servers;
    None where there is none or it means nothing.
    """
    named = {name.lower(): value for name, value in headers.items()}
    milliseconds = _seconds(named.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = named.get("retry-after")
    seconds = _seconds(text)
    return seconds if seconds is not None or text is None else _until(text)


def _seconds(text: str | None) -> float | None:
    try:
        seconds = float(text) if text is not None else None
    except ValueError:
        return None
    return seconds if seconds is not None and 0 <= seconds < float("inf") else None


def _until(text: str) -> float | None:
    try:
        until = parsedate_to_datetime(text)
    except ValueError:
        return None
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())
