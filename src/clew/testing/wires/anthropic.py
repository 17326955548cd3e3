"""The messages of Anthropic."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from clew.testing.scripted_server import Reply, Request
from clew.testing.wires.base import INPUT_TOKENS, OUTPUT_TOKENS, Asked

_ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}


class AnthropicWire:
    def reply(self, text: str, *, truncated: bool = False) -> Reply:
        return self.reply_of(
            [{"type": "text", "text": text}], "max_tokens" if truncated else "end_turn"
        )

    def reply_of(self, content: Sequence[Mapping[str, Any]], stop: str, **fields: Any) -> Reply:
        """A reply with any blocks, reason to stop and further fields."""
        return Reply.of(_message(content, stop) | fields)

    def streamed(self, pieces: Sequence[str], *, broken: bool = False) -> Reply:
        begun = _message([], None) | {"usage": {"input_tokens": INPUT_TOKENS, "output_tokens": 1}}
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": begun},
            {
                "type": "content_block_start",
                "index": 0,
                "content_block": {"type": "text", "text": ""},
            },
            {"type": "ping"},
        ]
        for piece in pieces:
            delta = {"type": "text_delta", "text": piece}
            events.append({"type": "content_block_delta", "index": 0, "delta": delta})
        return self.events([*events, *([] if broken else _ENDING)], cut=broken)

    def events(self, events: Sequence[Mapping[str, Any]], *, cut: bool = False) -> Reply:
        """Any server-sent events."""
        chunks = [
            f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events
        ]
        return Reply(headers={"Content-Type": "text/event-stream"}, chunks=chunks, cut=cut)

    def failure(
        self, status: int, message: str, *, headers: Mapping[str, str] | None = None
    ) -> Reply:
        error = {"type": _ERROR_TYPES.get(status, "api_error"), "message": message}
        return Reply.of({"type": "error", "error": error}, status=status, headers=headers)

    def asked(self, request: Request) -> Asked:
        body = request.body
        users = [part["content"] for part in body["messages"] if part["role"] == "user"]
        return Asked(
            model=body["model"],
            system=body.get("system", ""),
            user="\n".join(users),
            max_tokens=body["max_tokens"],
            temperature=body.get("temperature"),
            key=_key(request.headers),
            schema="output_config" in body or "tools" in body,
            stream=bool(body.get("stream")),
        )


def _key(headers: Mapping[str, str]) -> str:
    """Older releases of the SDK send the key in a header of their own."""
    own = headers.get("x-api-key")
    return own if own is not None else headers.get("authorization", "").removeprefix("Bearer ")


def _message(content: Sequence[Mapping[str, Any]], stop: str | None) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "served-model",
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": INPUT_TOKENS, "output_tokens": OUTPUT_TOKENS},
    }


_ENDING: list[dict[str, Any]] = [
    {"type": "content_block_stop", "index": 0},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn", "stop_sequence": None},
        "usage": {"output_tokens": OUTPUT_TOKENS},
    },
    {"type": "message_stop"},
]
