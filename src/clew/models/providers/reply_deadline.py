"""Hooks for the HTTP clients inside of SDKs: a whole reply has its time limit.

The timeouts of the clients bound each wait for the next bytes. A server, or a gateway that keeps
its connections alive, which sends a blank now and then would hold a caller for ever. Streams are
left alone: who reads them sees that something comes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

_BEGAN = "clew_began"
_STREAMS = ("text/event-stream", "application/x-ndjson")


def reply_deadline(timeout_s: float) -> dict[str, list[Callable[[Any], None]]]:
    """Event hooks of httpx; a reply that is not whole ``timeout_s`` after it was asked for raises
    :class:`TimeoutError`.
    """

    def begin(request: Any) -> None:
        request.extensions[_BEGAN] = time.monotonic()

    def bound(response: Any) -> None:
        if not response.headers.get("content-type", "").startswith(_STREAMS):
            until = response.request.extensions[_BEGAN] + timeout_s
            response.stream = _bounded(response.stream, until, timeout_s)

    return {"request": [begin], "response": [bound]}


def _bounded(stream: Any, until: float, timeout_s: float) -> Any:
    """The stream until then. The client wants one of its own class, which need not be imported."""

    def parts(_: Any) -> Iterator[bytes]:
        for part in stream:
            if time.monotonic() > until:
                raise TimeoutError(f"the reply is not whole after {timeout_s:g} s")
            yield part

    own = next(kind for kind in type(stream).__mro__ if kind.__name__ == "SyncByteStream")
    made = type("BoundedStream", (own,), {"__iter__": parts, "close": lambda _: stream.close()})
    return made()
