"""The REST protocol of Gemini, as both of Google's SDKs speak it.

They differ in how a stream looks: the newer one asks for server-sent events, the older one reads a
list of JSON objects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from clew.testing.scripted_server import Reply, Request
from clew.testing.wires.base import INPUT_TOKENS, OUTPUT_TOKENS, Asked

_PATH = re.compile(r"/v1beta/models/(?P<model>[^:]+):(?P<call>\w+)")
_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


class GeminiWire:
    """``sse`` streams server-sent events; otherwise a list."""

    def __init__(self, *, sse: bool = True) -> None:
        self._sse = sse

    def reply(self, text: str, *, truncated: bool = False) -> Reply:
        parts = [{"text": text}] if text else []
        return self.reply_of(parts, "MAX_TOKENS" if truncated else "STOP")

    def reply_of(
        self, parts: Sequence[Mapping[str, Any]], finish: str | None = "STOP", **fields: Any
    ) -> Reply:
        """A reply with any parts, reason to finish and further fields."""
        return _json(_chunk(parts, finish) | fields)

    def streamed(self, pieces: Sequence[str], *, broken: bool = False) -> Reply:
        chunks = [_chunk([{"text": piece}], None) for piece in pieces]
        if not broken:
            chunks.append(_chunk([], "STOP"))
        return self.chunks(chunks, broken=broken)

    def chunks(self, chunks: Sequence[Mapping[str, Any]], *, broken: bool = False) -> Reply:
        """A stream of any replies."""
        texts = [json.dumps(chunk, ensure_ascii=False) for chunk in chunks]
        if self._sse:
            sent = [f"data: {text}\r\n\r\n" for text in texts]
            kind = "text/event-stream"
        else:
            sent = [f"{'[' if number == 0 else ','}{text}\r\n" for number, text in enumerate(texts)]
            sent += [] if broken else ["]"]
            kind = "application/json; charset=UTF-8"
        return Reply(
            headers={"Content-Type": kind}, chunks=[one.encode() for one in sent], cut=broken
        )

    def failure(
        self,
        status: int,
        message: str,
        *,
        headers: Mapping[str, str] | None = None,
        details: Sequence[Mapping[str, Any]] = (),
        listed: bool = False,
    ) -> Reply:
        """An error; ``listed`` as streams say it."""
        error: dict[str, Any] = {
            "code": status,
            "message": message,
            "status": _STATUSES.get(status, "UNKNOWN"),
        }
        if details:
            error["details"] = list(details)
        body = {"error": error}
        return _json([body] if listed else body, status=status, headers=headers)

    def embeddings(self, rows: Sequence[Sequence[float]]) -> Reply:
        return _json({"embeddings": [{"values": list(row)} for row in rows]})

    def asked(self, request: Request) -> Asked:
        body, place = request.body, _PATH.match(request.path)
        assert place is not None, request.path
        options = body.get("generationConfig", {})
        turns = [one for one in body["contents"] if one["role"] == "user"]
        return Asked(
            model=place["model"],
            system=_texts([body.get("systemInstruction", {})]),
            user=_texts(turns),
            max_tokens=options.get("maxOutputTokens"),
            temperature=options.get("temperature"),
            key=request.headers.get("x-goog-api-key", ""),
            schema="responseSchema" in options,
            stream=place["call"] == "streamGenerateContent",
        )


def _chunk(parts: Sequence[Mapping[str, Any]], finish: str | None) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    if finish is not None:
        candidate["finishReason"] = finish
    return {
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": INPUT_TOKENS,
            "candidatesTokenCount": OUTPUT_TOKENS,
            "totalTokenCount": INPUT_TOKENS + OUTPUT_TOKENS,
        },
        "modelVersion": "served-model",
    }


def _json(value: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    named = {"Content-Type": "application/json; charset=UTF-8", **(headers or {})}
    return Reply.of(value, status=status, headers=named)


def _texts(contents: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(part["text"] for one in contents for part in one.get("parts", ()))
