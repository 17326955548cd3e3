"""No request may be larger than the server can take, whatever it says of its length."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


class LimitedBody:
    """ASGI middleware: answers 413 to a body of more than ``most_bytes``, announced or not, before
    the application has seen it.
    """

    def __init__(self, app: Application, *, most_bytes: int) -> None:
        self._app = app
        self._most = most_bytes

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = await self._read(scope, receive)
        if body is None:
            await self._refuse(send)
            return
        waiting = [{"type": "http.request", "body": body, "more_body": False}]

        async def read_again() -> Message:
            return waiting.pop() if waiting else await receive()

        await self._app(scope, read_again, send)

    async def _read(self, scope: Message, receive: Receive) -> bytes | None:
        """The whole body; None where it is too large."""
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > self._most:
            return None
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self._most:
                return None
            if not message.get("more_body"):
                return b"".join(parts)

    async def _refuse(self, send: Send) -> None:
        detail = (
            f"the request is larger than {self._most:,} bytes: send a part of the text, or start "
            "the server with a larger --max-bytes"
        )
        head = [(b"content-type", b"application/json"), (b"connection", b"close")]
        await send({"type": "http.response.start", "status": 413, "headers": head})
        await send({"type": "http.response.body", "body": json.dumps({"detail": detail}).encode()})
