"""A whole reply where a stream was asked for: small servers know of no other.

It is paid for as it is, so it is read instead of asked for again.
"""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any


def unstreamed(stream: Any) -> Any:
    """The reply in the JSON that an SDK takes for a stream, its members as attributes; None where
    it is a stream. What is no JSON after all raises :class:`ValueError`.
    """
    response: Any = getattr(stream, "response", None)
    kind = response.headers.get("content-type", "") if response is not None else ""
    if kind.partition(";")[0].strip().lower() != "application/json":
        return None
    told = json.loads(response.read())
    if not isinstance(told, dict):
        raise ValueError(f"no reply: {str(told)[:80]!r}")  # noqa: TRY004 - it came over the wire
    if told.get("error"):
        return SimpleNamespace(error=told["error"])
    return json.loads(json.dumps(told), object_hook=lambda value: SimpleNamespace(**value))
