"""The chat and the embeddings of Ollama: JSON, and streams of one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from clew.testing.scripted_server import Reply, Request
from clew.testing.wires.base import INPUT_TOKENS, OUTPUT_TOKENS, Asked

_END: dict[str, Any] = {
    "done": True,
    "total_duration": 5_000_000,
    "prompt_eval_count": INPUT_TOKENS,
    "eval_count": OUTPUT_TOKENS,
}


class OllamaWire:
    def reply(self, text: str, *, truncated: bool = False) -> Reply:
        return self.reply_of({"content": text}, "length" if truncated else "stop")

    def reply_of(self, message: Mapping[str, Any], reason: str = "stop", **fields: Any) -> Reply:
        """A reply with any message, reason for its end and further fields."""
        return Reply.of(_line(message) | _END | {"done_reason": reason} | fields)

    def streamed(self, pieces: Sequence[str], *, broken: bool = False) -> Reply:
        lines = [_line({"content": piece}) for piece in pieces]
        if not broken:
            lines.append(_line({"content": ""}) | _END | {"done_reason": "stop"})
        return self.lines(lines, broken=broken)

    def lines(self, lines: Sequence[Mapping[str, Any]], *, broken: bool = False) -> Reply:
        """A stream of any objects."""
        chunks = [json.dumps(line).encode() + b"\n" for line in lines]
        return Reply(headers={"Content-Type": "application/x-ndjson"}, chunks=chunks, cut=broken)

    def failure(
        self, status: int, message: str, *, headers: Mapping[str, str] | None = None
    ) -> Reply:
        return Reply.of({"error": message}, status=status, headers=headers)

    def embeddings(self, rows: Sequence[Sequence[float]], model: str = "served-model") -> Reply:
        return Reply.of({"model": model, "embeddings": [list(row) for row in rows]})

    def asked(self, request: Request) -> Asked:
        body = request.body
        options = body.get("options", {})
        return Asked(
            model=body["model"],
            system=_texts(body["messages"], "system"),
            user=_texts(body["messages"], "user"),
            max_tokens=options.get("num_predict"),
            temperature=options.get("temperature"),
            key=request.headers.get("authorization", "").removeprefix("Bearer "),
            schema="format" in body,
            stream=bool(body.get("stream")),
        )


def _line(message: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "model": "served-model",
        "created_at": "2026-01-05T09:30:00Z",
        "message": {"role": "assistant", **message},
        "done": False,
    }


def _texts(messages: Sequence[Mapping[str, Any]], role: str) -> str:
    return "\n".join(message["content"] for message in messages if message["role"] == role)
