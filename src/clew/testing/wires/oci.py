"""The chat of OCI Generative AI, in the form that most models share and in that of Cohere's."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from clew.testing.scripted_server import Reply, Request
from clew.testing.wires.base import INPUT_TOKENS, OUTPUT_TOKENS, Asked

USAGE: dict[str, Any] = {
    "promptTokens": INPUT_TOKENS,
    "completionTokens": OUTPUT_TOKENS,
    "totalTokens": INPUT_TOKENS + OUTPUT_TOKENS,
}
_CODES = {400: "InvalidParameter", 401: "NotAuthenticated", 404: "NotAuthorizedOrNotFound",
          429: "TooManyRequests", 500: "InternalServerError"}  # fmt: skip


def write_configuration(folder: Path) -> Path:
    """Write what the SDK signs with, for nobody's tenancy, into ``folder``; return its path."""
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - comes with the SDK
    from cryptography.hazmat.primitives.asymmetric import rsa  # noqa: PLC0415

    pem = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    key, config = folder / "key.pem", folder / "config"
    key.write_bytes(pem)
    config.write_text(
        "[DEFAULT]\nuser=ocid1.user.oc1..aaaa\ntenancy=ocid1.tenancy.oc1..aaaa\n"
        f"fingerprint={':'.join(['0a'] * 16)}\nregion=eu-frankfurt-1\nkey_file={key}\n",
        encoding="utf-8",
    )
    for path in (key, config):
        path.chmod(0o600)
    return config


class OCIWire:
    """The form that most models share."""

    def reply(self, text: str, *, truncated: bool = False) -> Reply:
        return self.reply_of([{"type": "TEXT", "text": text}], "length" if truncated else "stop")

    def reply_of(self, content: Sequence[Mapping[str, Any]], finish: str | None) -> Reply:
        """A reply with any content and reason to finish."""
        message = {"role": "ASSISTANT", "content": list(content)}
        choice = {"index": 0, "message": message, "finishReason": finish}
        return _result({"apiFormat": "GENERIC", "choices": [choice], "usage": USAGE})

    def streamed(self, pieces: Sequence[str], *, broken: bool = False) -> Reply:
        events: list[dict[str, Any]] = [
            {
                "index": 0,
                "message": {"role": "ASSISTANT", "content": [{"type": "TEXT", "text": piece}]},
                "pad": "aaaa",
            }
            for piece in pieces
        ]
        ending: list[dict[str, Any]] = [{"finishReason": "stop", "pad": "aa"}, {"usage": USAGE}]
        return _events([*events, *([] if broken else ending)], cut=broken)

    def failure(
        self, status: int, message: str, *, headers: Mapping[str, str] | None = None
    ) -> Reply:
        body = {"code": _CODES.get(status, "Unknown"), "message": message}
        return Reply.of(body, status=status, headers=headers)

    def asked(self, request: Request) -> Asked:
        chat = request.body["chatRequest"]
        return _asked(
            request,
            system=_texts(chat["messages"], "SYSTEM"),
            user=_texts(chat["messages"], "USER"),
        )


class OCICohereWire(OCIWire):
    """The form of Cohere's models: the last event of a stream repeats the whole text."""

    def reply(self, text: str, *, truncated: bool = False) -> Reply:
        return self.reply_with(text=text, finishReason="MAX_TOKENS" if truncated else "COMPLETE")

    def reply_with(self, **fields: Any) -> Reply:
        """A reply with any fields."""
        return _result({"apiFormat": "COHERE", "usage": USAGE} | fields)

    def streamed(self, pieces: Sequence[str], *, broken: bool = False) -> Reply:
        events: list[dict[str, Any]] = [{"apiFormat": "COHERE", "text": piece} for piece in pieces]
        whole = {"text": "".join(pieces), "finishReason": "COMPLETE", "usage": USAGE}
        return _events(
            [*events, *([] if broken else [{"apiFormat": "COHERE"} | whole])], cut=broken
        )

    def asked(self, request: Request) -> Asked:
        chat = request.body["chatRequest"]
        return _asked(request, system=chat.get("preambleOverride", ""), user=chat["message"])


def _asked(request: Request, *, system: str, user: str) -> Asked:
    chat = request.body["chatRequest"]
    return Asked(
        model=request.body["servingMode"]["modelId"],
        system=system,
        user=user,
        max_tokens=chat.get("maxTokens"),
        temperature=chat.get("temperature"),
        key="",
        schema="responseFormat" in chat,
        stream=bool(chat.get("isStream")),
    )


def _result(reply: Mapping[str, Any]) -> Reply:
    whole = {"modelId": "served-model", "modelVersion": "1.0", "chatResponse": dict(reply)}
    return Reply.of(whole)


def _events(events: Sequence[Mapping[str, Any]], *, cut: bool) -> Reply:
    chunks = [f"data: {json.dumps(event)}\n\n".encode() for event in events]
    return Reply(headers={"Content-Type": "text/event-stream"}, chunks=chunks, cut=cut)


def _texts(messages: Sequence[Mapping[str, Any]], role: str) -> str:
    return "\n".join(
        part["text"] for one in messages if one["role"] == role for part in one["content"]
    )
