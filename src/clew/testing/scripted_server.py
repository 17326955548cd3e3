"""A model server on this machine: it says what it was told to say, and remembers what was asked.

It knows no protocol: :mod:`clew.testing.wires` put a reply into the words of a provider.

>>> with ScriptedServer() as server:  # doctest: +SKIP
...     server.script(Reply(status=429, headers={"Retry-After": "7"}), wire.reply("Oslo"))
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """What came: ``headers`` by lower-case name, ``body`` as read from JSON (None where none)."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """What is said: ``body`` at once, or ``chunks`` as a stream, ``pause_s`` after each; after
    ``delay_s``. ``cut`` hangs up: in the middle of a body, or where a stream should end.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    chunks: Sequence[bytes] | None = None
    delay_s: float = 0.0
    pause_s: float = 0.0
    cut: bool = False

    @classmethod
    def of(cls, value: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Self:
        """``value`` as JSON."""
        named = {"Content-Type": "application/json", **(headers or {})}
        return cls(status=status, body=json.dumps(value).encode(), headers=named)


Answer = Reply | Callable[[Request], Reply]


class ScriptedServer(ThreadingHTTPServer):
    """Gives its scripted answers in turn, the last one for ever. Safe to ask from many threads."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[Request] = []
        self.left = threading.Event()
        self._answers: deque[Answer] = deque()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def script(self, *answers: Answer) -> None:
        """Say these from now on, instead of what was scripted before."""
        with self._lock:
            self._answers = deque(answers)

    def answer(self, request: Request) -> Reply:
        with self._lock:
            self.requests.append(request)
            if not self._answers:
                return Reply(status=500, body=b"nothing is scripted")
            answer = self._answers.popleft() if len(self._answers) > 1 else self._answers[0]
        return answer if isinstance(answer, Reply) else answer(request)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.left.set()
        self.shutdown()
        self._thread.join()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedServer
    protocol_version = "HTTP/1.1"

    def handle(self) -> None:
        with contextlib.suppress(ConnectionError):  # whoever asked may have gone
            super().handle()

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(
            method=self.command, path=self.path, headers=headers, body=_read_json(data)
        )
        self._say(self.server.answer(request))

    do_GET = do_POST  # noqa: N815 - the name that the standard library calls

    def _say(self, reply: Reply) -> None:
        if reply.delay_s and self.server.left.wait(reply.delay_s):
            return
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.chunks is None:
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body[: len(reply.body) // 2] if reply.cut else reply.body)
        else:
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self._stream(reply.chunks, reply.pause_s, cut=reply.cut)
        self.close_connection = reply.cut

    def _stream(self, chunks: Sequence[bytes], pause_s: float, *, cut: bool) -> None:
        for chunk in chunks:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
            if pause_s and self.server.left.wait(pause_s):
                return
        if not cut:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_: Any) -> None:
        pass


def _read_json(data: bytes) -> Any:
    try:
        return json.loads(data) if data else None
    except ValueError:
        return data
