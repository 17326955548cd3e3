"""The chat completions of OpenAI, which Groq and many other servers speak too."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from clew.testing.scripted_server import Reply, Request
from clew.testing.wires.base import INPUT_TOKENS, OUTPUT_TOKENS, Asked

USAGE: dict[str, Any] = {
    "prompt_tokens": INPUT_TOKENS,
    "completion_tokens": OUTPUT_TOKENS,
    "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
}


class OpenAIWire:
    """``in_x_groq`` puts the usage of a stream where Groq puts it."""

    def __init__(self, *, in_x_groq: bool = False) -> None:
        self._in_x_groq = in_x_groq

    def reply(self, text: str, *, truncated: bool = False) -> Reply:
        return self.reply_of(
            {"role": "assistant", "content": text}, "length" if truncated else "stop"
        )

    def reply_of(self, message: Mapping[str, Any], finish: str | None, **fields: Any) -> Reply:
        """A reply with any message, reason to finish and further fields."""
        choice = {"index": 0, "message": message, "finish_reason": finish}
        whole = {
            "id": "chat-1",
            "object": "chat.completion",
            "created": 1,
            "model": "served-model",
            "choices": [choice],
            "usage": USAGE,
        }
        return Reply.of(whole | fields)

    def streamed(self, pieces: Sequence[str], *, broken: bool = False) -> Reply:
        events = [self._chunk({"role": "assistant", "content": ""}, None)]
        events += [self._chunk({"content": piece}, None) for piece in pieces]
        if not broken:
            events += [self._chunk({}, "stop"), *self._usage()]
        chunks = [b"data: " + json.dumps(event).encode() + b"\n\n" for event in events]
        ending = [] if broken else [b"data: [DONE]\n\n"]
        return Reply(
            headers={"Content-Type": "text/event-stream"}, chunks=chunks + ending, cut=broken
        )

    def failure(
        self, status: int, message: str, *, headers: Mapping[str, str] | None = None
    ) -> Reply:
        error = {"message": message, "type": "error", "param": None, "code": None}
        return Reply.of({"error": error}, status=status, headers=headers)

    def asked(self, request: Request) -> Asked:
        body = request.body
        return Asked(
            model=body["model"],
            system=_texts(body["messages"], "system"),
            user=_texts(body["messages"], "user"),
            max_tokens=body.get("max_completion_tokens", body.get("max_tokens")),
            temperature=body.get("temperature"),
            key=request.headers.get("authorization", "").removeprefix("Bearer "),
            schema="response_format" in body,
            stream=bool(body.get("stream")),
        )

    def _chunk(self, delta: Mapping[str, Any], finish: str | None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {
            "id": "chat-1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "served-model",
            "choices": [choice],
        }

    def _usage(self) -> list[dict[str, Any]]:
        last = self._chunk({}, None) | {"choices": []}
        return [last | ({"x_groq": {"usage": USAGE}} if self._in_x_groq else {"usage": USAGE})]


def _texts(messages: Sequence[Mapping[str, Any]], role: str) -> str:
    return "\n".join(message["content"] for message in messages if message["role"] == role)
